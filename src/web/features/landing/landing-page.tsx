/** The front page: what this is, a show to look at, and the ways on. Who is signed in goes to the library. */
import { Captions, Images, MonitorPlay, Play, Rss } from 'lucide-react'
import type { ReactNode } from 'react'
import { Link, Redirect } from 'wouter'
import { usePageTitle } from '../../page-title.ts'
import { useSite } from '../../site.ts'
import { Button, ButtonLink } from '../../ui/button.tsx'
import { useCurrentUser } from '../accounts/current-user.ts'

const sceneUrl = new URL('./evening-bay.svg', import.meta.url).href

export function LandingPage() {
  usePageTitle(null)
  return (
    <>
      <div className="landing">
        <div className="landing-beam" aria-hidden="true" />
        <figure className="landing-slide">
          <img
            src={sceneUrl}
            alt="A sailing boat on a bay in the evening"
            width="600"
            height="600"
          />
          <figcaption>Evening on the bay</figcaption>
        </figure>
        <section className="landing-words">
          <h1 className="show-voice text-display leading-[1.06] font-[440] text-balance">
            Pictures, in good&nbsp;time.
          </h1>
          <p className="mt-4 max-w-[40ch] text-md text-pretty text-ink-2 sm:mt-6 sm:text-lg">
            Slideshows that fill themselves, with words on the pictures, played at the pace that you
            choose. From a server that you or a friend of yours runs.
          </p>
          <div className="mt-6 min-h-32 sm:mt-8">
            <Visitor />
          </div>
        </section>
      </div>
      <Abilities />
      <Ways />
    </>
  )
}

function Visitor() {
  const { data: user, isError, refetch } = useCurrentUser()
  const isOpen = useSite()?.registration === 'open'
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
    <div className="grid max-w-[25rem] gap-3">
      <ButtonLink
        href="/demo"
        look="lit"
        size="big"
        icon={<Play size={18} aria-hidden="true" fill="currentColor" />}
      >
        Play a demo
      </ButtonLink>
      <div className="grid gap-3 sm:flex">
        <ButtonLink href="/login" look="line" size="big" className="grow">
          Sign in
        </ButtonLink>
        {isOpen && (
          <ButtonLink href="/register" look="line" size="big" className="grow">
            Create account
          </ButtonLink>
        )}
      </div>
    </div>
  )
}

function Abilities() {
  return (
    <section aria-labelledby="abilities" className="border-t border-hairline py-10 sm:py-14">
      <h2 id="abilities" className="sr-only">
        What it does
      </h2>
      <ul className="grid gap-x-10 gap-y-8 sm:grid-cols-2 xl:grid-cols-4">
        <Ability icon={<Rss size={20} aria-hidden="true" />} title="Fills itself">
          Name a few communities, and up to 25 of their pictures come in turns.
        </Ability>
        <Ability icon={<Images size={20} aria-hidden="true" />} title="Takes your own">
          Upload pictures and films, or bring them along from elsewhere. They stay private until you
          share them.
        </Ability>
        <Ability icon={<Captions size={20} aria-hidden="true" />} title="Puts words to them">
          Write captions yourself, or let a narrator say what is to be seen.
        </Ability>
        <Ability icon={<MonitorPlay size={20} aria-hidden="true" />} title="Plays in time">
          Dissolve, slide or zoom, slow or fast, on a phone or on the wall. Share it by a link.
        </Ability>
      </ul>
    </section>
  )
}

function Ability({
  icon,
  title,
  children,
}: {
  icon: ReactNode
  title: string
  children: ReactNode
}) {
  return (
    <li className="grid content-start gap-2">
      <span className="text-ink-3">{icon}</span>
      <h3 className="text-lg font-semibold">{title}</h3>
      <p className="max-w-[36ch] text-pretty text-ink-2">{children}</p>
    </li>
  )
}

function Ways() {
  const site = useSite()
  return (
    <footer className="flex flex-wrap items-center gap-x-6 gap-y-1 border-t border-hairline pt-6 text-sm text-ink-2">
      <FootLink href="/community">Community</FootLink>
      <FootLink href="/report">Report something</FootLink>
      <a href="/api/docs" className={footLook}>
        Interface
      </a>
      {site?.sourceUrl != null && (
        <a href={site.sourceUrl} rel="noreferrer" className={footLook}>
          Source
        </a>
      )}
      <p className="ms-auto text-xs text-ink-3">
        Lanternist {site?.version}, open source under the MIT licence
      </p>
    </footer>
  )
}

function FootLink({ href, children }: { href: string; children: string }) {
  return (
    <Link href={href} className={footLook}>
      {children}
    </Link>
  )
}

const footLook =
  'inline-flex min-h-11 items-center underline decoration-edge underline-offset-4 hover:text-ink'
