/** Two browsers and a phone in one room, with delays of 0-300 ms and a clock that is 90 s wrong. */
import { setTimeout as sleep } from 'node:timers/promises'
import type { Browser, BrowserContextOptions, Page } from 'playwright-core'
import { openBrowser } from '../../test/support/browser.ts'
import { makeFilm } from '../../test/support/sample-media.ts'
import type { ClientOptions } from '../harness/goals.ts'
import type { Scale } from '../harness/scale.ts'
import type { Site } from './site.ts'
import { startSite, takePhotograph } from './site.ts'

const changes = 50
const slideMs = 1000
const pictures = 8
const filmSeconds = 20
const cutMs = 20_000
/** Slowness of a busy machine is not a failure. */
const patienceMs = 180_000
/** The time within which screens synchronise their films. */
const filmSettlesMs = 6000
const benchmark = 'rooms'

const screens: readonly BrowserContextOptions[] = [
  { viewport: { width: 1920, height: 1080 } },
  { viewport: { width: 1280, height: 800 } },
  { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true },
]

/** For smoke runs: painting takes most of a browser's processor time. */
const smallScreens: readonly BrowserContextOptions[] = [
  { viewport: { width: 320, height: 240 } },
  { viewport: { width: 320, height: 240 }, hasTouch: true, isMobile: true },
]

export async function measureBrowsers(options: ClientOptions): Promise<void> {
  const limits = { RATE_LIMIT_ROOM: 'off', RATE_LIMIT_PUBLIC: 'off' }
  const site = await startSite({ ...options, name: 'room_browsers' }, limits)
  const browser = await openBrowser()
  try {
    await measureSteps(browser, site, options)
    await measureFilm(browser, site, options)
  } finally {
    await browser.close()
    await site.stop()
  }
}

async function measureSteps(
  browser: Browser,
  site: Site,
  { scale, progress, found }: ClientOptions,
): Promise<void> {
  progress('rooms: fifty changes of slide on three screens\n')
  const size = scale({ width: 1200, height: 800 }, { width: 300, height: 200 })
  const taken = await Promise.all(
    Array.from({ length: scale(pictures, 2) }, (_, number) => takePhotograph(number, size)),
  )
  const ids = await site.upload(taken)
  const slides = ids.map((mediaId) => ({ mediaId, durationMs: slideMs }))
  const { code, lead } = await openRoom(site, slides)
  const pages = await Promise.all(
    scale(screens, smallScreens).map((screen) => openScreen(browser, site, code, screen, scale)),
  )
  await lead({ command: 'play' })
  const watched = scale(changes, 2)
  await Promise.all(
    pages.map((page) => page.waitForFunction(hasSeen, watched, { timeout: patienceMs })),
  )
  const spreads = spreadsOf(await Promise.all(pages.map(seenBy)), watched)
  found({ benchmark, what: 'spread of a change, 3 screens', unit: 'ms', goal: 100 }, spreads)
  found({ benchmark, what: 'worst spread of 50', unit: 'ms', goal: 100 }, [Math.max(...spreads)])
  progress('rooms: a network that is cut for twenty seconds\n')
  const [cut, other] = pages
  const halfMs = scale(cutMs, 200) / 2
  await cut?.context().setOffline(true)
  await sleep(halfMs)
  await lead({ command: 'next' })
  await sleep(halfMs)
  const backMs = Date.now()
  await cut?.context().setOffline(false)
  const inStepMs = await untilInStep(cut, other, backMs)
  found({ benchmark, what: 'in step after a cut of 20 s', unit: 'ms', goal: 1000 }, [inStepMs])
  await Promise.all(pages.map((page) => page.context().close()))
}

async function measureFilm(
  browser: Browser,
  site: Site,
  { scale, progress, found }: ClientOptions,
): Promise<void> {
  progress('rooms: a film on two screens\n')
  const seconds = scale(filmSeconds, 1)
  const bytes = await makeFilm({ format: 'webm', frames: seconds * 30 })
  const file = new File([new Uint8Array(bytes)], 'film.webm', { type: 'video/webm' })
  const { media } = await site.client.vault.upload({ form: { file } })
  const { code, lead } = await openRoom(site, [
    { mediaId: media?.id ?? 0, durationMs: seconds * 1000 },
  ])
  const pages = await Promise.all(
    scale(screens.slice(0, 2), smallScreens).map((screen) =>
      openScreen(browser, site, code, screen, scale),
    ),
  )
  await lead({ command: 'play' })
  await Promise.all(
    pages.map((page) => page.locator('.is-shown video').waitFor({ timeout: patienceMs })),
  )
  await sleep(scale(filmSettlesMs, 0))
  const offs: number[] = []
  for (let look = 0; look < scale(10, 1); look += 1) {
    const begun = await Promise.all(pages.map((page) => page.evaluate(filmBegan)))
    offs.push(Math.max(...begun) - Math.min(...begun))
    await sleep(scale(700, 0))
  }
  found({ benchmark, what: 'films apart', unit: 'ms', goal: 150 }, offs)
}

type Command = Parameters<Site['client']['rooms']['command']>[0]['body']
type Slides = Parameters<Site['client']['sessions']['createManual']>[0]['body']['slides']

async function openRoom({ client }: Site, slides: Slides) {
  const { session } = await client.sessions.createManual({ body: { title: 'In step', slides } })
  const { room } = await client.rooms.open({ body: { sessionId: session.id, loop: true } })
  const { code } = room
  return { code, lead: (body: Command) => client.rooms.command({ params: { code }, body }) }
}

async function openScreen(
  browser: Browser,
  site: Site,
  code: string,
  options: BrowserContextOptions,
  scale: Scale,
): Promise<Page> {
  const context = await browser.newContext(options)
  const page = await context.newPage()
  await page.addInitScript(watchSlides)
  await page.route('**/api/**', async (route) => {
    await sleep(Math.random() * 300)
    await route.continue().catch(() => {})
  })
  await page.goto(`${site.url}/tv/${code}`)
  await page.locator('.room-waiting').waitFor({ timeout: patienceMs })
  // By now the clock is synchronised and the first pictures are loaded.
  await page.waitForTimeout(scale(5000, 0))
  return page
}

type Seen = { readonly slide: number; readonly atMs: number }

/** Runs in the page: makes its clock wrong, and records the time of each slide by the correct clock. */
function watchSlides(): void {
  const seen: Seen[] = []
  Object.assign(window, { seen })
  const now = Date.now
  Date.now = () => now() + 90_000
  new MutationObserver(() => {
    const stage = document.querySelector<HTMLElement>('[data-testid=stage]')
    const slide = Number(stage?.dataset['slide'] ?? -1)
    if (slide >= 0 && seen.at(-1)?.slide !== slide)
      seen.push({ slide, atMs: performance.timeOrigin + performance.now() })
  }).observe(document, { subtree: true, attributes: true, attributeFilter: ['data-slide'] })
}

function hasSeen(count: number): boolean {
  return (window as unknown as { seen: unknown[] }).seen.length > count
}

const seenBy = (page: Page) => page.evaluate<Seen[]>('window.seen')

/** Returns the time between the first and the last screen, for each change that all have seen. */
function spreadsOf(screens: readonly (readonly Seen[])[], watched: number): number[] {
  const [first = [], ...others] = screens
  return first.slice(1, watched + 1).flatMap(({ slide, atMs }) => {
    const times = others.map((seen) =>
      seen
        .filter((one) => one.slide === slide)
        .map((one) => one.atMs)
        .toSorted((a, b) => Math.abs(a - atMs) - Math.abs(b - atMs))
        .at(0),
    )
    const known = [atMs, ...times.filter((time) => time !== undefined)]
    return known.length === screens.length ? [Math.max(...known) - Math.min(...known)] : []
  })
}

const slideOf = (page: Page | undefined) =>
  page?.evaluate<string>("document.querySelector('[data-testid=stage]').dataset.slide")

async function untilInStep(one: Page | undefined, other: Page | undefined, backMs: number) {
  for (let same = 0; same < 3;) {
    const [mine, theirs] = await Promise.all([slideOf(one), slideOf(other)])
    same = mine === theirs ? same + 1 : 0
    if (Date.now() - backMs > 30_000) return Infinity
  }
  return Date.now() - backMs
}

/** Runs in the page: returns the time at which the current film would have started. */
function filmBegan(): number {
  const film = [...document.querySelectorAll<HTMLVideoElement>('.is-shown video')].at(-1)
  return performance.timeOrigin + performance.now() - (film?.currentTime ?? NaN) * 1000
}
