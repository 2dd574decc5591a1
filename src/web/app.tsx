/**
 * The pages of the web client. Each is loaded when it is first needed, so that nobody waits for
 * pages that they do not look at.
 */
import { type ComponentType, lazy } from 'react'
import { Route, Switch } from 'wouter'
import { useSignInSync } from './features/accounts/current-user.ts'
import { ForAnyone, ForMembers, ForVisitors, WholeScreen } from './frame/framed.tsx'
import { NotFoundPage } from './not-found-page.tsx'
import { ToastRegion } from './ui/toasts.tsx'

const PlaySessionPage = page(() => import('./features/player/play-page.tsx'), 'PlaySessionPage')
const PlaySharedPage = page(() => import('./features/player/play-page.tsx'), 'PlaySharedPage')
const PlayCommunityPage = page(() => import('./features/player/play-page.tsx'), 'PlayCommunityPage')
const LandingPage = page(() => import('./features/landing/landing-page.tsx'), 'LandingPage')
const DemoPage = page(() => import('./features/landing/demo-page.tsx'), 'DemoPage')
const ReportPage = page(() => import('./features/moderation/report-page.tsx'), 'ReportPage')
const SignInPage = page(() => import('./features/accounts/sign-in-page.tsx'), 'SignInPage')
const RegisterPage = page(() => import('./features/accounts/register-page.tsx'), 'RegisterPage')
const LibraryPage = page(() => import('./features/library/library-page.tsx'), 'LibraryPage')
const NewSessionPage = page(
  () => import('./features/sessions/new-session-page.tsx'),
  'NewSessionPage',
)
const SessionPage = page(() => import('./features/sessions/session-page.tsx'), 'SessionPage')
const EditorPage = page(() => import('./features/editor/editor-page.tsx'), 'EditorPage')
const ManualSessionPage = page(
  () => import('./features/editor/manual-session-page.tsx'),
  'ManualSessionPage',
)
const ImportPage = page(() => import('./features/imports/import-page.tsx'), 'ImportPage')
const AccountPage = page(() => import('./features/accounts/account-page.tsx'), 'AccountPage')
const SharedPage = page(() => import('./features/sharing/shared-page.tsx'), 'SharedPage')
const SharedMediaPage = page(
  () => import('./features/sharing/shared-media-page.tsx'),
  'SharedMediaPage',
)
const CommunityPage = page(() => import('./features/community/community-page.tsx'), 'CommunityPage')
const CommunitySessionPage = page(
  () => import('./features/community/community-session-page.tsx'),
  'CommunitySessionPage',
)

export function App() {
  useSignInSync()
  return (
    <>
      <Switch>
        <Route path="/play/:id">
          <WholeScreen>
            <PlaySessionPage />
          </WholeScreen>
        </Route>
        <Route path="/shared/:code/play">
          <WholeScreen>
            <PlaySharedPage />
          </WholeScreen>
        </Route>
        <Route path="/community/:id/play">
          <WholeScreen>
            <PlayCommunityPage />
          </WholeScreen>
        </Route>
        <Route path="/demo">
          <WholeScreen>
            <DemoPage />
          </WholeScreen>
        </Route>
        <Route path="/report">
          <ForAnyone>
            <ReportPage />
          </ForAnyone>
        </Route>
        <Route path="/">
          <ForVisitors>
            <LandingPage />
          </ForVisitors>
        </Route>
        <Route path="/login">
          <ForVisitors>
            <SignInPage />
          </ForVisitors>
        </Route>
        <Route path="/register">
          <ForVisitors>
            <RegisterPage />
          </ForVisitors>
        </Route>
        <Route path="/library">
          <ForMembers>
            <LibraryPage />
          </ForMembers>
        </Route>
        <Route path="/sessions/new">
          <ForMembers>
            <NewSessionPage />
          </ForMembers>
        </Route>
        <Route path="/sessions/new/manual">
          <ForMembers>
            <ManualSessionPage />
          </ForMembers>
        </Route>
        <Route path="/sessions/:id/edit">
          <ForMembers>
            <EditorPage />
          </ForMembers>
        </Route>
        <Route path="/sessions/:id">
          <ForMembers>
            <SessionPage />
          </ForMembers>
        </Route>
        <Route path="/import">
          <ForMembers>
            <ImportPage />
          </ForMembers>
        </Route>
        <Route path="/account">
          <ForMembers>
            <AccountPage />
          </ForMembers>
        </Route>
        <Route path="/community">
          <ForMembers>
            <CommunityPage />
          </ForMembers>
        </Route>
        <Route path="/community/:id">
          <ForMembers>
            <CommunitySessionPage />
          </ForMembers>
        </Route>
        <Route path="/shared/media/:code">
          <ForAnyone>
            <SharedMediaPage />
          </ForAnyone>
        </Route>
        <Route path="/shared/:code">
          <ForAnyone>
            <SharedPage />
          </ForAnyone>
        </Route>
        <Route>
          <ForAnyone>
            <NotFoundPage />
          </ForAnyone>
        </Route>
      </Switch>
      <ToastRegion />
    </>
  )
}

/** The page is a named export of its file; what loads a page lazily wants a default one. */
function page<Name extends string>(
  load: () => Promise<Record<Name, ComponentType>>,
  name: Name,
): ComponentType {
  return lazy<ComponentType>(async () => ({ default: (await load())[name] }))
}
