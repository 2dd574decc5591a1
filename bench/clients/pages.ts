/**
 * When the largest thing of a page is there (LCP) and how far things jump (CLS), on a slow phone: a
 * processor four times as slow, 1.6 Mbit/s and 150 ms to the server, nothing in its cache.
 */
import type { Browser } from 'playwright-core'
import { openBrowser } from '../../test/support/browser.ts'
import { unlimited } from '../../test/support/service-process.ts'
import type { ClientBenchmark, GoalFinding } from '../harness/goals.ts'
import { goalFinding } from '../harness/goals.ts'
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
/** After the last answer: what still moves then has moved. */
const stillMs = 2000
const timeoutMs = 60_000

export const measure: ClientBenchmark = async ({ rounds, progress }) => {
  // Many visits from one address, which the limits would take for one that is too fast.
  const site = await startSite(unlimited)
  const browser = await openBrowser()
  try {
    const pages = await prepare(site)
    const findings: GoalFinding[] = []
    for (const { name, path, isSignedIn } of pages) {
      progress(`pages: ${name}\n`)
      const seen: Seen[] = []
      for (let round = 0; round < rounds; round += 1)
        seen.push(await visit(browser, site, path, isSignedIn))
      const named = { benchmark: 'pages', what: name }
      findings.push(
        goalFinding(
          { ...named, unit: 'LCP in ms', goal: 2500 },
          seen.map(({ lcpMs }) => lcpMs),
        ),
        goalFinding(
          { ...named, unit: 'CLS', goal: 0.02 },
          seen.map(({ cls }) => cls),
        ),
      )
    }
    return findings
  } finally {
    await browser.close()
    await site.stop()
  }
}

async function prepare(site: Site) {
  const taken = await Promise.all(
    Array.from({ length: photographs }, (_, n) => takePhotograph(n, { width: 2400, height: 1600 })),
  )
  const ids = await site.upload(taken)
  let sessionId = 0
  for (let n = 0; n < sessions; n += 1) {
    const turned = ids.map((_, at) => ids[(at + n) % ids.length] ?? 0)
    sessionId = await site.makeSession(`Evening ${n + 1}`, turned)
  }
  const { shareCode } = await site.client.sharing.shareSession({
    params: { id: String(sessionId) },
    body: { access: 'anyone' },
  })
  return [
    { name: 'landing', path: '/', isSignedIn: false },
    { name: 'library', path: '/library', isSignedIn: true },
    { name: 'share page', path: `/shared/${shareCode}`, isSignedIn: false },
    { name: 'player', path: `/play/${sessionId}`, isSignedIn: true },
  ]
}

type Seen = { readonly lcpMs: number; readonly cls: number }

async function visit(
  browser: Browser,
  site: Site,
  path: string,
  isSignedIn: boolean,
): Promise<Seen> {
  const context = await browser.newContext(phone)
  if (isSignedIn) await context.addCookies(site.cookies())
  const page = await context.newPage()
  const devtools = await context.newCDPSession(page)
  await devtools.send('Network.enable')
  await devtools.send('Network.emulateNetworkConditions', slow4g)
  await devtools.send('Emulation.setCPUThrottlingRate', { rate: slowdown })
  await page.addInitScript(watch)
  await page.goto(site.url + path, { timeout: timeoutMs })
  // Events of a session stay open, so the network is never idle: the pictures are what is waited for.
  await page.waitForFunction(() => document.querySelector('main img, .player-frame img') !== null, {
    timeout: timeoutMs,
  })
  await page.waitForFunction(
    () => [...document.images].every((image) => image.complete || image.loading === 'lazy'),
    { timeout: timeoutMs },
  )
  await page.waitForTimeout(stillMs)
  const seen = await page.evaluate<Seen>('window.seen')
  await context.close()
  return seen
}

/** Runs in the page, before it: keeps the latest of what the browser tells. */
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
