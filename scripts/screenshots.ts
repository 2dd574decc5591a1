/**
 * Runs `npm run screenshots -- http://127.0.0.1:5000`: takes the README's pictures, except the landing
 * page's, from a fresh development service with its demo feed. Each is stored as a small PNG in docs/.
 */
import { writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import type { Browser, BrowserContextOptions, Page } from 'playwright-core'
import { sharp } from '../src/server/media/libvips.ts'
import { openBrowser } from '../test/support/browser.ts'

const [url = 'http://127.0.0.1:5000', folder = resolve(import.meta.dirname, '../docs')] =
  process.argv.slice(2)

const desk = { viewport: { width: 1440, height: 900 } }
const lowDesk = { viewport: { width: 1440, height: 740 } }
const phone = {
  viewport: { width: 390, height: 844 },
  deviceScaleFactor: 2,
  hasTouch: true,
  isMobile: true,
}
const maxBytes = 200 * 1024

type Shot = {
  readonly name: string
  readonly look: BrowserContextOptions
  readonly take: (page: Page) => Promise<void>
}

const shots: readonly Shot[] = [
  { name: 'library', look: { ...lowDesk, colorScheme: 'dark' }, take: openLibrary },
  { name: 'player', look: { ...desk, colorScheme: 'dark' }, take: play },
  { name: 'session', look: { ...desk, colorScheme: 'light' }, take: openSession },
  { name: 'community', look: { ...lowDesk, colorScheme: 'dark' }, take: openCommunity },
  { name: 'phone-player', look: { ...phone, colorScheme: 'dark' }, take: play },
  { name: 'phone-library', look: { ...phone, colorScheme: 'light' }, take: openLibrary },
]

const browser = await openBrowser()
try {
  for (const shot of shots) await takeShot(browser, shot)
} finally {
  await browser.close()
}

async function takeShot(browser: Browser, { name, look, take }: Shot): Promise<void> {
  const context = await browser.newContext({ ...look, baseURL: url, reducedMotion: 'reduce' })
  await context.request.get(`${url}/api/dev-login?account=1`)
  const page = await context.newPage()
  await take(page)
  const file = join(folder, `${name}.png`)
  const bytes = await compress(await page.screenshot())
  await writeFile(file, bytes)
  process.stdout.write(`${name}: ${(bytes.length / 1024).toFixed(0)} KB\n`)
  await context.close()
}

async function openLibrary(page: Page): Promise<void> {
  await page.goto('/library')
  await closeWelcome(page)
  await untilPictured(page)
}

async function openSession(page: Page): Promise<void> {
  await page.goto('/library')
  await page.getByRole('link', { name: 'Slow light', exact: true }).click()
  await page.getByRole('heading', { name: 'Slow light' }).waitFor()
  await untilPictured(page)
}

async function openCommunity(page: Page): Promise<void> {
  await page.goto('/community')
  await page.getByRole('link', { name: /Counting stars/ }).waitFor()
  await untilPictured(page)
}

/** Opens a slide with its caption and the controls. */
async function play(page: Page): Promise<void> {
  await page.goto('/library')
  await page.getByRole('link', { name: 'Play Slow light' }).click()
  await page.locator('.player-frame.is-shown').waitFor()
  await page.locator('.burnt-words').waitFor()
  await page.keyboard.press(' ')
  await page.getByRole('button', { name: 'Play' }).waitFor()
  await untilPictured(page)
}

/** Skips the three questions of a new account: the pictures show what follows. */
async function closeWelcome(page: Page): Promise<void> {
  await page.getByRole('heading', { level: 1 }).waitFor()
  const skip = page.getByRole('button', { name: 'Skip' })
  if (await skip.isVisible()) await skip.click()
}

async function untilPictured(page: Page): Promise<void> {
  await page.waitForFunction(() => document.querySelector('.skeleton') === null)
  await page.evaluate(async () => {
    await Promise.allSettled([...document.images].map((image) => image.decode()))
    await document.fonts.ready
  })
}

/** Compresses with as many colours as fit. */
async function compress(screenshot: Buffer): Promise<Buffer> {
  for (const width of [1440, 1200, 1000, 800]) {
    for (const colours of [256, 160, 96]) {
      const small = await sharp(screenshot)
        .resize({ width, withoutEnlargement: true })
        .png({ palette: true, colours, effort: 10, dither: 0.6 })
        .toBuffer()
      if (small.length <= maxBytes) return small
    }
  }
  throw new Error('a screenshot does not fit')
}
