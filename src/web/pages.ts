/**
 * The pages of the web client: where each is, who sees it in which frame, and its script, which is
 * loaded when the page is first needed, so that nobody waits for pages that they do not look at.
 */
import type { QueryClient } from '@tanstack/react-query'
import { parse } from 'regexparam'
import { type ComponentType, createElement, lazy, type ReactNode, useState } from 'react'
import { askForCurrentUser } from './features/accounts/current-user.ts'
import { WholeScreen } from './frame/whole-screen.tsx'

type FrameProps = { children: ReactNode }

/** Around a show stands nothing, so it does not wait for what stands around other pages. */
const frames = {
  show: { Component: WholeScreen, load: async () => {} },
  visitors: loadable<FrameProps>(async () => (await import('./frame/for-anyone.tsx')).ForVisitors),
  members: loadable<FrameProps>(async () => (await import('./frame/for-members.tsx')).ForMembers),
  anyone: loadable<FrameProps>(async () => (await import('./frame/for-anyone.tsx')).ForAnyone),
  admins: loadable<FrameProps>(async () => (await import('./frame/for-members.tsx')).ForAdmins),
}

/** The first that fits an address is the one. */
export const pages = [
  page(
    '/play/:id',
    'show',
    async () => (await import('./features/player/play-page.tsx')).PlaySessionPage,
    async (queryClient, [id = '']) =>
      (await import('./features/player/play-page.tsx')).askForSession(queryClient, id),
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
  page(
    '/frame/:token',
    'show',
    async () => (await import('./features/frames/frame-page.tsx')).FramePage,
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
    '/forgot-password',
    'visitors',
    async () => (await import('./features/security/token-pages.tsx')).ForgotPasswordPage,
  ),
  page(
    '/reset-password',
    'anyone',
    async () => (await import('./features/security/token-pages.tsx')).ResetPasswordPage,
  ),
  page(
    '/confirm-email',
    'anyone',
    async () => (await import('./features/security/token-pages.tsx')).ConfirmEmailPage,
  ),
  page(
    '/library',
    'members',
    async () => (await import('./features/library/library-page.tsx')).LibraryPage,
    async (queryClient) =>
      (await import('./features/library/library-page.tsx')).askForLibrary(queryClient),
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
    '/trash',
    'members',
    async () => (await import('./features/trash/trash-page.tsx')).TrashPage,
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
    '/account/notices',
    'members',
    async () => (await import('./features/accounts/notices-page.tsx')).NoticesPage,
  ),
  page(
    '/account/security',
    'members',
    async () => (await import('./features/security/security-page.tsx')).SecurityPage,
  ),
  page(
    '/credits',
    'members',
    async () => (await import('./features/credits/credits-page.tsx')).CreditsPage,
  ),
  page(
    '/credits/buy',
    'members',
    async () => (await import('./features/credits/buy-page.tsx')).BuyPage,
  ),
  page(
    '/credits/payments/:id',
    'members',
    async () => (await import('./features/credits/payment-page.tsx')).PaymentPage,
  ),
  page(
    '/community/published',
    'members',
    async () => (await import('./features/community/published-page.tsx')).PublishedPage,
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
    '/studio/*?',
    'members',
    async () => (await import('./features/studio/studio-pages.tsx')).StudioPages,
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
  page(
    '/admin/*?',
    'admins',
    async () => (await import('./features/admin/admin-page.tsx')).AdminPage,
  ),
  page('*', 'anyone', async () => (await import('./not-found-page.tsx')).NotFoundPage),
]

/**
 * Asks for all that the page at this address needs, and waits for it, but not for long: where it is
 * there in time nothing is drawn that would have to be replaced.
 */
export async function preparePage(address: string, queryClient: QueryClient): Promise<void> {
  const page = pages.find(({ path }) => parse(path).pattern.test(address))
  if (!page) return
  const [, ...values] = parse(page.path).pattern.exec(address) ?? []
  const asked = [page.load(), page.ask(queryClient, values).catch(() => {})]
  // A show is for whoever may see it, and says itself who that is.
  if (page.Frame !== WholeScreen) asked.push(askForCurrentUser(queryClient))
  await Promise.all([page.loadFrame(), withinGrace(Promise.all(asked))])
}

/** Asks for what a page shows first; `values` are those in its address. */
type Asking = (queryClient: QueryClient, values: readonly string[]) => Promise<void>

function page(
  path: string,
  frameName: keyof typeof frames,
  load: () => Promise<ComponentType>,
  ask: Asking = async () => {},
) {
  const frame = frames[frameName]
  const content = loadable(load)
  return {
    path,
    Frame: frame.Component,
    loadFrame: frame.load,
    Content: content.Component,
    // Nobody but administrators loads what is theirs: it waits until its frame knows who looks.
    load: frameName === 'admins' ? async () => {} : content.load,
    ask,
  }
}

/** Once it is there it is drawn at once: what is loaded lazily leaves its place empty for a while. */
function loadable<Props extends object>(load: () => Promise<ComponentType<Props>>) {
  const Lazy = lazy(async () => ({ default: await load() }))
  let loaded: ComponentType<Props> | null = null
  return {
    Component: (props: Props) => {
      const [Chosen] = useState<ComponentType<Props>>(() => loaded ?? Lazy)
      return createElement(Chosen, props)
    },
    /** What does not come is asked for again when it is drawn, and its boundary says what went wrong. */
    load: async () => {
      loaded = await load().catch(() => null)
    },
  }
}

/** Longer than that, and something is shown meanwhile. */
const graceMs = 300

function withinGrace(coming: Promise<unknown>): Promise<unknown> {
  return Promise.race([coming, new Promise((resolve) => setTimeout(resolve, graceMs))])
}
