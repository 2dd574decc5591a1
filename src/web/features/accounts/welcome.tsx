/** Three small questions for someone new, above their empty library. They can be left out. */
import { lazy, Suspense } from 'react'
import { useCurrentUser } from './current-user.ts'

const Onboarding = lazy(async () => {
  const { Onboarding } = await import('./onboarding.tsx')
  return { default: Onboarding }
})

export function Welcome() {
  const { data: user } = useCurrentUser()
  if (!user || user.onboardingCompleted) return null
  return (
    <Suspense>
      <Onboarding user={user} />
    </Suspense>
  )
}
