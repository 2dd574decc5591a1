/** The application: the page of the address in its frame, and the toasts over every page. */
import { Suspense } from 'react'
import { Route, useLocation } from 'wouter'
import { useSignInSync } from './features/accounts/current-user.ts'
import { ShowBoundary } from './frame/page-boundary.tsx'
import { DarkRoom } from './frame/page-loading.tsx'
import { WholeScreen } from './frame/whole-screen.tsx'
import { pageFrame, routeOf } from './routes.ts'
import { ToastRegion } from './ui/toasts.tsx'

export function App() {
  useSignInSync()
  const [address] = useLocation()
  const { path, frame, page } = routeOf(address)
  const content = <Route key={path} path={path} component={page.Component} />
  return (
    <>
      {frame === 'show' ? (
        <WholeScreen>{content}</WholeScreen>
      ) : (
        <ShowBoundary>
          <Suspense fallback={<DarkRoom />}>
            <pageFrame.Component kind={frame}>{content}</pageFrame.Component>
          </Suspense>
        </ShowBoundary>
      )}
      <ToastRegion />
    </>
  )
}
