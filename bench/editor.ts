/**
 * Runs `node bench/editor.ts [--dist folder]`: the editor with a session of 500 slides. Measures how long a
 * letter blocks the main thread, and the frame times while a slide is dragged along the strip: by the wall
 * clock, and by the thread's clock, which is the same on a busy machine. The API is faked here, so only the
 * client counts. `--dist` measures another build.
 */
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { buildWebIfStale } from '../scripts/build-web.ts'
import { sharp } from '../src/server/media/libvips.ts'
import { readCommandLine } from '../src/server/platform/command-line.ts'
import { openBrowser } from '../test/support/browser.ts'
import { serveWebSite } from '../test/support/web-site.ts'
import { countFrames, mainThreadMs, print, report, user } from './harness/page-figures.ts'

const ownDist = join(import.meta.dirname, '../dist/web')
const { values } = readCommandLine({
  usage: 'node bench/editor.ts [--slides 500] [--dist folder]',
  options: {
    slides: { type: 'string', default: '500' },
    dist: { type: 'string', default: ownDist },
  },
})
const letters = 'What a long caption for one small picture this is'

if (values.dist === ownDist) await buildWebIfStale({ print: () => {} })
const create = { width: 320, height: 214, channels: 3, background: '#a60' } as const
const picture = await sharp({ create }).webp().toBuffer()
const site = await serveWebSite(values.dist)
const browser = await openBrowser()
try {
  const page = await openEditor(Number(values.slides))
  print(`drawn slides: ${await page.getByRole('button', { name: /^Slide \d+ of/ }).count()}`)
  await measureLetters(page)
  await measureDrag(page)
} finally {
  await browser.close()
  await site.close()
}

async function measureLetters(page: Page): Promise<void> {
  const caption = page.getByLabel('Caption', { exact: true })
  await caption.fill('')
  await page.evaluate(() => {
    const times: number[] = []
    Object.assign(window, { times })
    let startMs = 0
    document.addEventListener('keydown', () => (startMs = performance.now()), { capture: true })
    document.addEventListener('input', () => {
      const { port1, port2 } = new MessageChannel()
      // Sent after all synchronous work of the letter is done.
      port1.addEventListener('message', () => times.push(performance.now() - startMs))
      port1.start()
      port2.postMessage(null)
    })
  })
  const busyMs = await mainThreadMs(page, () =>
    caption.pressSequentially(letters, { delay: 60, timeout: 300_000 }),
  )
  report('a letter', await page.evaluate<number[]>('window.times'))
  print(
    `  main thread, without waiting for a processor: ${(busyMs / letters.length).toFixed(1)} ms`,
  )
}

async function measureDrag(page: Page): Promise<void> {
  const slide = await page.getByRole('button', { name: /^Slide 2 of/ }).boundingBox()
  if (!slide) throw new Error('the second slide is not on the screen')
  const [x, y] = [slide.x + slide.width / 2, slide.y + slide.height / 2]
  await page.mouse.move(x, y)
  await page.mouse.down()
  await page.mouse.move(x, y + 12)
  await page.waitForTimeout(500)
  await countFrames(page)
  const steps = 120
  const busyMs = await mainThreadMs(page, async () => {
    for (let step = 0; step < steps; step += 1) {
      await page.mouse.move(x, y + 12 + step * 4)
      await page.waitForTimeout(8)
    }
  })
  report('a frame of a drag', await page.evaluate<number[]>('window.frames'))
  print(`  main thread, without waiting for a processor: ${(busyMs / steps).toFixed(1)} ms a move`)
  await page.mouse.up()
}

async function openEditor(count: number): Promise<Page> {
  const context = await browser.newContext({ viewport: { width: 1440, height: 900 } })
  const page = await context.newPage()
  await page.route('**/api/**', async (route) => {
    const path = new URL(route.request().url()).pathname
    if (path === '/api/auth/user') await route.fulfill({ json: user })
    else if (path === '/api/sessions/1') await route.fulfill({ json: sessionOf(count) })
    else await route.fulfill({ json: [] })
  })
  await page.route('**/media/**', (route) =>
    route.fulfill({ contentType: 'image/webp', body: picture }),
  )
  await page.goto(`${site.url}/sessions/1/edit`)
  await page.getByRole('button', { name: /^Slide 1 of/ }).waitFor({ timeout: 60_000 })
  await page.waitForTimeout(3000)
  return page
}

function sessionOf(count: number) {
  const media = Array.from({ length: count }, (_, order) => ({
    id: order + 1,
    sessionId: 1,
    mediaUrl: `/media/${order}.webp`,
    thumbnail: `/media/${order}-s.webp`,
    caption: `The words under picture ${order + 1}, which are as long as words usually are.`,
    type: 'image',
    feedPostUrl: null,
    subfeed: null,
    order,
    durationMs: null,
    nsfw: false,
  }))
  const session = {
    id: 1,
    title: 'Five hundred',
    userId: user.id,
    subfeeds: [],
    intervalMin: 4,
    intervalMax: 9,
    transition: 'fade',
    thumbnail: null,
    isImported: false,
    isManualMode: false,
    captionTheme: null,
    aiPrompt: null,
    tags: [],
    nsfw: false,
    fillStatus: 'ready',
    mediaCount: count,
    updatedAt: '2026-01-01T00:00:00.000Z',
  }
  return { session, media, skipped: [], isCopying: false }
}
