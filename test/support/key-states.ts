/** The states of the client with a reference picture: how a test reaches each, and when it is stable. */
import type { BrowserContextOptions, Page } from 'playwright-core'
import { desktop, phone } from './accessibility.ts'
import { untilShown } from './player-world.ts'
import { type ShowcaseWorld, untilSettled } from './showcase-world.ts'

type KeyState = {
  readonly who: 'visitor' | 'owner' | 'newcomer'
  readonly look: BrowserContextOptions
  readonly path: (world: ShowcaseWorld) => string
  /** Brings the page into the state and waits for its content. */
  readonly reach: (page: Page) => Promise<unknown>
}

const light = { colorScheme: 'light' } as const
const dark = { colorScheme: 'dark' } as const
const onDesk = { viewport: desktop }
const onPhone = { viewport: phone, hasTouch: true, isMobile: true }

const sessionPath = (world: ShowcaseWorld) => `/sessions/${world.idOf('Slow light')}`
const playPath = (world: ShowcaseWorld) => `/play/${world.idOf('Slow light')}`

export const keyStates: Readonly<Record<string, KeyState>> = {
  'landing-phone': {
    who: 'visitor',
    look: { ...onPhone, ...dark },
    path: () => '/',
    reach: (page) => page.getByRole('link', { name: 'Create account' }).waitFor(),
  },
  'landing-desktop': {
    who: 'visitor',
    look: { ...onDesk, ...light },
    path: () => '/',
    reach: (page) => page.getByRole('link', { name: 'Create account' }).waitFor(),
  },
  'sign-in': {
    who: 'visitor',
    look: { ...onPhone, ...light },
    path: () => '/login',
    reach: (page) => page.getByLabel('Email').waitFor(),
  },
  'library-light': {
    who: 'owner',
    look: { ...onDesk, ...light },
    path: () => '/library',
    reach: (page) => page.getByRole('article').nth(5).waitFor(),
  },
  'library-dark': {
    who: 'owner',
    look: { ...onDesk, ...dark },
    path: () => '/library',
    reach: (page) => page.getByRole('article').nth(5).waitFor(),
  },
  'library-phone': {
    who: 'owner',
    look: { ...onPhone, ...light },
    path: () => '/library',
    reach: (page) => page.getByRole('article').nth(5).waitFor(),
  },
  'library-empty': {
    who: 'newcomer',
    look: { ...onDesk, ...dark },
    path: () => '/library',
    reach: (page) => page.getByRole('heading', { name: 'For you' }).waitFor(),
  },
  session: {
    who: 'owner',
    look: { ...onDesk, ...dark },
    path: sessionPath,
    reach: (page) => page.getByRole('listitem').nth(5).waitFor(),
  },
  'new-session': {
    who: 'owner',
    look: { ...onDesk, ...light },
    path: () => '/sessions/new/feeds',
    reach: (page) => page.getByText('25 credits', { exact: true }).waitFor(),
  },
  editor: {
    who: 'owner',
    look: { ...onDesk, ...dark },
    path: (world) => `${sessionPath(world)}/edit`,
    reach: (page) => page.getByRole('button', { name: /^Slide 6 of/ }).waitFor(),
  },
  'share-dialog': {
    who: 'owner',
    look: { ...onDesk, ...light },
    path: (world) => `${sessionPath(world)}?share`,
    reach: (page) => page.getByRole('button', { name: 'Make the link' }).waitFor(),
  },
  'player-playing': {
    who: 'owner',
    look: { ...onDesk, ...dark },
    path: playPath,
    async reach(page) {
      await page.locator('.burnt-words').waitFor()
      await page.locator('.player-room[data-controls=hidden]').waitFor({ state: 'attached' })
    },
  },
  'player-paused': {
    who: 'owner',
    look: { ...onPhone, ...dark },
    path: playPath,
    async reach(page) {
      await page.locator('.burnt-words').waitFor()
      await page.keyboard.press(' ')
      await page.getByRole('button', { name: 'Play', exact: true }).waitFor()
    },
  },
  'player-end': {
    who: 'owner',
    look: { ...onDesk, ...dark },
    path: playPath,
    async reach(page) {
      await page.locator('.burnt-words').waitFor()
      await page.keyboard.press('End')
      await untilShown(page, '/scene-5.jpg')
      await page.keyboard.press('ArrowRight')
      await page.getByText('That was the last slide.').waitFor()
    },
  },
}

/** Opens the state in a new page and waits until it is stable. */
export async function reachState(
  world: ShowcaseWorld,
  name: string,
  change: BrowserContextOptions = {},
): Promise<Page> {
  const state = keyStates[name]
  if (!state) throw new Error(`there is no state ${name}`)
  const person = state.who === 'visitor' ? null : world[state.who]
  const page = await world.look(person, { ...state.look, ...change })
  await page.goto(state.path(world))
  await state.reach(page)
  // The bell loads after the page. The player has none.
  const isInFrame = person !== null && !state.path(world).startsWith('/play/')
  if (isInFrame) await page.locator('a[href="/account/notices"]').waitFor()
  await untilSettled(page)
  return page
}
