/** Two browsers and a phone in one room, on lines of 0-300 ms and with a clock that is 90 s wrong. */
import type { Browser, BrowserContextOptions, Page } from 'playwright-core'
import { openBrowser } from '../../test/support/browser.ts'
import { makeFilm } from '../../test/support/sample-media.ts'
import type { GoalFinding } from '../harness/goals.ts'
import { goalFinding } from '../harness/goals.ts'
import type { Site } from './site.ts'
import { startSite, takePhotograph } from './site.ts'

const changes = 50
const slideMs = 1000
const pictures = 8
const filmSeconds = 20
const cutMs = 20_000
const benchmark = 'rooms'

const screens: readonly BrowserContextOptions[] = [
  { viewport: { width: 1920, height: 1080 } },
  { viewport: { width: 1280, height: 800 } },
  { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true },
]

export async function measureBrowsers(progress: (text: string) => void): Promise<GoalFinding[]> {
  const site = await startSite({ RATE_LIMIT_ROOM: 'off', RATE_LIMIT_PUBLIC: 'off' })
  const browser = await openBrowser()
  try {
    progress('rooms: fifty changes of slide on three screens\n')
    const size = { width: 1200, height: 800 }
    const taken = await Promise.all(
      Array.from({ length: pictures }, (_, number) => takePhotograph(number, size)),
    )
    const ids = await site.upload(taken)
    const slides = ids.map((mediaId) => ({ mediaId, durationMs: slideMs }))
    const { code, lead } = await openRoom(site, slides)
    const pages = await Promise.all(
      screens.map((screen) => openScreen(browser, site, code, screen)),
    )
    await lead({ command: 'play' })
    await Promise.all(
      pages.map((page) => page.waitForFunction(hasSeen, changes, { timeout: 180_000 })),
    )
    const spreads = spreadsOf(await Promise.all(pages.map(seenBy)))
    progress('rooms: a network that is cut for twenty seconds\n')
    const [cut, ...others] = pages
    await cut?.context().setOffline(true)
    await new Promise((resolve) => setTimeout(resolve, cutMs / 2))
    await lead({ command: 'next' })
    await new Promise((resolve) => setTimeout(resolve, cutMs / 2))
    const backMs = Date.now()
    await cut?.context().setOffline(false)
    const inStepMs = await untilInStep(cut, others[0], backMs)
    await Promise.all(pages.map((page) => page.context().close()))
    const filmOffs = await measureFilm(browser, site, progress)
    return [
      goalFinding(
        { benchmark, what: 'spread of a change, 3 screens', unit: 'ms', goal: 100 },
        spreads,
      ),
      goalFinding({ benchmark, what: 'worst spread of 50', unit: 'ms', goal: 100 }, [
        Math.max(...spreads),
      ]),
      goalFinding({ benchmark, what: 'in step after a cut of 20 s', unit: 'ms', goal: 1000 }, [
        inStepMs,
      ]),
      goalFinding({ benchmark, what: 'films apart', unit: 'ms', goal: 150 }, filmOffs),
    ]
  } finally {
    await browser.close()
    await site.stop()
  }
}

async function measureFilm(
  browser: Browser,
  site: Site,
  progress: (text: string) => void,
): Promise<number[]> {
  progress('rooms: a film on two screens\n')
  const bytes = await makeFilm({ format: 'webm', frames: filmSeconds * 30 })
  const file = new File([new Uint8Array(bytes)], 'film.webm', { type: 'video/webm' })
  const { media } = await site.client.vault.upload({ form: { file } })
  const { code, lead } = await openRoom(site, [
    { mediaId: media?.id ?? 0, durationMs: filmSeconds * 1000 },
  ])
  const pages = await Promise.all(
    screens.slice(0, 2).map((screen) => openScreen(browser, site, code, screen)),
  )
  await lead({ command: 'play' })
  await new Promise((resolve) => setTimeout(resolve, 6000))
  const offs: number[] = []
  for (let look = 0; look < 10; look += 1) {
    const begun = await Promise.all(pages.map((page) => page.evaluate(filmBegan)))
    offs.push(Math.max(...begun) - Math.min(...begun))
    await new Promise((resolve) => setTimeout(resolve, 700))
  }
  return offs
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
): Promise<Page> {
  const context = await browser.newContext(options)
  const page = await context.newPage()
  await page.addInitScript(watchSlides)
  await page.route('**/api/**', async (route) => {
    await new Promise((resolve) => setTimeout(resolve, Math.random() * 300))
    await route.continue().catch(() => {})
  })
  await page.goto(`${site.url}/tv/${code}`)
  await page.locator('.room-waiting').waitFor({ timeout: 60_000 })
  // The clock has been asked a few times, and the first pictures are there.
  await page.waitForTimeout(5000)
  return page
}

type Seen = { readonly slide: number; readonly atMs: number }

/** Runs in the page: its own clock is wrong, and when each slide came is kept by the right one. */
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

/** Of the changes that all have seen, how far the first and the last of them were apart. */
function spreadsOf(screens: readonly (readonly Seen[])[]): number[] {
  const [first = [], ...others] = screens
  return first.slice(1, changes + 1).flatMap(({ slide, atMs }) => {
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

/** Runs in the page: at which time the film that is on would have begun. */
function filmBegan(): number {
  const film = [...document.querySelectorAll<HTMLVideoElement>('.is-shown video')].at(-1)
  return performance.timeOrigin + performance.now() - (film?.currentTime ?? NaN) * 1000
}
