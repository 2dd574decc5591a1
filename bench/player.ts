/**
 * Runs `node bench/player.ts`: the player with pictures of 4000 pixels on a processor four times slower.
 * Measures tasks that block the main thread longer than 50 ms during transitions, frame times, and memory
 * over hundreds of slides. The API is faked here, so only the client counts.
 */
import { once } from 'node:events'
import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import type { CDPSession, Page } from 'playwright-core'
import { buildWebIfStale } from '../scripts/build-web.ts'
import { transitions } from '../src/contract/transitions.ts'
import { sharp } from '../src/server/media/libvips.ts'
import { readCommandLine } from '../src/server/platform/command-line.ts'
import { openBrowser } from '../test/support/browser.ts'
import { serveWebSite } from '../test/support/web-site.ts'

const slowdown = 4
const pictureSize = { width: 4000, height: 2667 }
const differentPictures = 12
const slidesInAll = 500
const slidesPerTransition = 8

const { values } = readCommandLine({
  usage: 'node bench/player.ts [--slides 500]',
  options: { slides: { type: 'string', default: String(slidesInAll) } },
})

await buildWebIfStale({ print: () => {} })
const pictures = await Promise.all(Array.from({ length: differentPictures }, (_, n) => paint(n)))
const site = await serveWebSite(join(import.meta.dirname, '../dist/web'))
/** The settings of the next page to play. */
let shown = { transition: 'fade', durationMs: 1000, count: 1 }
const front = await serveFront(site.url)
const browser = await openBrowser()
try {
  for (const transition of transitions) await measureTransition(transition)
  await measureMemory(Number(values.slides))
} finally {
  await browser.close()
  front.close()
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
  /** The times between frames while a transition runs. */
  readonly frames: number[]
}

/** Runs in the page: records long tasks, transitions and the frames in them. */
function watch(): void {
  const seen: Seen = { longTasks: [], transitions: [], frames: [] }
  Object.assign(window, { seen })
  new PerformanceObserver((list) => {
    for (const { startTime, duration } of list.getEntries()) {
      seen.longTasks.push({ startMs: startTime, ms: duration })
    }
  }).observe({ type: 'longtask' })
  // oxlint-disable-next-line typescript/unbound-method -- it is called with its element below
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

async function openShow(show: typeof shown): Promise<{ page: Page; devtools: CDPSession }> {
  const context = await browser.newContext({ viewport: { width: 1440, height: 900 } })
  const page = await context.newPage()
  shown = show
  await page.goto(`${front.url}/play/1`)
  await page.locator('.player-frame.is-shown').first().waitFor({ timeout: 60_000 })
  await page.waitForTimeout(2500)
  return { page, devtools: await context.newCDPSession(page) }
}

function sessionOf({ transition, durationMs, count }: typeof shown) {
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

/** Serves the client, pictures and answers as one site over real sockets. */
async function serveFront(clientUrl: string): Promise<{ url: string; close: () => void }> {
  const server = createServer((request, response) => {
    void answer(request.url ?? '/', response)
  })
  async function answer(path: string, response: ServerResponse): Promise<void> {
    const [, number] = /^\/media\/(\d+)\.jpg$/.exec(path) ?? []
    if (number !== undefined) {
      response.writeHead(200, { 'content-type': 'image/jpeg' })
      return void response.end(pictures[Number(number) % differentPictures])
    }
    if (path.startsWith('/api/')) {
      const [status, body] = apiAnswer(path)
      response.writeHead(status, { 'content-type': 'application/json' })
      return void response.end(JSON.stringify(body))
    }
    const found = await fetch(clientUrl + path)
    response.writeHead(found.status, Object.fromEntries(found.headers))
    return void response.end(Buffer.from(await found.arrayBuffer()))
  }
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  return { url: `http://127.0.0.1:${port}`, close: () => void server.close() }
}

function apiAnswer(path: string): [status: number, body: object] {
  if (path.endsWith('/play')) return [201, { playId: 1, credits: 9 }]
  if (path.endsWith('/views')) return [200, { charged: 0, balance: 9 }]
  if (path.endsWith('/events')) return [404, {}]
  return [200, sessionOf(shown)]
}

/** Paints a picture that is costly to decode: soft colours with a grain. */
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
