/** The application: the page of the address in its frame, and the toasts over every page. */
import { Suspense } from 'react'
import { Route, Switch, useLocation } from 'wouter'
import { useSignInSync } from './features/accounts/current-user.ts'
import { ShowBoundary } from './frame/page-boundary.tsx'
import { DarkRoom } from './frame/page-loading.tsx'
import { WholeScreen } from './frame/whole-screen.tsx'
import { pageFrame, routeOf, routes } from './routes.ts'
import { ToastRegion } from './ui/toasts.tsx'

export function App() {
  useSignInSync()
  const [path] = useLocation()
  const { frame } = routeOf(path)
  const page = (
    <Switch>
      {routes.map((route) => (
        <Route key={route.path} path={route.path} component={route.page.Component} />
      ))}
    </Switch>
  )
  return (
    <>
      {frame === 'show' ? (
        <WholeScreen>{page}</WholeScreen>
      ) : (
        <ShowBoundary>
          <Suspense fallback={<DarkRoom />}>
            <pageFrame.Component kind={frame}>{page}</pageFrame.Component>
          </Suspense>
        </ShowBoundary>
      )}
      <ToastRegion />
    </>
  )
}
