/** Shows the three onboarding questions to a new user, above their empty library. They are optional. */
import { Suspense } from 'react'
import { lazyPart } from '../../parts.ts'
import { useCurrentUser } from './current-user.ts'

const Onboarding = lazyPart(async () => (await import('./onboarding.tsx')).Onboarding)

/** Reserves the height of the questions while their script loads, so that the library below does not move. */
const welcomeHeight = 'min-h-[14.5rem] sm:min-h-[11.25rem]'

export function Welcome() {
  const { data: user } = useCurrentUser()
  if (!user || user.onboardingCompleted) return null
  return (
    <Suspense fallback={<div className={`mb-6 rounded-mount bg-mount ${welcomeHeight}`} />}>
      <Onboarding user={user} height={welcomeHeight} />
    </Suspense>
  )
}
