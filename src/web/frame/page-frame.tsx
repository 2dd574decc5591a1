/**
 * The frame around every page except a show. It stays mounted between pages: navigation, menus and uploads
 * keep their state, and only the content changes.
 */
import { type ReactNode, Suspense, use } from 'react'
import { Redirect, useLocation } from 'wouter'
import { useCurrentUser } from '../features/accounts/current-user.ts'
import { NotFoundPage } from '../not-found-page.tsx'
import { memberFrame } from '../routes.ts'
import { useSignInAddress } from '../sign-in-address.ts'
import { CannotShow } from '../ui/failure.tsx'
import { type FrameKind, needsSignIn } from './frame-kinds.ts'
import { PageBoundary } from './page-boundary.tsx'
import { PageLoading } from './page-loading.tsx'
import { VisitorFrame } from './visitor-frame.tsx'

export function PageFrame({ kind, children }: { kind: FrameKind; children: ReactNode }) {
  const { data: user } = useCurrentUser()
  const isMember =
    needsSignIn(kind) || (kind === 'anyone' && !!user) || (kind === 'guest' && user !== null)
  const [path] = useLocation()
  const page = (
    <PageBoundary>
      {/* The key gives each address fresh state, even if both have the same script. */}
      <Suspense key={path} fallback={<PageLoading />}>
        {needsSignIn(kind) || kind === 'guest' ? (
          <ForKnownUser kind={kind}>{children}</ForKnownUser>
        ) : (
          children
        )}
      </Suspense>
    </PageBoundary>
  )
  if (!isMember) return <VisitorFrame>{page}</VisitorFrame>
  return (
    <Suspense fallback={<VisitorFrame>{null}</VisitorFrame>}>
      <memberFrame.Component>{page}</memberFrame.Component>
    </Suspense>
  )
}

/**
 * Waits until the user is known. Redirects signed-out users to the sign-in page, which redirects back, unless
 * the page is for guests too.
 */
function ForKnownUser({ kind, children }: { kind: FrameKind; children: ReactNode }) {
  const { data: user, error, refetch } = useCurrentUser()
  const signInAddress = useSignInAddress()
  if (user === null) return kind === 'guest' ? children : <Redirect to={signInAddress} replace />
  // A known user stays, even if loading them again has failed.
  if (user === undefined)
    return error ? <CannotShow error={error} onRetry={() => void refetch()} /> : <Unknown />
  if (kind === 'admin' && user.role === 'user') return <NotFoundPage />
  return children
}

const never = new Promise<never>(() => {})

/** Suspends until the user is known, so that waiting for the user and for the script look the same. */
function Unknown(): ReactNode {
  return use(never)
}
