/**
 * Measures pages on a slow phone (a processor four times slower, 1.6 Mbit/s, 150 ms to the server, an empty
 * cache): the time of the largest element (LCP; in a player its first picture), layout shifts (CLS), and
 * the time to go from one page to another.
 */
import type { Browser, Page } from 'playwright-core'
import { openBrowser } from '../../test/support/browser.ts'
import { unlimited } from '../../test/support/service-process.ts'
import type { ClientOptions, ClientPart } from '../harness/goals.ts'
import type { Scale } from '../harness/scale.ts'
import { type Site, startSite, takePhotograph } from './site.ts'

const phone = {
  viewport: { width: 390, height: 844 },
  deviceScaleFactor: 3,
  hasTouch: true,
  isMobile: true,
}
const slowdown = 4
const bytesPerSecond = 1_600_000 / 8
const slow4g = {
  offline: false,
  latency: 150,
  downloadThroughput: bytesPerSecond,
  uploadThroughput: bytesPerSecond / 2,
}
const sessions = 12
const photographs = 4
/** The wait after the last answer, so that late layout shifts are counted. */
const stillMs = 2000
/** The page has finished loading before the move. Otherwise both would share the network. */
const moveAfterMs = 3000
const timeoutMs = 60_000

export const parts: readonly ClientPart[] = [measurePages]

async function measurePages(options: ClientOptions): Promise<void> {
  // Many visits from one address would exceed the rate limits.
  const site = await startSite({ ...options, name: 'pages' }, unlimited)
  const browser = await openBrowser()
  try {
    const made = await fillLibrary(site, options.scale)
    await measureLoads(browser, site, made, options)
    await measureMoves(browser, site, made, options)
  } finally {
    await browser.close()
    await site.stop()
  }
}

async function measureLoads(
  browser: Browser,
  site: Site,
  { sessionId, shareCode }: Made,
  { rounds, scale, progress, found }: ClientOptions,
): Promise<void> {
  const pages = [
    { name: 'landing', path: '/', isSignedIn: false },
    { name: 'library', path: '/library', isSignedIn: true },
    { name: 'share page', path: `/shared/${shareCode}`, isSignedIn: false },
    { name: 'player', path: `/play/${sessionId}`, isSignedIn: true },
  ]
  for (const { name, path, isSignedIn } of pages) {
    progress(`pages: ${name}\n`)
    const seen: Seen[] = []
    for (let round = 0; round < rounds; round += 1)
      seen.push(await visit(browser, site, { path, isSignedIn, stillMs: scale(stillMs, 0) }))
    const named = { benchmark: 'pages', what: name }
    const lcpMs = seen.map(({ lcpMs }) => lcpMs)
    found({ ...named, unit: 'LCP in ms', goal: 2500 }, lcpMs)
    const cls = seen.map(({ cls }) => cls)
    found({ ...named, unit: 'CLS', goal: 0.02 }, cls)
  }
}

async function measureMoves(
  browser: Browser,
  site: Site,
  { sessionId }: Made,
  { rounds, scale, progress, found }: ClientOptions,
): Promise<void> {
  const [session, show] = [`/sessions/${sessionId}`, `/play/${sessionId}`]
  const moves = [
    { name: 'library to session', from: '/library', to: session, goal: 1500 },
    { name: 'session to library', from: session, to: '/library', goal: 1500 },
    { name: 'session to show', from: session, to: show, goal: 2500 },
  ]
  for (const { name, from, to, goal } of moves) {
    progress(`pages: ${name}\n`)
    const times: number[] = []
    for (let round = 0; round < rounds; round += 1)
      times.push(await timeMove(browser, site, { from, to, afterMs: scale(moveAfterMs, 0) }))
    const named = { benchmark: 'pages', what: name, unit: 'first picture in ms', goal }
    found(named, times)
  }
}

/** Returns the time from a click on a link until the first picture of the next page is loaded. */
async function timeMove(
  browser: Browser,
  site: Site,
  { from, to, afterMs }: { from: string; to: string; afterMs: number },
): Promise<number> {
  const page = await openOnPhone(browser, site, true)
  await page.goto(site.url + from, { timeout: timeoutMs })
  await page.locator(`a[href="${to}"]`).first().waitFor({ timeout: timeoutMs })
  await page.waitForTimeout(afterMs)
  const time = await page.evaluate(
    async ([to, timeoutMs]) => {
      const shown = 'main img, .player-frame img'
      const before = new Set(document.querySelectorAll(shown))
      const isThere = () =>
        location.pathname === to &&
        [...document.querySelectorAll<HTMLImageElement>(shown)].some(
          (image) => !before.has(image) && image.complete && image.naturalWidth > 0,
        )
      const startMs = performance.now()
      document.querySelector<HTMLElement>(`a[href="${to}"]`)?.click()
      while (!isThere() && performance.now() - startMs < timeoutMs)
        await new Promise((resolve) => requestAnimationFrame(resolve))
      return isThere() ? performance.now() - startMs : null
    },
    [to, timeoutMs] as const,
  )
  if (time === null) throw new Error(`${to} showed no picture within ${timeoutMs} ms`)
  await page.context().close()
  return time
}

async function fillLibrary(site: Site, scale: Scale): Promise<Made> {
  const size = scale({ width: 2400, height: 1600 }, { width: 600, height: 400 })
  const taken = await Promise.all(
    Array.from({ length: scale(photographs, 1) }, (_, n) => takePhotograph(n, size)),
  )
  const ids = await site.upload(taken)
  let sessionId = 0
  for (let n = 0; n < scale(sessions, 1); n += 1) {
    const turned = ids.map((_, at) => ids[(at + n) % ids.length] ?? 0)
    sessionId = await site.makeSession(`Evening ${n + 1}`, turned)
  }
  const { shareCode } = await site.client.sharing.shareSession({
    params: { id: String(sessionId) },
    body: { access: 'anyone' },
  })
  return { sessionId, shareCode }
}

/** A session of the library, and its link. */
type Made = { readonly sessionId: number; readonly shareCode: string }

type Seen = { readonly lcpMs: number; readonly cls: number }

async function visit(
  browser: Browser,
  site: Site,
  { path, isSignedIn, stillMs }: { path: string; isSignedIn: boolean; stillMs: number },
): Promise<Seen> {
  const page = await openOnPhone(browser, site, isSignedIn)
  await page.addInitScript(watch)
  await page.goto(site.url + path, { timeout: timeoutMs })
  // A session's event stream stays open, so the network is never idle. So this waits for the pictures.
  await page.waitForFunction(() => document.querySelector('main img, .player-frame img') !== null, {
    timeout: timeoutMs,
  })
  await page.waitForFunction(
    () => [...document.images].every((image) => image.complete || image.loading === 'lazy'),
    { timeout: timeoutMs },
  )
  const hasPainted = () => Number.isFinite((Reflect.get(window, 'seen') as Seen).lcpMs)
  await page.waitForFunction(hasPainted, null, { timeout: timeoutMs })
  await page.waitForTimeout(stillMs)
  const seen = await page.evaluate<Seen>('window.seen')
  await page.context().close()
  return seen
}

async function openOnPhone(browser: Browser, site: Site, isSignedIn: boolean): Promise<Page> {
  const context = await browser.newContext(phone)
  if (isSignedIn) await context.addCookies(site.cookies())
  const page = await context.newPage()
  const devtools = await context.newCDPSession(page)
  await devtools.send('Network.enable')
  await devtools.send('Network.emulateNetworkConditions', slow4g)
  await devtools.send('Emulation.setCPUThrottlingRate', { rate: slowdown })
  return page
}

/** Runs in the page before its own scripts: records the latest values of the browser. */
function watch(): void {
  const seen = { lcpMs: NaN, cls: 0 }
  Object.assign(window, { seen })
  new PerformanceObserver((list) => {
    for (const { startTime } of list.getEntries()) seen.lcpMs = startTime
  }).observe({ type: 'largest-contentful-paint', buffered: true })
  new PerformanceObserver((list) => {
    for (const entry of list.getEntries()) {
      if (Reflect.get(entry, 'hadRecentInput') !== true)
        seen.cls += Number(Reflect.get(entry, 'value'))
    }
  }).observe({ type: 'layout-shift', buffered: true })
}
