/** Three small questions for someone new, above their empty library. They can be left out. */
import { lazy, Suspense } from 'react'
import { useCurrentUser } from './current-user.ts'

const Onboarding = lazy(async () => {
  const { Onboarding } = await import('./onboarding.tsx')
  return { default: Onboarding }
})

/** Kept free for the questions while their script comes, so that the library below does not move. */
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
