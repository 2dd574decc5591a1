/** The frame of pages for whoever is signed in, or administers the site; others are shown the way in. */
import { lazy, type ReactNode, use } from 'react'
import { Redirect } from 'wouter'
import { useCurrentUser } from '../features/accounts/current-user.ts'
import { useSignInAddress } from '../sign-in-address.ts'
import { CannotShow } from '../ui/failure.tsx'
import { AppFrame } from './app-frame.tsx'
import { PageInFrame } from './page-in-frame.tsx'

/** A page of whoever is signed in; others sign in first and then come back to it. */
export function ForMembers({ children }: { children: ReactNode }) {
  const { data: user, error, refetch } = useCurrentUser()
  const signInAddress = useSignInAddress()
  if (user === null) return <Redirect to={signInAddress} replace />
  // A known user goes on, also where asking for them again has failed.
  if (user === undefined && error)
    return (
      <AppFrame>
        <CannotShow error={error} onRetry={() => void refetch()} />
      </AppFrame>
    )
  return (
    <AppFrame>
      <PageInFrame>{user ? children : <Unknown />}</PageInFrame>
    </AppFrame>
  )
}

const NotFoundPage = lazy(async () => {
  const { NotFoundPage } = await import('../not-found-page.tsx')
  return { default: NotFoundPage }
})

/** A page of administrators; for others there is nothing at its address, and its script stays away. */
export function ForAdmins({ children }: { children: ReactNode }) {
  const { data: user } = useCurrentUser()
  const isAdmin = user?.role === 'admin' || user?.role === 'super_admin'
  return <ForMembers>{isAdmin ? children : <NotFoundPage />}</ForMembers>
}

const notYet = new Promise<never>(() => {})

/** In place of a page until it is known who looks: one wait with that for the page's own script. */
function Unknown(): ReactNode {
  return use(notYet)
}
