/** Dropped, pasted and chosen files in a real Chromium, with the limits of a site. */
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Browser, BrowserContext } from 'playwright-core'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { buildWebIfStale } from '../../scripts/build-web.ts'
import { desktop, findBarriers } from '../support/accessibility.ts'
import { openBrowser } from '../support/browser.ts'
import { expectSlides, visitAs } from '../support/editor-visit.ts'
import { bring, photo, photos } from '../support/file-visit.ts'
import { createWorld, type Person, type World } from '../support/world.ts'
import { buildZip } from '../support/zip-builder.ts'

let world: World
let browser: Browser
let ana: Person
let visitors = 0
const openContexts: BrowserContext[] = []

beforeAll(async () => {
  await buildWebIfStale({ print: () => {} })
  const webFolder = join(import.meta.dirname, '../../dist/web')
  world = await createWorld(
    { RATE_LIMIT_PUBLIC: '100/900', RATE_LIMIT_UPLOAD: '1000/900' },
    { webFolder },
  )
  browser = await openBrowser()
})

beforeEach(async () => {
  await world.reset()
  ana = await world.as('ana')
})

afterEach(async () => {
  await Promise.all(openContexts.splice(0).map((context) => context.close()))
})

afterAll(async () => {
  await browser?.close()
  await world?.close()
})

test('fifty pictures dropped on the library become a session that plays while they still arrive', async () => {
  const { page } = await visit('/library')
  let uploads = 0
  let atOnce = 0
  let max = 0
  page.on('request', (request) => {
    if (!request.url().endsWith('/api/media/upload')) return
    uploads += 1
    atOnce += 1
    max = Math.max(max, atOnce)
  })
  page.on('requestfinished', (request) => {
    if (request.url().endsWith('/api/media/upload')) atOnce -= 1
  })
  const held = Promise.withResolvers<void>()
  await page.route('**/api/media/upload', async (route) => {
    if (uploads > 12) await held.promise
    await route.continue()
  })
  await page.getByRole('heading', { name: 'Sessions', exact: true }).waitFor()
  await bring(page, 'drop', await photos(50))
  await page.getByRole('link', { name: 'Play', exact: true }).first().waitFor()
  await page.getByText(/^\d+ of 50 uploaded/).waitFor()
  expect(await findBarriers(page)).toEqual([])
  held.resolve()
  await page.getByText('All 50 uploaded').waitFor()

  const [session] = await ana.sessions.list()
  const { media } = await ana.sessions.read({ params: { id: String(session?.id) } })
  expect([media.length, uploads, max <= 3]).toEqual([50, 50, true])
  await page.getByRole('link', { name: 'Play', exact: true }).first().click()
  await page.waitForURL(/\/play\/\d+$/)
})

test('files that are dropped while the page is loading are taken once it is ready', async () => {
  const held = Promise.withResolvers<void>()
  const { page } = await visit('/library', async (context) => {
    await context.route(/\/assets\/drop-region-[^/]+\.js$/, async (route) => {
      await held.promise
      await route.continue()
    })
  })
  await bring(page, 'drop', await photos(2))
  expect(await ana.sessions.list()).toEqual([])
  held.resolve()
  await page.getByText('All 2 uploaded').waitFor()
  expect(await ana.sessions.list()).toMatchObject([{ mediaCount: 2 }])
})

test('text that is pasted into a field together with a picture stays text, where no page takes files', async () => {
  const { page } = await visit('/login', (context) => context.clearCookies())
  await page.getByLabel('Email').waitFor()
  const isTaken = await page.evaluate(() => {
    const clipboardData = new DataTransfer()
    clipboardData.setData('text/plain', 'ana@example.test')
    clipboardData.items.add(new File(['a'], 'cells.png', { type: 'image/png' }))
    const paste = new ClipboardEvent('paste', { bubbles: true, cancelable: true, clipboardData })
    document.querySelector('input')?.dispatchEvent(paste)
    return paste.defaultPrevented
  })
  expect(isTaken).toBe(false)
})

test('a refusal is waited out, a lost network too, and final refusals are named', async () => {
  const { page, context } = await visit('/sessions/new/manual')
  let refusals = 0
  await page.route('**/api/media/upload', async (route) => {
    refusals += 1
    if (refusals > 2) await route.continue()
    else
      await route.fulfill({
        status: 429,
        headers: { 'retry-after': '1' },
        json: { error: 'Too Many Requests', message: 'Too many', retryAfter: 1 },
      })
  })
  await page.getByText('No slides yet').waitFor()
  await bring(page, 'drop', await photos(3))
  await expectSlides(page, 3)
  expect(refusals).toBeGreaterThan(3)

  await context.setOffline(true)
  await bring(page, 'drop', await photos(2))
  await page.getByText('No network. Uploading continues by itself.').waitFor()
  await context.setOffline(false)
  await expectSlides(page, 5)

  const broken = Buffer.from([0xff, 0xd8, 0xff, 0xe0, 1, 2, 3])
  const film = Buffer.from('\0\0\0 ftypqt  and more')
  await bring(page, 'drop', [
    { name: 'broken.jpg', type: 'image/jpeg', bytes: broken },
    { name: 'first.mov', type: 'video/quicktime', bytes: film },
  ])
  await bring(page, 'drop', [{ name: 'second.mov', type: 'video/quicktime', bytes: film }])
  for (const [name, reason] of [
    ['broken.jpg', /^This file is damaged/],
    ['first.mov', /Save it as MP4/],
    ['second.mov', /Save it as MP4/],
  ] as const) {
    const line = page.locator('li', { hasText: name })
    await line.getByText(reason).waitFor()
    // A permanent refusal offers no retry.
    await expect.poll(() => line.getByRole('button').count()).toBe(1)
    await line.getByRole('button', { name: `Dismiss ${name}` }).click()
    await line.waitFor({ state: 'detached' })
  }
  await expectSlides(page, 5)
})

test('uploads survive a vault list that fails', async () => {
  const { page } = await visit('/sessions/new/manual')
  await page.route('**/api/user/media?*', (route) =>
    route.fulfill({ status: 500, json: { message: 'Failed to fetch user media' } }),
  )
  await page.getByRole('button', { name: 'Add slides' }).click()
  await page.getByRole('alert').getByText('Failed to fetch user media').waitFor()
  await bring(page, 'drop', await photos(4))
  await page.getByRole('button', { name: 'Add 4 slides' }).click()
  await expectSlides(page, 4)
})

test('pictures from the clipboard become slides, in the order in which they were taken', async () => {
  const { page, errors } = await visit('/sessions/new/manual')
  await page.getByText('No slides yet').waitFor()
  const later = await photo(1, '2024:06:14 10:00:00')
  const earlier = await photo(2, '2024:06:12 10:00:00')
  await bring(page, 'paste', [
    { name: 'later.jpg', type: 'image/jpeg', bytes: later },
    { name: 'earlier.jpg', type: 'image/jpeg', bytes: earlier },
  ])
  await expectSlides(page, 2)
  await expect.poll(() => page.getByLabel('Title').inputValue()).toMatch(/12.*14.*2024|2024/)
  await page.getByRole('button', { name: 'Make session' }).click()
  await page.waitForURL(/\/sessions\/\d+\/edit$/)
  const files = (await ana.vault.list()).files
  const [session] = await ana.sessions.list()
  const { media } = await ana.sessions.read({ params: { id: String(session?.id) } })
  const names = media.map(
    // The address of the display file contains the file's id.
    ({ mediaUrl }) => files.find(({ id }) => mediaUrl?.includes(`/derived/${id}/`))?.originalName,
  )
  expect(names).toEqual(['earlier.jpg', 'later.jpg'])
  await expectSlides(page, 2)
  expect(errors).toEqual([])
})

test('a plain zip is imported under its own name, in the editor it becomes slides', async () => {
  const zip = buildZip([
    { name: 'one.jpg', content: await photo(1), deflated: true },
    { name: 'two.jpg', content: await photo(2) },
    { name: 'readme.txt', content: 'words' },
  ])
  const { page } = await visit('/import')
  await page
    .getByLabel('A file to import')
    .setInputFiles([{ name: 'Harbours.zip', mimeType: 'application/zip', buffer: zip }])
  await page.getByRole('heading', { name: '2 pictures' }).waitFor()
  await page.getByText('1 file will be left out.').waitFor()
  await expect.poll(() => page.getByLabel('Title').inputValue()).toMatch(/^Harbours, /)
  await page.getByRole('button', { name: 'Import', exact: true }).click()
  await page.waitForURL(/\/sessions\/\d+$/)
  await page.getByText('All 2 uploaded').waitFor()

  await page.goto(`${world.url}/sessions/new/manual`)
  await page.getByText('No slides yet').waitFor()
  await bring(page, 'drop', [{ name: 'Harbours.zip', type: 'application/zip', bytes: zip }])
  await expectSlides(page, 2)
})

test('files that disappear before they can be read are left out, in a line with a name', async () => {
  const zip = buildZip([{ name: 'one.jpg', content: await photo(1) }])
  for (const path of ['/sessions/new/manual', '/vault']) {
    const { page } = await visit(path)
    await page.getByText(/^(No slides yet|Your vault is empty)/).waitFor()
    // Only its first four bytes can be read, as of a file on a disk that was unplugged.
    await page.evaluate(() => {
      const gone = () => Promise.reject(new DOMException('Gone', 'NotReadableError'))
      File.prototype.slice = function (this: File, start?: number, end?: number) {
        const part = new Blob([this]).slice(start, end)
        return part.size === 4 ? part : Object.assign(part, { arrayBuffer: gone })
      }
    })
    await bring(page, 'drop', [{ name: 'Gone.zip', type: 'application/zip', bytes: zip }])
    const line = page.getByRole('listitem').filter({ hasText: 'It could not be read.' })
    await line.getByText('…', { exact: true }).waitFor()
    await line.getByRole('button', { name: 'Dismiss …' }).click()
    await line.waitFor({ state: 'detached' })
  }
})

test('a chosen folder is a session under its name; a text dropped on the library goes to the import', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'lanternist-folder-'))
  try {
    const norway = join(folder, 'Norway')
    await mkdir(join(norway, 'Day 1'), { recursive: true })
    await writeFile(join(norway, 'b.jpg'), await photo(1, '2024:06:14 10:00:00'))
    await writeFile(join(norway, 'Day 1', 'a.jpg'), await photo(2, '2024:06:12 10:00:00'))
    const { page } = await visit('/import')
    await page.getByLabel('A folder to import').setInputFiles(norway)
    await page.getByRole('heading', { name: '2 pictures' }).waitFor()
    await expect.poll(() => page.getByLabel('Title').inputValue()).toMatch(/^Norway, .*2024/)

    await page.goto(`${world.url}/library`)
    await page.getByRole('heading', { level: 1, name: 'Sessions' }).waitFor()
    const list = Buffer.from('https://example.com/1.jpg\nhttps://example.com/2.jpg')
    await bring(page, 'drop', [{ name: 'list.txt', type: 'text/plain', bytes: list }])
    await page.getByRole('heading', { name: 'A list of 2 addresses' }).waitFor()
  } finally {
    await rm(folder, { recursive: true })
  }
})

test('uploads are paused, resumed and cancelled', async () => {
  const { page } = await visit('/library')
  await page.getByRole('heading', { level: 1, name: 'Sessions' }).waitFor()
  let held = Promise.withResolvers<void>()
  await page.route('**/api/media/upload', async (route) => {
    await held.promise
    // A paused request is already gone.
    await route.continue().catch(() => {})
  })
  await bring(page, 'drop', await photos(6))
  await page.getByRole('button', { name: 'Pause' }).click()
  await page.getByText('0 of 6 uploaded. Paused').waitFor()
  held.resolve()
  await page.getByRole('button', { name: 'Resume' }).click()
  await page.getByText('All 6 uploaded').waitFor()
  await page.getByRole('button', { name: 'Dismiss' }).click()

  held = Promise.withResolvers<void>()
  await bring(page, 'drop', await photos(6))
  await page.getByRole('button', { name: 'Cancel', exact: true }).click()
  await page.getByRole('button', { name: 'Dismiss' }).click()
  held.resolve()
  expect((await ana.sessions.list()).map(({ mediaCount }) => mediaCount)).toEqual([6])
})

test('nothing is uploaded to the vault of another account that signs in meanwhile', async () => {
  const bo = await world.as('bo')
  const { page, context } = await visit('/sessions/new/manual')
  await page.getByText('No slides yet').waitFor()
  const held = Promise.withResolvers<void>()
  let stopped = 0
  page.on('requestfailed', (request) => {
    if (request.url().endsWith('/api/media/upload')) stopped += 1
  })
  let begun = 0
  await page.route('**/api/media/upload', async (route) => {
    begun += 1
    await held.promise
    await route.continue().catch(() => {})
  })
  await bring(page, 'drop', await photos(6))
  await expect.poll(() => begun).toBe(3)
  const value = bo.jar.get('connect.sid') ?? ''
  await context.addCookies([{ name: 'connect.sid', value, url: world.url }])
  const otherTab = await context.newPage()
  await otherTab.goto(`${world.url}/library`)
  await otherTab.evaluate(() => localStorage.setItem('joip_auth_sync', String(Date.now())))
  await expect.poll(() => stopped).toBe(3)
  held.resolve()
  await otherTab.reload()
  await otherTab.getByRole('heading', { level: 1, name: 'Sessions' }).waitFor()
  expect((await bo.vault.list()).files).toEqual([])
  expect((await ana.vault.list()).files).toEqual([])
})

async function visit(path: string, prepare?: (context: BrowserContext) => Promise<void>) {
  visitors += 1
  const visited = await visitAs(browser, ana, world.url, {
    viewport: desktop,
    // Each visitor has an address, and so rate limits, of their own.
    extraHTTPHeaders: { 'x-forwarded-for': `203.0.113.${visitors}` },
  })
  openContexts.push(visited.context)
  await prepare?.(visited.context)
  await visited.page.goto(world.url + path)
  return visited
}
