/** The front page: what this is, and for whoever is signed in, who they are and what they have. */
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { client, explain, type SignedInUser } from '../../api.ts'
import { usePageTitle } from '../../page-title.ts'
import { Button, ButtonLink } from '../../ui/button.tsx'
import { announceSignInChange, useCurrentUser } from '../accounts/current-user.ts'

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
        <Button look="line" onClick={() => void refetch()}>
          Ask again
        </Button>
      </div>
    )
  }
  if (user === undefined) return null
  if (user !== null) return <SignedIn user={user} />
  return (
    <div className="grid max-w-[25rem] gap-3 sm:flex">
      <ButtonLink href="/login" look="lit" className="grow">
        Sign in
      </ButtonLink>
      <ButtonLink href="/register" look="line" className="grow">
        Create account
      </ButtonLink>
    </div>
  )
}

function SignedIn({ user }: { user: SignedInUser }) {
  const queryClient = useQueryClient()
  const [failure, setFailure] = useState<string | null>(null)

  async function leave() {
    try {
      await client.accounts.signOut()
      announceSignInChange()
      await queryClient.resetQueries()
    } catch (error) {
      setFailure(explain(error))
    }
  }

  return (
    <div className="max-w-[25rem] rounded-mount bg-mount p-5 shadow-mount">
      <h2 className="text-lg font-semibold break-words">{nameOf(user)}</h2>
      <dl className="mt-4 grid grid-cols-2 gap-4">
        <Figure label="Credits" value={user.credits.balance.toLocaleString('en')} />
        <Figure label="Tier" value={tierNames[user.credits.tier] ?? user.credits.tier} />
      </dl>
      <Button look="line" className="mt-5 w-full" onClick={() => void leave()}>
        Sign out
      </Button>
      <p role="alert" className="mt-3 text-danger empty:hidden">
        {failure}
      </p>
    </div>
  )
}

function Figure({ label, value }: { label: string; value: string }) {
  return (
    <div>
      <dt className="text-xs text-ink-3">{label}</dt>
      <dd className="text-xl font-[560]">{value}</dd>
    </div>
  )
}

function nameOf(user: SignedInUser): string {
  const name = [user.firstName, user.lastName].filter((part) => part !== null).join(' ')
  return name === '' ? user.email : name
}

const tierNames: Record<string, string> = {
  free: 'Free',
  joi_curious: 'JOI-Curious',
  full_access: 'Full Access',
  vip: 'VIP',
}
