/**
 * Runs `node bench/vault.ts [--files 10000] [--dist folder]`: the vault with ten thousand files, scrolled
 * from beginning to end. Measures frame times, the main thread's time per step, and the number of rendered
 * tiles. The API is faked here, so only the client counts.
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
  usage: 'node bench/vault.ts [--files 10000] [--dist folder]',
  options: {
    files: { type: 'string', default: '10000' },
    dist: { type: 'string', default: ownDist },
  },
})
const total = Number(values.files)
const steps = 300
const stepPx = 240

if (values.dist === ownDist) await buildWebIfStale({ print: () => {} })
const create = { width: 320, height: 214, channels: 3, background: '#a60' } as const
const picture = await sharp({ create }).webp().toBuffer()
const site = await serveWebSite(values.dist)
const browser = await openBrowser()
try {
  const page = await openVault()
  await loadAll(page)
  await page.evaluate(() => window.scrollTo(0, 0))
  await page.waitForTimeout(1000)
  await countFrames(page)
  const busyMs = await mainThreadMs(page, async () => {
    for (let step = 0; step < steps; step += 1) {
      await page.mouse.wheel(0, stepPx)
      await page.waitForTimeout(8)
    }
  })
  report('a frame of scrolling', await page.evaluate<number[]>('window.frames'))
  print(`  main thread, without waiting for a processor: ${(busyMs / steps).toFixed(1)} ms a step`)
  print(`drawn tiles: ${await page.getByRole('gridcell').count()} of ${total}`)
} finally {
  await browser.close()
  await site.close()
}

async function openVault(): Promise<Page> {
  const context = await browser.newContext({ viewport: { width: 1440, height: 900 } })
  const page = await context.newPage()
  await page.route('**/api/**', async (route) => {
    const url = new URL(route.request().url())
    if (url.pathname === '/api/auth/user') await route.fulfill({ json: user })
    else if (url.pathname === '/api/user/media')
      await route.fulfill({ json: pageOf(Number(url.searchParams.get('cursor') ?? 0)) })
    else await route.fulfill({ json: [] })
  })
  await page.route('**/media/**', (route) =>
    route.fulfill({ contentType: 'image/webp', body: picture }),
  )
  await page.goto(`${site.url}/vault`)
  await page.getByRole('gridcell').first().waitFor({ timeout: 60_000 })
  return page
}

/** Scrolls to the end repeatedly until the list stops growing. */
async function loadAll(page: Page): Promise<void> {
  for (let tries = 0; tries < 1000; tries += 1) {
    const before = await page.evaluate(() => document.body.scrollHeight)
    await page.evaluate(() => window.scrollTo(0, document.body.scrollHeight))
    await page.waitForTimeout(100)
    const isWhole = await page.getByRole('gridcell', { name: `File ${total}.jpg` }).count()
    if (isWhole > 0 && (await page.evaluate(() => document.body.scrollHeight)) === before) return
  }
  throw new Error('the end of the list does not come')
}

function pageOf(from: number) {
  const end = Math.min(from + 200, total)
  const files = Array.from({ length: end - from }, (_, index) => fileOf(from + index + 1))
  return {
    files,
    totalCount: total,
    categories: { upload: total, 'smart-caption': 0, babecock: 0, hypnococks: 0 },
    nextCursor: end < total ? String(end) : null,
  }
}

function fileOf(id: number) {
  const at = new Date(Date.UTC(2026, 0, 1) - id * 3_600_000).toISOString()
  return {
    id,
    name: `File ${id}.jpg`,
    originalName: `File ${id}.jpg`,
    category: 'upload',
    size: 1_000_000,
    lastModified: at,
    created_at: at,
    url: `/media/${id}.jpg`,
    path: `users/1/General/${id}.jpg`,
    subfeed: null,
    width: 200 + ((id * 37) % 300),
    height: 240,
    isShared: false,
    shareCode: null,
    characterName: null,
    enrichmentStatus: 'completed',
    enrichedAt: at,
    type: 'image',
    shareToCommunity: false,
    durationMs: null,
    thumbnails: [{ width: 320, url: `/media/${id}-s.webp` }],
  }
}
