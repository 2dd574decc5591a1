/**
 * The routes of the web client: the address of each page, its frame, its script, and its first queries.
 * Script and queries are requested together when the mouse presses a link or the address changes. Pointing at
 * a link requests only the script.
 */
import type { QueryClient } from '@tanstack/react-query'
import { parse } from 'regexparam'
import type { ComponentType } from 'react'
import { isMarkedVisitor } from './api.ts'
import { askForCurrentUser, isKnownVisitor } from './features/accounts/current-user.ts'
import {
  communityFilterOf,
  communityQuery,
  communitySessionQuery,
} from './features/community/community-list.ts'
import { libraryFilterOf, libraryQuery } from './features/library/library-query.ts'
import { sessionQuery } from './features/sessions/session-query.ts'
import { fileQuery } from './features/vault/file-data.ts'
import { vaultFilterOf, vaultQuery } from './features/vault/vault-cache.ts'
import { type FrameKind, isOpenToVisitors, needsSignIn } from './frame/frame-kinds.ts'
import { type Loadable, loadable } from './parts.ts'

/** Separate scripts: a show does not load the frame of other pages, and a visitor not that of members. */
export const pageFrame = loadable(async () => (await import('./frame/page-frame.tsx')).PageFrame)
export const memberFrame = loadable(async () => (await import('./frame/app-frame.tsx')).AppFrame)

export type Route = {
  readonly path: string
  readonly pattern: RegExp
  readonly frame: FrameKind
  readonly page: Loadable
  readonly prefetch: Prefetch
}

/** Requests the first data of a page. `values` are the parameters of its path, in order. */
type Prefetch = (
  queryClient: QueryClient,
  values: readonly string[],
  search: URLSearchParams,
) => Promise<unknown>

/** The first route that matches an address wins. */
const routes: readonly Route[] = [
  route(
    '/play/:id',
    'show',
    async () => (await import('./features/player/play-page.tsx')).PlaySessionPage,
    async (queryClient, [id = '']) =>
      (await import('./features/player/play-page.tsx')).askForSession(queryClient, id),
  ),
  route(
    '/shared/:code/play',
    'show',
    async () => (await import('./features/player/play-page.tsx')).PlaySharedPage,
  ),
  route(
    '/community/:id/play',
    'show',
    async () => (await import('./features/player/play-page.tsx')).PlayCommunityPage,
  ),
  route(
    '/frame/:token',
    'show',
    async () => (await import('./features/frames/frame-page.tsx')).FramePage,
  ),
  route('/kept', 'show', async () => (await import('./features/kept/kept-page.tsx')).KeptPage),
  route('/demo', 'show', async () => (await import('./features/landing/demo-page.tsx')).DemoPage),
  route(
    '/',
    'visitor',
    async () => (await import('./features/landing/landing-page.tsx')).LandingPage,
  ),
  route(
    '/login',
    'visitor',
    async () => (await import('./features/accounts/sign-in-page.tsx')).SignInPage,
  ),
  route(
    '/register',
    'visitor',
    async () => (await import('./features/accounts/register-page.tsx')).RegisterPage,
  ),
  route(
    '/forgot-password',
    'visitor',
    async () => (await import('./features/security/token-pages.tsx')).ForgotPasswordPage,
  ),
  route(
    '/reset-password',
    'anyone',
    async () => (await import('./features/security/token-pages.tsx')).ResetPasswordPage,
  ),
  route(
    '/confirm-email',
    'anyone',
    async () => (await import('./features/security/token-pages.tsx')).ConfirmEmailPage,
  ),
  route(
    '/library',
    'member',
    async () => (await import('./features/library/library-page.tsx')).LibraryPage,
    (queryClient, _, search) =>
      queryClient.prefetchInfiniteQuery(libraryQuery(libraryFilterOf(search))),
  ),
  route(
    '/sessions/new',
    'member',
    async () => (await import('./features/sessions/new-session-page.tsx')).NewSessionPage,
  ),
  route(
    '/sessions/new/feeds',
    'member',
    async () => (await import('./features/sessions/feed-session-page.tsx')).FeedSessionPage,
  ),
  route(
    '/sessions/new/manual',
    'member',
    async () => (await import('./features/editor/manual-session-page.tsx')).ManualSessionPage,
  ),
  route(
    '/sessions/:id/edit',
    'member',
    async () => (await import('./features/editor/editor-page.tsx')).EditorPage,
  ),
  route(
    '/sessions/:id',
    'member',
    async () => (await import('./features/sessions/session-page.tsx')).SessionPage,
    (queryClient, [id = '']) => queryClient.prefetchQuery(sessionQuery(id)),
  ),
  route(
    '/vault',
    'member',
    async () => (await import('./features/vault/vault-page.tsx')).VaultPage,
    (queryClient, _, search) =>
      queryClient.prefetchInfiniteQuery(vaultQuery(vaultFilterOf(search))),
  ),
  route(
    '/vault/:id',
    'member',
    async () => (await import('./features/vault/file-page.tsx')).FilePage,
    (queryClient, [id = '']) => queryClient.prefetchQuery(fileQuery(id)),
  ),
  route(
    '/trash',
    'member',
    async () => (await import('./features/trash/trash-page.tsx')).TrashPage,
  ),
  route(
    '/import',
    'member',
    async () => (await import('./features/imports/import-page.tsx')).ImportPage,
  ),
  route(
    '/account',
    'member',
    async () => (await import('./features/accounts/account-page.tsx')).AccountPage,
  ),
  route(
    '/account/notices',
    'member',
    async () => (await import('./features/accounts/notices-page.tsx')).NoticesPage,
  ),
  route(
    '/account/downloads',
    'member',
    async () => (await import('./features/accounts/downloads-page.tsx')).DownloadsPage,
  ),
  route(
    '/account/security',
    'member',
    async () => (await import('./features/security/security-page.tsx')).SecurityPage,
  ),
  route(
    '/credits',
    'member',
    async () => (await import('./features/credits/credits-page.tsx')).CreditsPage,
  ),
  route(
    '/credits/buy',
    'member',
    async () => (await import('./features/credits/buy-page.tsx')).BuyPage,
  ),
  route(
    '/credits/payments/:id',
    'member',
    async () => (await import('./features/credits/payment-page.tsx')).PaymentPage,
  ),
  route(
    '/community/published',
    'member',
    async () => (await import('./features/community/published-page.tsx')).PublishedPage,
  ),
  route(
    '/community',
    'guest',
    async () => (await import('./features/community/community-page.tsx')).CommunityPage,
    (queryClient, _, search) =>
      queryClient.prefetchInfiniteQuery(communityQuery(communityFilterOf(search))),
  ),
  route(
    '/community/:id',
    'guest',
    async () =>
      (await import('./features/community/community-session-page.tsx')).CommunitySessionPage,
    (queryClient, [id = '']) => queryClient.prefetchQuery(communitySessionQuery(id)),
  ),
  route(
    '/studio/*?',
    'member',
    async () => (await import('./features/studio/studio-pages.tsx')).StudioPages,
  ),
  route('/rooms/:code/host', 'member', loadRooms),
  route('/rooms/:code', 'show', loadRooms),
  route('/remote/:code', 'show', loadRooms),
  route('/tv/:code?', 'show', loadRooms),
  route(
    '/shared/media/:code',
    'anyone',
    async () => (await import('./features/sharing/shared-media-page.tsx')).SharedMediaPage,
  ),
  route(
    '/shared/:code',
    'anyone',
    async () => (await import('./features/sharing/shared-page.tsx')).SharedPage,
  ),
  route(
    '/report',
    'anyone',
    async () => (await import('./features/moderation/form/report-page.tsx')).ReportPage,
  ),
  route(
    '/admin/*?',
    'admin',
    async () => (await import('./features/admin/admin-page.tsx')).AdminPage,
  ),
  route('*', 'anyone', async () => (await import('./not-found-page.tsx')).NotFoundPage),
]

export function routeOf(path: string): Route {
  const found = routes.find(({ pattern }) => pattern.test(path))
  if (!found) throw new Error('the last route matches every address')
  return found
}

/** Requests the scripts of the frame around a page. */
export async function loadFrame(path: string): Promise<void> {
  const { frame } = routeOf(path)
  if (frame === 'show') return
  const isForMembers = needsSignIn(frame) || (frame === 'guest' && !isMarkedVisitor())
  await Promise.all([pageFrame.load(), isForMembers ? memberFrame.load() : null])
}

/** Requests the script of a page, except for pages of administrators. */
export async function loadPageAt(path: string): Promise<void> {
  const { frame, page } = routeOf(path)
  if (frame !== 'admin') await page.load()
}

/** Requests everything that a page needs: script, queries, and the signed-in user. */
export async function preparePage(
  queryClient: QueryClient,
  { pathname, search }: { readonly pathname: string; readonly search: string },
): Promise<void> {
  const { pattern, frame, prefetch } = routeOf(pathname)
  const [, ...values] = pattern.exec(pathname) ?? []
  const isClosed = isKnownVisitor(queryClient) && !isOpenToVisitors(frame)
  await Promise.all([
    loadPageAt(pathname),
    // The page itself reports a failed query.
    isClosed ? null : prefetch(queryClient, values, new URLSearchParams(search)).catch(() => {}),
    // A show checks access itself.
    frame === 'show' ? null : askForCurrentUser(queryClient),
  ])
}

async function loadRooms(): Promise<ComponentType> {
  return (await import('./features/rooms/room-pages.tsx')).RoomPages
}

function route(
  path: string,
  frame: FrameKind,
  load: () => Promise<ComponentType>,
  prefetch: Prefetch = async () => {},
): Route {
  return { path, pattern: parse(path).pattern, frame, page: loadable(load), prefetch }
}
