/** The front page: what this is, and the way in. A signed-in visitor goes on to the library. */
import { Redirect } from 'wouter'
import { usePageTitle } from '../../page-title.ts'
import { Button, ButtonLink } from '../../ui/button.tsx'
import { useCurrentUser } from '../accounts/current-user.ts'

const sceneUrl = new URL('./evening-bay.svg', import.meta.url).href

export function LandingPage() {
  usePageTitle(null)
  return (
    <div className="landing">
      <div className="landing-beam" aria-hidden="true" />
      <figure className="landing-slide">
        <img src={sceneUrl} alt="A sailing boat on a bay in the evening" width="600" height="600" />
        <figcaption>Evening on the bay</figcaption>
      </figure>
      <section className="landing-words">
        <h1 className="show-voice text-display leading-[1.06] font-[440] text-balance">
          Pictures, in good&nbsp;time.
        </h1>
        <p className="mt-4 max-w-[40ch] text-md text-pretty text-ink-2 sm:mt-6 sm:text-lg">
          Lanternist plays timed picture sessions with words, from a server you run yourself.
        </p>
        <div className="mt-6 min-h-32 sm:mt-8">
          <Visitor />
        </div>
      </section>
    </div>
  )
}

function Visitor() {
  const { data: user, isError, refetch } = useCurrentUser()
  if (isError) {
    return (
      <div className="grid justify-items-start gap-3">
        <p role="alert">The server does not say whether you are signed in.</p>
        <Button look="line" size="big" onClick={() => void refetch()}>
          Ask again
        </Button>
      </div>
    )
  }
  if (user === undefined) return null
  if (user !== null) return <Redirect to="/library" replace />
  return (
    <div className="grid max-w-[25rem] gap-3 sm:flex">
      <ButtonLink href="/login" look="lit" size="big" className="grow">
        Sign in
      </ButtonLink>
      <ButtonLink href="/register" look="line" size="big" className="grow">
        Create account
      </ButtonLink>
    </div>
  )
}
