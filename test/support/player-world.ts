/**
 * A whole service with the built web client, pictures that a test chooses, and signed-in browsers, for tests
 * of the player.
 */
import { join } from 'node:path'
import type { Browser, BrowserContextOptions, Page } from 'playwright-core'
import { buildWebIfStale } from '../../scripts/build-web.ts'
import { openBrowser } from './browser.ts'
import type { PictureSite } from './caption-world.ts'
import { servePictures } from './caption-world.ts'
import type { FakeFeed } from './fake-feed.ts'
import { createFakeFeed, pictures } from './fake-feed.ts'
import type { Person, World } from './world.ts'
import { createWorld } from './world.ts'

export type PlayerWorld = World & {
  readonly site: PictureSite
  readonly feed: FakeFeed
  readonly browser: Browser
  /** Opens a page in a new browser context for the person, or for a visitor. */
  readonly visit: (person: Person | null, options?: BrowserContextOptions) => Promise<Visit>
  /** Creates a session of pictures from the site; the first has number 0. */
  readonly makeManual: (
    person: Person,
    slides: readonly SlideWish[],
    settings?: Record<string, unknown>,
  ) => Promise<number>
  /** Creates a session that was filled from a feed of `count` pictures. */
  readonly makeFilled: (
    person: Person,
    count: number,
    settings?: Record<string, unknown>,
  ) => Promise<number>
}

export type SlideWish = { path: string; caption?: string; durationMs?: number }

/** The browser's errors and warnings are in `errors`. */
export type Visit = { readonly page: Page; readonly errors: string[] }

/** Long enough that only a test changes the slide. */
export const stays = 3_600_000

export async function createPlayerWorld(settings: Record<string, string> = {}) {
  await buildWebIfStale({ print: () => {} })
  const site = await servePictures()
  const feed = createFakeFeed()
  const browser = await openBrowser()
  const webFolder = join(import.meta.dirname, '../../dist/web')
  const world = await createWorld({ FETCH_ALLOW: site.host, ...settings }, { webFolder, feed })
  const made: PlayerWorld = {
    ...world,
    site,
    feed,
    browser,
    visit: (person, options) => openVisit(browser, world.url, person, options),
    async makeManual(person, slides, change = {}) {
      const body = {
        title: 'Evening',
        slides: slides.map(({ path, ...slide }) => ({ mediaUrl: site.url(path), ...slide })),
        ...change,
      }
      return (await person.sessions.createManual({ body })).session.id
    },
    async makeFilled(person, count, change = {}) {
      const media = pictures('city', count).map((one, number) => ({
        ...one,
        mediaUrl: site.url(`/${number}.jpg`),
        thumbnail: site.url(`/${number}.jpg`),
      }))
      feed.put('city', media)
      await grant(world, person, 25)
      const body = { title: 'Evening', subfeeds: 'city', ...change }
      const { id } = await person.sessions.create({ body })
      await world.runJobs()
      return id
    },
    async close() {
      await browser.close()
      await world.close()
      await site.close()
    },
  }
  return made
}

async function grant(world: World, person: Person, amount: number): Promise<void> {
  const { id } = await person.accounts.currentUser()
  const admin = world.visitor()
  await admin.accounts.devSignIn()
  await admin.credits.grant({ params: { id }, body: { amount, reason: 'For tests' } })
}

/** Returns `count` slides with different pictures. */
export function numbered(count: number, slide: Omit<SlideWish, 'path'> = {}): SlideWish[] {
  return Array.from({ length: count }, (_, number) => ({ path: `/${number}.jpg`, ...slide }))
}

/** Waits until the picture on the screen is `expected`. */
export async function untilShown(page: Page, expected: string): Promise<void> {
  const shown = page.locator('.player-frame.is-shown').last().locator('img, video')
  await shown.and(page.locator(`[src$="${expected}"]`)).waitFor({ state: 'attached' })
}

export async function shownPath(page: Page): Promise<string> {
  const shown = page.locator('.player-frame.is-shown').last().locator('img, video')
  return new URL((await shown.getAttribute('src')) ?? '').pathname
}

/**
 * Stops the timers of a page whose clock is installed, and jumps 10 s ahead to do so. A gesture that is
 * made meanwhile takes no time, so a slow machine does not turn a tap or a swipe into a hold.
 */
export async function stopTimers(page: Page): Promise<void> {
  await page.clock.pauseAt((await page.evaluate(() => Date.now())) + 10_000)
}

/** Makes a gesture while the timers of the page stand still. */
export async function withoutDelay(page: Page, gesture: () => Promise<unknown>): Promise<void> {
  await stopTimers(page)
  await gesture()
  await page.clock.resume()
}

/**
 * Records the pictures on the screen of pages that are opened later. Returns a function that returns their
 * paths.
 */
export async function recordShown(page: Page): Promise<() => Promise<string[]>> {
  await page.addInitScript(() => {
    const shown: string[] = []
    Object.assign(window, { shown })
    new MutationObserver((changes) => {
      for (const { target } of changes) {
        if (!(target instanceof HTMLElement) || !target.matches('.player-frame.is-shown')) continue
        const source = target.firstElementChild?.getAttribute('src') ?? ''
        if (source !== '' && shown.at(-1) !== source) shown.push(source)
      }
    }).observe(document, { subtree: true, attributes: true, attributeFilter: ['class'] })
  })
  return async () => {
    const sources = await page.evaluate<string[]>('window.shown')
    return sources.map((source) => new URL(source, page.url()).pathname)
  }
}

async function openVisit(
  browser: Browser,
  url: string,
  person: Person | null,
  options: BrowserContextOptions = {},
): Promise<Visit> {
  const context = await browser.newContext({
    viewport: { width: 1440, height: 900 },
    baseURL: url,
    ...options,
  })
  if (person) await context.addCookies(cookiesOf(person, url))
  const page = await context.newPage()
  const errors: string[] = []
  page.on('pageerror', (error) => errors.push(error.message))
  page.on('console', (message) => {
    if (message.type() === 'error') errors.push(message.text())
  })
  return { page, errors }
}

/** Returns the cookies that sign a browser in as that person. */
export function cookiesOf(person: Person, url: string) {
  return person.jar
    .header()
    .split('; ')
    .map((cookie) => {
      const [name = '', ...value] = cookie.split('=')
      return { name, value: value.join('='), url }
    })
}
