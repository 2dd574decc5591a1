/**
 * The pages of the web client: where each is, who sees it in which frame, and its script, which is
 * loaded when the page is first needed, so that nobody waits for pages that they do not look at.
 */
import { parse } from 'regexparam'
import { type ComponentType, lazy, type ReactNode } from 'react'
import { WholeScreen } from './frame/whole-screen.tsx'

type Frame = ComponentType<{ children: ReactNode }>

/** Around a show stands nothing, so it does not wait for what stands around other pages. */
const frames = {
  show: { Frame: WholeScreen, load: async () => {} },
  visitors: frame(async () => (await import('./frame/framed.tsx')).ForVisitors),
  members: frame(async () => (await import('./frame/framed.tsx')).ForMembers),
  anyone: frame(async () => (await import('./frame/framed.tsx')).ForAnyone),
}

/** The first that fits an address is the one. */
export const pages = [
  page(
    '/play/:id',
    'show',
    async () => (await import('./features/player/play-page.tsx')).PlaySessionPage,
  ),
  page(
    '/shared/:code/play',
    'show',
    async () => (await import('./features/player/play-page.tsx')).PlaySharedPage,
  ),
  page(
    '/community/:id/play',
    'show',
    async () => (await import('./features/player/play-page.tsx')).PlayCommunityPage,
  ),
  page('/demo', 'show', async () => (await import('./features/landing/demo-page.tsx')).DemoPage),
  page(
    '/',
    'visitors',
    async () => (await import('./features/landing/landing-page.tsx')).LandingPage,
  ),
  page(
    '/login',
    'visitors',
    async () => (await import('./features/accounts/sign-in-page.tsx')).SignInPage,
  ),
  page(
    '/register',
    'visitors',
    async () => (await import('./features/accounts/register-page.tsx')).RegisterPage,
  ),
  page(
    '/library',
    'members',
    async () => (await import('./features/library/library-page.tsx')).LibraryPage,
  ),
  page(
    '/sessions/new',
    'members',
    async () => (await import('./features/sessions/new-session-page.tsx')).NewSessionPage,
  ),
  page(
    '/sessions/new/manual',
    'members',
    async () => (await import('./features/editor/manual-session-page.tsx')).ManualSessionPage,
  ),
  page(
    '/sessions/:id/edit',
    'members',
    async () => (await import('./features/editor/editor-page.tsx')).EditorPage,
  ),
  page(
    '/sessions/:id',
    'members',
    async () => (await import('./features/sessions/session-page.tsx')).SessionPage,
  ),
  page(
    '/vault',
    'members',
    async () => (await import('./features/vault/vault-page.tsx')).VaultPage,
  ),
  page(
    '/vault/:id',
    'members',
    async () => (await import('./features/vault/file-page.tsx')).FilePage,
  ),
  page(
    '/import',
    'members',
    async () => (await import('./features/imports/import-page.tsx')).ImportPage,
  ),
  page(
    '/account',
    'members',
    async () => (await import('./features/accounts/account-page.tsx')).AccountPage,
  ),
  page(
    '/community',
    'members',
    async () => (await import('./features/community/community-page.tsx')).CommunityPage,
  ),
  page(
    '/community/:id',
    'members',
    async () =>
      (await import('./features/community/community-session-page.tsx')).CommunitySessionPage,
  ),
  page(
    '/shared/media/:code',
    'anyone',
    async () => (await import('./features/sharing/shared-media-page.tsx')).SharedMediaPage,
  ),
  page(
    '/shared/:code',
    'anyone',
    async () => (await import('./features/sharing/shared-page.tsx')).SharedPage,
  ),
  page(
    '/report',
    'anyone',
    async () => (await import('./features/moderation/form/report-page.tsx')).ReportPage,
  ),
  page('*', 'anyone', async () => (await import('./not-found-page.tsx')).NotFoundPage),
]

/** Asks for all that the page at this address needs, and waits for its frame. */
export async function preparePage(address: string): Promise<void> {
  const page = pages.find(({ path }) => parse(path).pattern.test(address))
  void page?.load().catch(() => {
    // It is asked for again when it is drawn, and its boundary says what went wrong.
  })
  await page?.loadFrame()
}

function frame(load: () => Promise<Frame>) {
  return { Frame: lazy(async () => ({ default: await load() })), load }
}

function page(path: string, frameName: keyof typeof frames, load: () => Promise<ComponentType>) {
  const { Frame, load: loadFrame } = frames[frameName]
  return { path, Frame, Content: lazy(async () => ({ default: await load() })), load, loadFrame }
}
