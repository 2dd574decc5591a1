/**
 * The vault in a real Chromium: files are found, selected, shared, made into sessions, deleted and
 * restored.
 */
import { join } from 'node:path'
import type { Browser, BrowserContext, BrowserContextOptions, Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { buildWebIfStale } from '../../scripts/build-web.ts'
import { desktop, expectOpenToAll, phone } from '../support/accessibility.ts'
import { openBrowser } from '../support/browser.ts'
import { expectSlides, visitAs } from '../support/editor-visit.ts'
import { bring, photo, photos } from '../support/file-visit.ts'
import { fileOf, userIdOf } from '../support/vault-world.ts'
import { createWorld, type Person, type World } from '../support/world.ts'

let world: World
let browser: Browser
let ana: Person
const openContexts: BrowserContext[] = []

beforeAll(async () => {
  await buildWebIfStale({ print: () => {} })
  const webFolder = join(import.meta.dirname, '../../dist/web')
  world = await createWorld({}, { webFolder })
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

test('files are dropped, found by name, selected by mouse and become a session', async () => {
  const { page, errors } = await visit('/vault')
  await page.getByText('Your vault is empty').waitFor()
  await bring(page, 'drop', await photos(12))
  await expectTiles(page, 12)
  await page.getByText('12 files. Only you see them.').waitFor()
  const storage = page.getByRole('region', { name: 'Storage' })
  await storage.getByText(/^\d+(\.\d)? (kB|MB) of 5 GB used$/).waitFor()

  await page.getByLabel('Name, caption').fill('IMG_1')
  await expectTiles(page, 4)
  await page.getByLabel('Name, caption').fill('nothing like it')
  await page.getByText('No files found').waitFor()
  await page.getByRole('button', { name: 'Show all' }).click()
  await expectTiles(page, 12)
  await page.getByRole('button', { name: /^Uploads/ }).click()
  await page.getByLabel('Added').selectOption('today')
  await expectTiles(page, 12)
  expect(new URL(page.url()).search).toBe('?kind=upload&added=today')

  const tiles = page.getByRole('gridcell')
  await tiles.nth(0).hover()
  await tiles.nth(0).getByRole('button').click()
  await tiles.nth(3).click({ modifiers: ['Shift'] })
  await page.getByText(/^4 selected, /).waitFor()
  await tiles.nth(1).click()
  await page.getByText(/^3 selected, /).waitFor()
  await page.getByRole('button', { name: 'Make a session' }).click()
  await page.getByLabel('Title').fill('Three of them')
  await page.getByRole('button', { name: 'Make session' }).click()
  await page.waitForURL(/\/sessions\/\d+\/edit$/)
  await expectSlides(page, 3)
  expect((await ana.sessions.list()).map(({ title }) => title)).toEqual(['Three of them'])
  expect(errors).toEqual([])
})

test('files that are already in the vault are pointed out, and uploaded again only on request', async () => {
  await store(3)
  const { page } = await visit('/vault')
  await expectTiles(page, 3)
  const same = await photo(0)
  await bring(page, 'paste', [
    { name: 'copy.jpg', type: 'image/jpeg', bytes: same },
    { name: 'new, once.jpg', type: 'image/jpeg', bytes: await photo(7) },
    { name: 'new, twice.jpg', type: 'image/jpeg', bytes: await photo(7) },
  ])
  const known = page.getByRole('region', { name: '2 files are in your vault already' })
  await known.getByText('copy.jpg, the same as IMG_1.jpg').waitFor()
  await known.getByText('new, twice.jpg, the same as new, once.jpg').waitFor()
  await expectTiles(page, 4)
  await known.getByRole('button', { name: 'Skip' }).click()
  await known.waitFor({ state: 'detached' })
  expect((await ana.vault.list()).totalCount).toBe(4)

  await page
    .getByLabel('Files to upload')
    .setInputFiles([{ name: 'copy.jpg', mimeType: 'image/jpeg', buffer: same }])
  await page.getByRole('button', { name: 'Upload anyway' }).click()
  await expectTiles(page, 5)
})

test('files in the trash disappear at once, and are restored with one press', async () => {
  await store(4)
  const { page } = await visit('/vault')
  await expectTiles(page, 4)
  const first = page.getByRole('gridcell').first()
  await first.click({ modifiers: ['Control'] })
  await page.getByRole('button', { name: 'Move to trash' }).click()
  await expectTiles(page, 3)
  await page.getByRole('button', { name: 'Undo' }).click()
  await expectTiles(page, 4)
  expect((await ana.vault.list()).totalCount).toBe(4)

  await page
    .getByRole('gridcell')
    .first()
    .click({ modifiers: ['Control'] })
  await page.getByRole('gridcell').nth(1).click()
  await page.getByRole('button', { name: 'Move to trash' }).click()
  await page.getByText('2 files moved to the trash').waitFor()
  await page.getByRole('button', { name: 'Dismiss' }).click()
  await expect.poll(async () => (await ana.vault.list()).totalCount).toBe(2)
  await expectTiles(page, 2)
  await page.getByText('2 files. Only you see them.').waitFor()

  // The trash keeps a file even when the person leaves the page while the undo is on offer.
  await page
    .getByRole('gridcell')
    .first()
    .click({ modifiers: ['Control'] })
  await page.getByRole('button', { name: 'Move to trash' }).click()
  await expectTiles(page, 1)
  await page.getByText('1 file moved to the trash').waitFor()
  await page.close()
  expect((await ana.vault.list()).totalCount).toBe(1)
  expect((await ana.trash.list()).items).toHaveLength(3)
})

test('the keyboard alone goes from file to file, selects, opens and deletes', async () => {
  await store(9)
  const { page } = await visit('/vault')
  await expectTiles(page, 9)
  await page.getByLabel('Added').focus()
  await page.keyboard.press('Tab')
  const focused = () => page.evaluate(() => document.activeElement?.textContent)
  expect(await focused()).toBe('IMG_9.jpg')
  await page.keyboard.press('ArrowRight')
  expect(await focused()).toBe('IMG_8.jpg')
  await page.keyboard.press('Space')
  await page.keyboard.press('Shift+ArrowRight')
  await page.keyboard.press('Shift+ArrowRight')
  await page.getByText(/^3 selected, /).waitFor()
  await page.keyboard.press('Escape')
  await page.getByRole('toolbar').waitFor({ state: 'detached' })
  await page.keyboard.press('End')
  await expect.poll(focused).toBe('IMG_1.jpg')
  await page.keyboard.press('ArrowUp')
  await page.keyboard.press('Home')
  await expect.poll(focused).toBe('IMG_9.jpg')
  await page.keyboard.press('Control+a')
  await page.getByText(/^9 selected, /).waitFor()
  await page.keyboard.press('Escape')
  await page.keyboard.press('Delete')
  await expectTiles(page, 8)
  await page.getByRole('button', { name: 'Undo' }).click()
  await expectTiles(page, 9)
  await page.getByRole('gridcell').first().getByRole('link').focus()
  await page.keyboard.press('Enter')
  await page.waitForURL(/\/vault\/\d+$/)
  await page.getByRole('heading', { level: 1, name: 'IMG_9.jpg' }).waitFor()
})

test('by touch a long press selects a file, and then every touch selects', async () => {
  await store(5)
  const { page } = await visit('/vault', { viewport: phone, hasTouch: true, isMobile: true })
  await expectTiles(page, 5)
  const tile = await page.getByRole('gridcell').nth(1).boundingBox()
  const point = { x: (tile?.x ?? 0) + 30, y: (tile?.y ?? 0) + 60 }
  const devtools = await page.context().newCDPSession(page)
  await devtools.send('Input.dispatchTouchEvent', { type: 'touchStart', touchPoints: [point] })
  await page.getByText(/^1 selected, /).waitFor()
  await devtools.send('Input.dispatchTouchEvent', { type: 'touchEnd', touchPoints: [] })
  await page.getByRole('gridcell').nth(3).tap()
  await page.getByText(/^2 selected, /).waitFor()
  await page.getByRole('button', { name: 'Done' }).click()
  await page.getByRole('gridcell').nth(3).tap()
  await page.waitForURL(/\/vault\/\d+$/)
})

test('the page of a file shows its details, its link, the community, and where it is used', async () => {
  const [id] = await store(1)
  await world.runJobs()
  await ana.sessions.createManual({
    body: { title: 'With a lamp', slides: [{ mediaId: Number(id) }] },
  })
  const { page, errors } = await visit(`/vault/${id}`)
  await page.getByText('360 × 240 pixels').waitFor()
  await page.getByRole('link', { name: 'With a lamp' }).waitFor()
  await page.getByText('Only you see it.').waitFor()
  const picture = await page.getByRole('main').locator('img').first().boundingBox()
  const details = await page.getByRole('heading', { name: 'Details' }).boundingBox()
  expect((picture?.x ?? 0) + (picture?.width ?? 0)).toBeLessThan(details?.x ?? 0)
  await expectOpenToAll(page, 'one file')

  // Unlike check(), which reads the state before the page has drawn the click.
  const favourite = page.getByRole('switch', { name: 'Favourite' })
  await favourite.click()
  await expect.poll(() => favourite.isChecked()).toBe(true)
  const tags = page.getByRole('group', { name: 'Tags' }).getByRole('button')
  const tag = (await tags.first().textContent()) ?? ''
  await tags.first().click()
  await expect
    .poll(async () => (await ana.vault.list()).files)
    .toMatchObject([{ isFavorite: true, tags: [expect.any(String)] }])
  await page.reload()
  await page.getByRole('button', { name: tag, pressed: true }).waitFor()
  await expect.poll(() => favourite.isChecked()).toBe(true)

  await page.getByRole('button', { name: 'Share' }).click()
  await page.getByRole('button', { name: 'Make the link' }).click()
  const link = await page.getByRole('textbox', { name: 'Link' }).inputValue()
  await page.getByRole('button', { name: 'Publish' }).click()
  await page.getByRole('alert').getByText('Choose at least one tag.').waitFor()
  await page
    .getByRole('dialog')
    .getByRole('group', { name: 'Tags' })
    .getByRole('button')
    .first()
    .click()
  await page.getByRole('button', { name: 'Publish' }).click()
  await page.getByRole('alert').getByText('Confirm that you may publish it.').waitFor()
  await page.getByRole('switch', { name: 'I may publish this' }).check()
  await page.getByRole('switch', { name: 'For adults only' }).uncheck()
  await page.getByRole('button', { name: 'Publish' }).click()
  await page.getByText('It is in the community now.').waitFor()
  expect((await ana.vault.list()).files).toMatchObject([{ isShared: true, shareToCommunity: true }])
  await expectOpenToAll(page, 'sharing a file')

  const bo = await world.as('bo')
  const stranger = await visit(new URL(link).pathname, {}, bo)
  await stranger.page.getByRole('heading', { name: 'IMG_1.jpg' }).waitFor()
  await stranger.page.goto(`${world.url}/vault/${id}`)
  await stranger.page.getByText('Page not found').waitFor()

  await page.getByRole('button', { name: 'Unpublish', exact: true }).click()
  await page.getByText('It was withdrawn from the community.').waitFor()
  await page.getByRole('button', { name: 'Remove the link' }).click()
  await page.getByText('Only you see it.').waitFor()
  expect((await ana.vault.list()).files).toMatchObject([{ isShared: false }])
  expect(errors).toEqual([])
})

test('a file that is published for adults says that its link needs a confirmed age', async () => {
  const [id] = await store(1)
  await world.runJobs()
  await ana.accounts.verifyAge({ body: { birthDate: '1990-01-01', ageVerified: true } })
  const { page } = await visit(`/vault/${id}`)
  await page.getByRole('button', { name: 'Share' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('button', { name: 'Make the link' }).click()
  const link = dialog.getByRole('region', { name: 'Link' })
  await link.getByText('Anyone with the link can see this file').waitFor()
  await dialog
    .getByText('Then only members who have confirmed their age can see it, even with the link')
    .waitFor()

  await dialog.getByRole('group', { name: 'Tags' }).getByRole('button').first().click()
  await page.getByRole('switch', { name: 'I may publish this' }).check()
  await page.getByRole('button', { name: 'Publish' }).click()
  await link.getByText('Only members who have confirmed their age can see this file').waitFor()
  expect(await page.getByText('Anyone with the link').count()).toBe(0)
  await page.getByText('in the community, for members who have confirmed their age').waitFor()

  // A file that was published as adult is still adult at its link.
  await page.getByRole('button', { name: 'Unpublish', exact: true }).click()
  await page.getByText('It was withdrawn from the community.').waitFor()
  await link.getByText('Only members who have confirmed their age can see this file').waitFor()
  await page.getByText('Members who have confirmed their age can see it with the link.').waitFor()
  expect(await page.getByText('Anyone with the link').count()).toBe(0)
})

test('of a thousand files only visible ones are rendered, and the others follow on scrolling', async () => {
  await fillVault(1000)
  const { page } = await visit('/vault')
  await page.getByText('1,000 files. Only you see them.').waitFor()
  const drawn = () => page.getByRole('gridcell').count()
  await expect.poll(drawn).toBeGreaterThan(10)
  await page.getByRole('gridcell').first().getByRole('link').focus()
  await expect
    .poll(async () => {
      await page.keyboard.press('End')
      return await page.evaluate(() => document.activeElement?.textContent)
    })
    .toBe('Picture 0.jpg')
  expect(await drawn()).toBeLessThan(150)
  await page.keyboard.press('Home')
  await expect.poll(() => page.evaluate(() => window.scrollY)).toBeLessThan(400)
})

test('the vault is accessible, in German as well, and says when it cannot be shown', async () => {
  const [shared = ''] = await store(6)
  await ana.vault.share({ params: { id: shared }, body: { shareToCommunity: false } })
  await world.runJobs()
  const { page, errors } = await visit('/vault')
  await expectTiles(page, 6)
  await page.getByRole('link', { name: 'IMG_1.jpg Shared by a link' }).waitFor()
  await page
    .getByRole('gridcell')
    .first()
    .click({ modifiers: ['Control'] })
  await expectOpenToAll(page, 'the vault')

  const german = await visit('/vault', { locale: 'de-DE' })
  await german.page.getByText('6 Dateien. Nur du siehst sie.').waitFor()
  expect(errors).toEqual([])

  const broken = await visit('/library')
  await broken.page.route('**/api/user/media?*', (route) =>
    route.fulfill({ status: 500, json: { message: 'Failed to fetch user media' } }),
  )
  await broken.page.getByRole('link', { name: 'Vault' }).first().click()
  await broken.page.getByRole('alert').getByText('Failed to fetch user media').waitFor()
  await broken.page.unroute('**/api/user/media?*')
  await broken.page.getByRole('button', { name: 'Try again' }).click()
  await expectTiles(broken.page, 6)
})

async function visit(path: string, options: BrowserContextOptions = {}, person = ana) {
  const visited = await visitAs(browser, person, world.url, {
    viewport: desktop,
    locale: 'en-GB',
    ...options,
  })
  openContexts.push(visited.context)
  await visited.page.goto(world.url + path)
  return visited
}

async function expectTiles(page: Page, count: number): Promise<void> {
  await expect.poll(() => page.getByRole('gridcell').count()).toBe(count)
}

/** Stores photos in the vault and returns their ids, in order. */
async function store(count: number): Promise<string[]> {
  const ids: string[] = []
  for (const { name, type, bytes } of await photos(count)) {
    const { media } = await ana.vault.upload({ form: { file: fileOf(bytes, name, type) } })
    ids.push(String(media?.id))
  }
  return ids
}

/** Inserts rows only. Their pictures cannot be loaded, but the list shows them. */
async function fillVault(count: number): Promise<void> {
  const userId = await userIdOf(ana)
  await world.ctx.db
    .insertInto('vault_media')
    .values(
      Array.from({ length: count }, (_, n) => ({
        user_id: userId,
        name: `Picture ${n}.jpg`,
        original_name: `Picture ${n}.jpg`,
        file_name: `${n}.jpg`,
        file_path: `users/${userId}/General/${n}.jpg`,
        mime_type: 'image/jpeg',
        source: 'general' as const,
        width: 300 + (n % 7) * 40,
        height: 240,
        enrichment_status: 'completed' as const,
        created_at: new Date(Date.UTC(2026, 0, 1) + n * 60_000),
      })),
    )
    .execute()
}
