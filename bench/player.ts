/**
 * `node bench/player.ts`: the player with pictures of 4000 pixels on a processor four times as slow.
 * What keeps the main thread longer than 50 ms during transitions, how frames come, and whether
 * memory stays flat over hundreds of slides. The interface is answered here: only the client counts.
 */
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import type { CDPSession, Page } from 'playwright-core'
import { buildWebIfStale } from '../scripts/build-web.ts'
import { transitions } from '../src/contract/session-records.ts'
import { sharp } from '../src/server/platform/libvips.ts'
import { openBrowser } from '../test/support/browser.ts'
import { serveWebSite } from '../test/support/web-site.ts'

const slowdown = 4
const pictureSize = { width: 4000, height: 2667 }
const differentPictures = 12
const slidesInAll = 500
const slidesPerTransition = 8

const { values } = parseArgs({
  options: { slides: { type: 'string', default: String(slidesInAll) } },
})

await buildWebIfStale({ print: () => {} })
const pictures = await Promise.all(Array.from({ length: differentPictures }, (_, n) => paint(n)))
const site = await serveWebSite(join(import.meta.dirname, '../dist/web'))
const browser = await openBrowser()
try {
  for (const transition of transitions) await measureTransition(transition)
  await measureMemory(Number(values.slides))
} finally {
  await browser.close()
  await site.close()
}

async function measureTransition(transition: string): Promise<void> {
  const { page, devtools } = await openShow({ transition, durationMs: 60_000, count: 40 })
  await devtools.send('Emulation.setCPUThrottlingRate', { rate: slowdown })
  await page.evaluate(watch)
  for (let slide = 0; slide < slidesPerTransition; slide += 1) {
    await page.keyboard.press('ArrowRight')
    await page.waitForTimeout(1600)
  }
  const seen = await page.evaluate<Seen>('window.seen')
  const inTransition = seen.longTasks.filter(({ startMs, ms }) =>
    seen.transitions.some((one) => startMs < one.endMs && startMs + ms > one.startMs),
  )
  const longest = Math.max(0, ...inTransition.map(({ ms }) => ms))
  const frames = seen.frames.toSorted((one, other) => one - other)
  const share = (part: number) => (frames[Math.floor(frames.length * part)] ?? 0).toFixed(1)
  print(
    `${transition.padEnd(6)} ${seen.transitions.length} transitions: ` +
      `${inTransition.length} long tasks, the longest ${longest.toFixed(0)} ms; ` +
      `frames ${share(0.5)} ms in the middle, ${share(0.95)} ms at 95 %`,
  )
  await page.context().close()
}

async function measureMemory(slides: number): Promise<void> {
  const { page, devtools } = await openShow({ transition: 'fade', durationMs: 100, count: slides })
  const sizes: string[] = []
  for (const part of [0.2, 0.4, 0.6, 0.8, 1]) {
    const wanted = Math.floor(slides * part)
    await page.waitForFunction(
      (place) =>
        Number(document.querySelector('input[type=range]')?.getAttribute('value')) >= place,
      wanted,
      { timeout: 600_000 },
    )
    await devtools.send('HeapProfiler.collectGarbage')
    const { usedSize } = await devtools.send('Runtime.getHeapUsage')
    const { nodes } = await devtools.send('Memory.getDOMCounters')
    sizes.push(`slide ${wanted}: ${(usedSize / 1_048_576).toFixed(1)} MB, ${nodes} nodes`)
  }
  print(`memory over ${slides} slides: ${sizes.join('; ')}`)
  await page.context().close()
}

type Seen = {
  readonly longTasks: { readonly startMs: number; readonly ms: number }[]
  readonly transitions: { readonly startMs: number; readonly endMs: number }[]
  /** From one frame to the next, while a transition runs. */
  readonly frames: number[]
}

/** Runs in the page: keeps long tasks, transitions and the frames in them. */
function watch(): void {
  const seen: Seen = { longTasks: [], transitions: [], frames: [] }
  Object.assign(window, { seen })
  new PerformanceObserver((list) => {
    for (const { startTime, duration } of list.getEntries()) {
      seen.longTasks.push({ startMs: startTime, ms: duration })
    }
  }).observe({ type: 'longtask' })
  const animate = Element.prototype.animate
  Element.prototype.animate = function (keyframes, options) {
    const started = animate.call(this, keyframes, options)
    const isFrame = this.classList.contains('player-frame')
    if (isFrame && typeof options === 'object' && options.fill === 'backwards') {
      const startMs = performance.now()
      seen.transitions.push({ startMs, endMs: startMs + Number(options.duration) })
    }
    return started
  }
  let lastMs = performance.now()
  const onFrame = (nowMs: number) => {
    if (nowMs < (seen.transitions.at(-1)?.endMs ?? 0)) seen.frames.push(nowMs - lastMs)
    lastMs = nowMs
    requestAnimationFrame(onFrame)
  }
  requestAnimationFrame(onFrame)
}

async function openShow(show: {
  transition: string
  durationMs: number
  count: number
}): Promise<{ page: Page; devtools: CDPSession }> {
  const context = await browser.newContext({ viewport: { width: 1440, height: 900 } })
  const page = await context.newPage()
  await page.route('**/api/**', (route) => {
    const path = new URL(route.request().url()).pathname
    if (path.endsWith('/play'))
      return route.fulfill({ status: 201, json: { playId: 1, credits: 9 } })
    if (path.endsWith('/views')) return route.fulfill({ json: { charged: 0, balance: 9 } })
    if (path.endsWith('/events')) return route.fulfill({ status: 404, json: {} })
    return route.fulfill({ json: sessionOf(show) })
  })
  await page.route('**/media/**', (route) => {
    const number = Number(/(\d+)\.jpg/.exec(route.request().url())?.[1] ?? 0)
    const body = pictures[number % differentPictures]
    return route.fulfill({ contentType: 'image/jpeg', ...(body ? { body } : {}) })
  })
  await page.goto(`${site.url}/play/1`)
  await page.locator('.player-frame.is-shown').waitFor({ timeout: 60_000 })
  await page.waitForTimeout(2500)
  return { page, devtools: await context.newCDPSession(page) }
}

function sessionOf({ transition, durationMs, count }: Parameters<typeof openShow>[0]) {
  const media = Array.from({ length: count }, (_, order) => ({
    id: order + 1,
    sessionId: 1,
    mediaUrl: `/media/${order}.jpg`,
    thumbnail: null,
    caption: `The words under picture ${order + 1}, which are as long as words usually are.`,
    type: 'image',
    feedPostId: null,
    feedPostUrl: null,
    subfeed: null,
    order,
    ...pictureSize,
    durationMs,
    nsfw: false,
  }))
  const session = {
    id: 1,
    title: 'Large pictures',
    subfeeds: [],
    intervalMin: 5,
    intervalMax: 5,
    transition,
    aiPrompt: null,
    captionTheme: null,
    isManualMode: false,
    fillStatus: 'ready',
    fillError: null,
    mediaCount: count,
  }
  return { session, media }
}

/** A picture with something to decode: soft colours under a grain. */
async function paint(number: number): Promise<Buffer> {
  const noise = { type: 'gaussian', mean: 60 + ((number * 37) % 140), sigma: 40 } as const
  const create = { width: 500, height: 334, channels: 3, background: '#000', noise } as const
  return sharp({ create })
    .resize(pictureSize.width, pictureSize.height)
    .tint({ r: (number * 83) % 256, g: (number * 151) % 256, b: (number * 199) % 256 })
    .jpeg({ quality: 85 })
    .toBuffer()
}

function print(line: string): void {
  process.stdout.write(`${line}\n`)
}
