/** Chooses the frame of a page by who looks at it, and shows the way in where one must be known. */
import { type ReactNode, Suspense } from 'react'
import { Redirect, useLocation, useSearch } from 'wouter'
import { useCurrentUser } from '../features/accounts/current-user.ts'
import { CannotShow } from '../ui/failure.tsx'
import { AppFrame } from './app-frame.tsx'
import { PageBoundary, ShowBoundary } from './page-boundary.tsx'
import { VisitorFrame } from './visitor-frame.tsx'

/** A page before signing in. */
export function ForVisitors({ children }: { children: ReactNode }) {
  return (
    <VisitorFrame>
      <Page>{children}</Page>
    </VisitorFrame>
  )
}

/** A page that anyone may see, in the frame of whoever sees it. */
export function ForAnyone({ children }: { children: ReactNode }) {
  const { data: user } = useCurrentUser()
  const Frame = user ? AppFrame : VisitorFrame
  return (
    <Frame>
      <Page>{children}</Page>
    </Frame>
  )
}

/** A page of whoever is signed in; others sign in first and then come back to it. */
export function ForMembers({ children }: { children: ReactNode }) {
  const { data: user, error, refetch } = useCurrentUser()
  const [path] = useLocation()
  const search = useSearch()
  const here = search === '' ? path : `${path}?${search}`
  if (user === null) return <Redirect to={`/login?redirect=${encodeURIComponent(here)}`} replace />
  return (
    <AppFrame>
      {error ? (
        <CannotShow error={error} onRetry={() => void refetch()} />
      ) : (
        <Page>{user && children}</Page>
      )}
    </AppFrame>
  )
}

/** A show has the whole screen, for whoever may see it. */
export function WholeScreen({ children }: { children: ReactNode }) {
  return (
    <ShowBoundary>
      <Suspense>{children}</Suspense>
    </ShowBoundary>
  )
}

/** Nothing is shown while the page's own script comes; the frame around it stands. */
function Page({ children }: { children: ReactNode }) {
  return (
    <PageBoundary>
      <Suspense>{children}</Suspense>
    </PageBoundary>
  )
}
