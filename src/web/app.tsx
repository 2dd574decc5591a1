/** The application: the page of the address, and what is said at the edge of every page. */
import { Suspense } from 'react'
import { Route, Switch } from 'wouter'
import { useSignInSync } from './features/accounts/current-user.ts'
import { ShowBoundary } from './frame/page-boundary.tsx'
import { DarkRoom } from './frame/page-loading.tsx'
import { pages } from './pages.ts'
import { ToastRegion } from './ui/toasts.tsx'

export function App() {
  useSignInSync()
  return (
    <>
      <ShowBoundary>
        <Suspense fallback={<DarkRoom />}>
          <Switch>
            {pages.map(({ path, Frame, Content }) => (
              <Route key={path} path={path}>
                <Frame>
                  <Content />
                </Frame>
              </Route>
            ))}
          </Switch>
        </Suspense>
      </ShowBoundary>
      <ToastRegion />
    </>
  )
}
