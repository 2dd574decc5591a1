/** The editor of slides in a real Chromium, against the whole service with its demo captions. */
import { join } from 'node:path'
import type { Browser, BrowserContext, BrowserContextOptions, Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { buildWebIfStale } from '../../scripts/build-web.ts'
import { desktop, expectOpenToAll, findBarriers } from '../support/accessibility.ts'
import { openBrowser } from '../support/browser.ts'
import { paint, servePictures } from '../support/caption-world.ts'
import {
  addAddresses,
  captionsOf,
  drag,
  expectSlides,
  makeSession,
  savedCaptions,
  slide,
  visitAs,
} from '../support/editor-visit.ts'
import { createFakeFeed, pictures } from '../support/fake-feed.ts'
import { expectFocus } from '../support/focus.ts'
import type { Person, World } from '../support/world.ts'
import { createWorld } from '../support/world.ts'

let world: World
let browser: Browser
let site: Awaited<ReturnType<typeof servePictures>>
let ana: Person
const feed = createFakeFeed()
const openContexts: BrowserContext[] = []

beforeAll(async () => {
  await buildWebIfStale({ print: () => {} })
  site = await servePictures()
  const webFolder = join(import.meta.dirname, '../../dist/web')
  world = await createWorld({ FETCH_ALLOW: site.host }, { webFolder, feed })
  browser = await openBrowser()
})

beforeEach(async () => {
  await world.reset()
  feed.reset()
  ana = await world.as('ana')
})

afterEach(async () => {
  await Promise.all(openContexts.splice(0).map((context) => context.close()))
})

afterAll(async () => {
  await browser?.close()
  await world?.close()
  await site?.close()
})

test('a manual session is made from an upload, from addresses and from a feed', async () => {
  const post = { title: 'harbour at dawn', mediaUrl: site.url('/9.jpg'), thumbnail: null }
  feed.put('coast', pictures('coast', 1, post))
  const { page, errors } = await openVisit()
  await page.goto(`${world.url}/sessions/new`)
  await page.getByRole('link', { name: /^Upload photos/ }).click()

  await page.getByRole('button', { name: 'Add slides' }).click()
  await page.getByText('Your vault is empty').waitFor()
  const file = { name: 'own.jpg', mimeType: 'image/jpeg', buffer: await paint(1) }
  await page.getByLabel('Files to upload').setInputFiles([file])
  await page.getByRole('button', { name: 'own.jpg, chosen as 1' }).waitFor()
  await page.getByRole('button', { name: 'Add slide', exact: true }).click()

  await addAddresses(page, `${site.url('/2.jpg')}\nno address\n${site.url('/3.jpg')}`)
  await page.getByRole('button', { name: 'Add', exact: true }).click()
  await page.getByText('Feed', { exact: true }).click()
  await page.getByLabel('Search the feed').fill('harbour')
  await page.getByRole('button', { name: 'harbour at dawn' }).click()
  await page.getByRole('button', { name: 'Add slide', exact: true }).click()
  await expectSlides(page, 4)

  await page.getByRole('button', { name: 'Make session' }).click()
  await page.getByRole('alert').getByText('Enter a title').waitFor()
  await expectFocus(page, 'Title')
  await page.keyboard.type('Slow mornings')
  await page.getByRole('button', { name: 'Make session' }).click()
  await page.waitForURL(/\/sessions\/\d+\/edit$/)
  await page.getByText('Saved', { exact: true }).waitFor()

  const [made] = await ana.sessions.list()
  const { media } = await ana.sessions.read({ params: { id: String(made?.id) } })
  expect(made?.title).toBe('Slow mornings')
  expect(media.map(({ mediaUrl }) => mediaUrl?.replace(/^\/media\/.*/, 'own'))).toEqual([
    'own',
    site.url('/2.jpg'),
    site.url('/3.jpg'),
    site.url('/9.jpg'),
  ])
  expect(media[3]?.subfeed).toBe('coast')
  expect(errors).toEqual([])
})

test('a selection in one source survives a look at another', async () => {
  const post = { title: 'harbour at dawn', mediaUrl: site.url('/9.jpg'), thumbnail: null }
  feed.put('coast', pictures('coast', 1, post))
  const file = new File([new Uint8Array(await paint(1))], 'own.jpg', { type: 'image/jpeg' })
  await ana.vault.upload({ form: { file } })
  const { page, errors } = await openVisit()
  await page.goto(`${world.url}/sessions/new/manual`)
  await page.getByRole('button', { name: 'Add slides' }).click()
  const source = (name: string) => page.getByRole('radio', { name, exact: true })
  const dialog = page.getByRole('dialog')
  const add = dialog.getByRole('button', { name: /^Add slide/ })
  await page.getByRole('button', { name: 'own.jpg' }).click()
  await source('Vault').press('ArrowRight')
  await page.getByLabel('Addresses of pictures or videos').fill(`${site.url('/2.jpg')}\nno address`)
  await source('Addresses').press('ArrowRight')
  await page.getByLabel('Search the feed').fill('harbour')
  await page.getByRole('button', { name: 'harbour at dawn' }).click()

  await source('Feed').press('ArrowRight')
  await page.getByRole('button', { name: 'own.jpg, chosen as 1' }).waitFor()
  expect(await source('Vault').evaluate((one) => one === document.activeElement)).toBe(true)
  await expect.poll(() => add.count()).toBe(1)
  await source('Vault').press('ArrowRight')
  await expect.poll(() => dialog.getByRole('textbox').inputValue()).toContain('no address')
  expect(await dialog.getByRole('searchbox').count()).toBe(0)
  await source('Addresses').press('ArrowRight')
  await expect.poll(() => dialog.getByRole('searchbox').inputValue()).toBe('harbour')
  await page.getByRole('button', { name: 'harbour at dawn, chosen as 1' }).waitFor()
  await add.click()
  await expectSlides(page, 1)
  await page.getByRole('button', { name: 'Add', exact: true }).click()
  await page.getByRole('button', { name: 'own.jpg', exact: true }).waitFor()
  expect(errors).toEqual([])
})

test('slides are ordered by keyboard and by mouse, undone, done again and saved', async () => {
  const id = await makeSession(ana, site, ['One', 'Two', 'Three'])
  const { page } = await openEditor(id)

  await slide(page, 1).focus()
  await page.keyboard.press('Space')
  // The editor handles arrow keys after it has measured the positions and the timer of the pick-up has
  // fired.
  await page
    .getByText('The slide is at its original position, 1 of 3.')
    .waitFor({ state: 'attached' })
  await page.evaluate(() => new Promise((fired) => setTimeout(fired)))
  await page.keyboard.press('ArrowDown')
  await page.getByText('The slide is now at position 2 of 3.').waitFor({ state: 'attached' })
  await page.keyboard.press('Space')
  await page.getByText('Put down at position 2 of 3.').waitFor({ state: 'attached' })
  await expect.poll(() => captionsOf(page)).toEqual(['Two', 'One', 'Three'])

  await drag(page, 3, 1)
  await expect.poll(() => captionsOf(page)).toEqual(['Three', 'Two', 'One'])
  await page.keyboard.press('Control+z')
  await expect.poll(() => captionsOf(page)).toEqual(['Two', 'One', 'Three'])
  await page.keyboard.press('Control+Shift+z')
  await expect.poll(() => captionsOf(page)).toEqual(['Three', 'Two', 'One'])

  await slide(page, 1).focus()
  await page.keyboard.press('Alt+ArrowDown')
  await expect.poll(() => captionsOf(page)).toEqual(['Two', 'Three', 'One'])
  await page.keyboard.press('Control+s')
  await page.getByText('Saved', { exact: true }).waitFor()
  expect(await savedCaptions(ana, id)).toEqual(['Two', 'Three', 'One'])
})

test('a slide is captioned, timed and removed by hand, and what is undone is not saved', async () => {
  const id = await makeSession(ana, site, ['One', 'Two', 'Three'])
  const { page } = await openEditor(id)
  await page.getByLabel('Caption', { exact: true }).fill('Walk slowly.')
  await page.getByRole('figure').getByText('Walk slowly.').last().waitFor()
  await page.getByLabel('Seconds on screen').fill('2.5')
  await slide(page, 3).focus()
  await page.keyboard.press('Enter')
  await page.keyboard.press('Delete')
  await expectSlides(page, 2)
  await page.getByRole('button', { name: 'Undo' }).click()
  await expectSlides(page, 3)
  await slide(page, 2).click()
  await page.getByRole('button', { name: 'Remove slide' }).click()
  const save = page.getByRole('button', { name: 'Save' })
  await save.click()
  await page.getByText('Saved', { exact: true }).waitFor()
  expect(await save.evaluate((button) => button === document.activeElement)).toBe(true)
  const { media } = await ana.sessions.read({ params: { id: String(id) } })
  expect(media.map(({ caption, durationMs }) => [caption, durationMs])).toEqual([
    ['Walk slowly.', 2500],
    ['Three', null],
  ])
})

test('an AI writes a caption for a slide, its price is paid once, and a failure costs nothing', async () => {
  const id = await makeSession(ana, site, [null, 'Two'])
  const { page } = await openEditor(id)
  const keys: (string | undefined)[] = []
  page.on('request', (request) => {
    if (request.url().includes('/api/manual/')) keys.push(request.headers()['idempotency-key'])
  })
  await page.getByText('You have 50 credits, 40 after.').waitFor()
  await page.getByRole('button', { name: 'Suggest' }).click()
  await page.getByRole('button', { name: 'Use it' }).click()
  await page.getByText('You have 40 credits, 30 after.').waitFor()
  const written = await page.getByLabel('Caption', { exact: true }).inputValue()
  expect(written.length).toBeGreaterThan(20)

  await page.getByLabel('Instructions').fill('calmer')
  await page.getByRole('button', { name: 'Rewrite my caption' }).click()
  await page.getByRole('button', { name: 'Discard' }).click()
  await page.getByText('You have 30 credits, 20 after.').waitFor()
  await expect.poll(() => page.getByLabel('Caption', { exact: true }).inputValue()).toBe(written)

  await page.route('**/api/manual/generate-ai-caption', (route) =>
    route.fulfill({ status: 502, json: { error: 'The caption could not be written' } }),
  )
  await page.getByRole('button', { name: 'Suggest' }).click()
  await page.getByRole('alert').getByText('Nothing was charged.').waitFor()
  expect(keys.map((key) => key?.length)).toEqual([32, 32, 32])
  expect(new Set(keys).size).toBe(3)
})

test('all slides are captioned with progress from the session’s events, and that is one step to undo', async () => {
  const id = await makeSession(ana, site, [null, null, null])
  const { page } = await openEditor(id)
  await page.getByRole('button', { name: 'Caption all' }).click()
  await page.getByText('You have 50, 26 after.').waitFor()
  await page.getByRole('button', { name: 'Write captions' }).click()
  await page.getByText('Writing captions, 0 of 3').waitFor()
  await page.getByText('Captions are being written').waitFor()
  // The job is enqueued only after the page listens to the events.
  await expect.poll(() => world.runJobs()).toBeGreaterThan(0)
  await page.getByText('3 captions were written.').waitFor()
  const captions = await captionsOf(page)
  expect(captions).toEqual(await savedCaptions(ana, id))
  expect(captions).not.toContain('no caption')
  await page.getByText('Saved', { exact: true }).waitFor()
  await page.getByText('You have 26 credits').waitFor()

  await page.keyboard.press('Control+z')
  expect(await captionsOf(page)).toEqual(['no caption', 'no caption', 'no caption'])
  await page.getByText('Not saved yet').waitFor()
})

test('captions arrive without the events too', async () => {
  const id = await makeSession(ana, site, [null, null])
  const { page } = await openEditor(id)
  await page.route('**/events', (route) => route.fulfill({ status: 503 }))
  await page.getByRole('button', { name: 'Caption all' }).click()
  await page.getByRole('button', { name: 'Write captions' }).click()
  await expect.poll(() => world.runJobs()).toBeGreaterThan(0)
  await page.getByText('2 captions were written.').waitFor()
  await expect.poll(() => captionsOf(page)).toEqual(await savedCaptions(ana, id))
})

test('existing captions are rewritten together', async () => {
  const id = await makeSession(ana, site, ['One way to see it', 'Another way to see it'])
  const { page } = await openEditor(id)
  await page.getByRole('button', { name: 'Caption all' }).click()
  await page.getByText('Say how they should be rewritten.').waitFor()
  await page.getByLabel('How to rewrite them').fill('calmer')
  await page.getByRole('dialog').getByRole('button', { name: 'Rewrite' }).click()
  await page.getByText('2 captions were rewritten.').waitFor()
  expect(await captionsOf(page)).not.toContain('One way to see it')
  await page.getByText('You have 34 credits').waitFor()
})

test('two tabs: the slower one chooses, and nothing is lost silently', async () => {
  const id = await makeSession(ana, site, ['One', 'Two'])
  const { page: mine, context } = await openEditor(id)
  const other = await context.newPage()
  await other.goto(`${world.url}/sessions/${id}/edit`)
  const change = async (page: Page, caption: string) => {
    await slide(page, 1).click()
    await page.getByLabel('Caption', { exact: true }).fill(caption)
    await page.getByRole('button', { name: 'Save' }).click()
  }
  await change(other, 'Theirs')
  await other.getByText('Saved', { exact: true }).waitFor()
  await change(mine, 'Mine')
  await mine.getByRole('heading', { name: 'This session was changed elsewhere' }).waitFor()
  expect(await findBarriers(mine)).toEqual([])
  expect(await savedCaptions(ana, id)).toEqual(['Theirs', 'Two'])
  await mine.getByRole('button', { name: 'Use the other version' }).click()
  expect(await captionsOf(mine)).toEqual(['Theirs', 'Two'])
  await mine.getByRole('button', { name: 'Undo' }).click()
  expect(await captionsOf(mine)).toEqual(['Mine', 'Two'])

  await change(other, 'Theirs again')
  await other.getByText('Saved', { exact: true }).waitFor()
  await mine.getByRole('button', { name: 'Save' }).click()
  await mine.getByRole('button', { name: 'Keep my version' }).click()
  await mine.getByText('Saved', { exact: true }).waitFor()
  expect(await savedCaptions(ana, id)).toEqual(['Mine', 'Two'])
})

test('leaving with unsaved work asks, by a link and by going back', async () => {
  const id = await makeSession(ana, site, ['One'])
  const { page } = await openVisit()
  await page.goto(`${world.url}/sessions/${id}`)
  await page.getByRole('link', { name: 'Edit slides' }).click()
  await page.getByLabel('Caption', { exact: true }).fill('Unsaved')
  await page.getByRole('link', { name: 'Community' }).first().click()
  await page.getByRole('heading', { name: 'Leave without saving?' }).waitFor()
  await page.getByRole('button', { name: 'Stay' }).click()
  await page.goBack()
  await page.getByRole('heading', { name: 'Leave without saving?' }).waitFor()
  expect(page.url()).toBe(`${world.url}/sessions/${id}/edit`)
  await page.getByRole('button', { name: 'Save and leave' }).click()
  await page.waitForURL(`${world.url}/sessions/${id}`)
  expect(await savedCaptions(ana, id)).toEqual(['Unsaved'])
})

test('no part of the editor has a barrier', async () => {
  const id = await makeSession(ana, site, ['One', null, 'Three'])
  const file = new File([new Uint8Array(await paint(1))], 'own.jpg', { type: 'image/jpeg' })
  await ana.vault.upload({ form: { file } })
  const { page, errors } = await openEditor(id)
  await expectOpenToAll(page, 'editor')
  await page.getByRole('button', { name: 'Caption all' }).click()
  await page.getByRole('heading', { name: 'Caption all slides' }).waitFor()
  await expectOpenToAll(page, 'caption all')
  await page.keyboard.press('Escape')
  await page.getByRole('button', { name: 'Add', exact: true }).click()
  await page.getByRole('button', { name: 'own.jpg' }).click()
  await expectOpenToAll(page, 'vault')
  await page.getByText('Feed', { exact: true }).click()
  await page.getByText('Enter a word').waitFor()
  await expectOpenToAll(page, 'feed')
  await page.goto(`${world.url}/sessions/new/manual`)
  await page.getByText('No slides yet').waitFor()
  await expectOpenToAll(page, 'empty')
  expect(errors).toEqual([])
})

async function openVisit(options: BrowserContextOptions = {}) {
  const visit = await visitAs(browser, ana, world.url, { viewport: desktop, ...options })
  openContexts.push(visit.context)
  return visit
}

async function openEditor(id: number) {
  const visit = await openVisit()
  await visit.page.goto(`${world.url}/sessions/${id}/edit`)
  await slide(visit.page, 1).waitFor()
  return visit
}
