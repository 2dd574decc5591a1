/** The import page in a real Chromium, against the whole service and a remote site of the test. */
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { expectOpenToAll, phone } from '../support/accessibility.ts'
import { createImportPageWorld, type ImportPageWorld } from '../support/import-page-world.ts'
import type { ImportSite } from '../support/import-site.ts'
import { eventually } from '../support/eventually.ts'
import { drag, dropFile, holdImports, listing } from '../support/import-visit.ts'
import type { Person } from '../support/world.ts'

let world: ImportPageWorld
let site: ImportSite
let ana: Person

beforeAll(async () => {
  world = await createImportPageWorld()
  ;({ site } = world)
})

beforeEach(async () => {
  await world.reset()
  site.hold()
  ana = await world.as('ana')
})

afterEach(async () => {
  site.release()
  await world.closeVisits()
})

afterAll(() => world?.close())

/** Addresses of two pictures, two that wait, two that are missing, and one web page. */
const addresses = () =>
  ['/1.jpg', '/2.jpg', '/gone/1.jpg', '/gone/2.jpg', '/page', '/late/3.jpg', '/late/4.jpg']
    .map(site.url)
    .join('\n')

test('a dropped list is recognised, imported with its progress, and left out items are named', async () => {
  const { page, context, errors } = await visit()
  await context.grantPermissions(['clipboard-read', 'clipboard-write'])
  await page.goto(`${world.url}/library`)
  await page.getByRole('link', { name: 'Import' }).click()
  await dropFile(page, 'Slow mornings.txt', addresses())
  await page.getByRole('heading', { name: 'A list of 7 addresses' }).waitFor()
  await expect.poll(() => page.getByLabel('Title').inputValue()).toBe('Slow mornings')
  await page.getByRole('button', { name: 'Import', exact: true }).click()

  await page.getByRole('heading', { name: 'Slow mornings' }).waitFor()
  await page.getByText('Copying, 0 of 7 checked').waitFor()
  const copied = world.runJobs()
  await page.getByText('Copying, 5 of 7 checked').waitFor()
  await expect.poll(() => page.getByLabel('Pictures copied').getAttribute('value')).toBe('5')
  await expect
    .poll(() => page.getByRole('link', { name: 'Play it now' }).getAttribute('href'))
    .toMatch(/^\/play\/\d+$/)
  site.release()
  await copied
  await page.getByText('4 slides were imported. 3 items were left out.').waitFor()

  const report = page.getByRole('region', { name: '3 left out' })
  await report.getByText('There is nothing at this address').waitFor()
  await report.getByText(site.url('/gone/1.jpg')).waitFor()
  await report.getByRole('button', { name: 'Copy the list' }).click()
  await report.getByRole('button', { name: 'Copied' }).waitFor()
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(
    [
      'There is nothing at this address:',
      site.url('/gone/1.jpg'),
      site.url('/gone/2.jpg'),
      '',
      'This is not a JPEG, PNG, WebP, GIF, MP4 or WebM file:',
      site.url('/page'),
    ].join('\n'),
  )
  await page.reload()
  await page.getByText('4 slides were imported. 3 items were left out.').waitFor()
  await page.getByRole('link', { name: 'Open session' }).click()
  await page.getByRole('region', { name: '3 left out' }).waitFor()
  await expect.poll(() => page.getByRole('listitem').getByRole('img').count()).toBe(4)
  expect(errors).toEqual([])
})

test('the session’s own page shows the progress of the copy, and what is left out', async () => {
  const urls = addresses().split('\n')
  const { session } = await ana.imports.importSession({ body: { title: 'On its way', urls } })
  const { page } = await visit()
  await page.goto(`${world.url}/sessions/${session.id}`)
  await page.getByRole('heading', { name: 'On its way' }).waitFor()
  expect(await page.getByRole('region', { name: /left out/ }).count()).toBe(0)
  const copied = world.runJobs()
  await page.getByText('Copying, 5 of 7 checked').waitFor()
  await page.getByRole('region', { name: '3 left out' }).waitFor()
  site.release()
  await copied
  await expect.poll(() => page.getByText(/^Copying/).count()).toBe(0)
  await page.getByText('4 slides ·').waitFor()
})

test('an import stays finished when slides are added to its session later', async () => {
  const id = await world.importWhole(ana, 'Slow mornings')
  const params = { id: String(id) }
  const { media } = await ana.sessions.read({ params })
  const slides = [...media.map(({ id }) => ({ id })), { mediaUrl: site.url('/3.jpg') }]
  await ana.sessions.replaceMedia({ params, body: { slides } })
  const { page } = await visit()
  await page.goto(`${world.url}/import?session=${id}`)
  await page.getByText('3 slides were imported. Nothing was left out.').waitFor()
  expect(await page.getByText(/^Copying/).count()).toBe(0)
})

test('a pasted listing is recognised and asks for a title, which it suggests', async () => {
  const { page, errors } = await visit()
  await page.goto(`${world.url}/import`)
  const field = page.getByLabel('Or paste it here')
  await field.fill('{"kind":"Listing"')
  await field.blur()
  await page.getByRole('alert').getByText('looks like JSON').waitFor()
  await field.fill(JSON.stringify(listing(site.postedUrl)))
  await page.getByRole('heading', { name: 'A Reddit listing with 3 posts' }).waitFor()
  await page.getByText('All from r/harbours').waitFor()
  expect(await page.getByRole('alert').getByText('JSON').count()).toBe(0)

  await expect.poll(() => page.getByLabel('Title').inputValue()).toBe('harbours')
  await page.getByLabel('Title').fill(' ')
  await page.getByRole('button', { name: 'Import', exact: true }).click()
  await page.getByText('Enter a title.').waitFor()
  await page.getByLabel('Title').fill('Harbours')
  site.release()
  await page.getByRole('button', { name: 'Import', exact: true }).click()
  await page.getByRole('heading', { name: 'Harbours' }).waitFor()
  await world.runJobs()
  await page.getByText('2 slides were imported. One item was left out.').waitFor()
  await page.getByText('This post has no picture or video').waitFor()
  expect(errors).toEqual([])
})

test('text without an address is refused with a message, pasted or typed', async () => {
  const { page, context } = await visit()
  await context.grantPermissions(['clipboard-read', 'clipboard-write'])
  await page.goto(`${world.url}/import`)
  const field = page.getByLabel('Or paste it here')
  const why = page.getByRole('alert').getByText('No address was found')
  await field.waitFor()
  await page.setViewportSize(phone)
  await page.evaluate(() => navigator.clipboard.writeText('hello world'))
  await field.press('ControlOrMeta+v')
  await why.waitFor()
  const navigationTop = (await page.locator('nav:visible').last().boundingBox())?.y
  const endOfWords = async () => {
    const box = await why.boundingBox()
    return box ? box.y + box.height : Infinity
  }
  await expect.poll(endOfWords).toBeLessThanOrEqual(navigationTop ?? 0)
  await field.fill('')
  await why.waitFor({ state: 'detached' })
  // Some phone keyboards paste text this way.
  await page.keyboard.insertText('hello world')
  await why.waitFor()
  await field.fill('')
  await field.pressSequentially('hello')
  await why.waitFor()
})

test('an imgchest post for adults needs a verified age, and is imported under its own title', async () => {
  const links = ['/1.jpg', '/2.jpg'].map(site.postedUrl)
  await world.bringImgchest({ abc123: { title: 'Tides', nsfw: true, links } })
  const { page } = await visit()
  await page.goto(`${world.url}/import`)
  await page.getByLabel('Or paste it here').fill('https://imgchest.com/p/abc123')
  await page.getByRole('heading', { name: 'An imgchest post' }).waitFor()
  await page.getByRole('button', { name: 'Import', exact: true }).click()
  await page.getByLabel('Date of birth').fill('1990-01-01')
  await page.getByRole('button', { name: 'Confirm my age' }).click()
  await page.getByRole('heading', { name: 'Tides' }).waitFor()
  await world.runJobs()
  await page.getByText('2 slides were imported. Nothing was left out.').waitFor()
})

test('links dragged from another window are taken wherever they are dropped', async () => {
  const { page } = await visit()
  await page.goto(`${world.url}/import`)
  await page.getByRole('heading', { name: 'Import', exact: true }).waitFor()
  const link = { 'text/uri-list': `# a link\r\n${site.url('/1.jpg')}`, 'text/plain': 'A harbour' }
  // A real drag repeats this event while the pointer holds the link.
  await eventually(async () => {
    await drag(page, 'dragover', 'h1', link)
    expect(await page.getByText('Drop to import').count()).toBe(1)
  })
  await drag(page, 'drop', 'h1', link)
  await page.getByRole('heading', { name: 'A list of 1 address' }).waitFor()
  await page.getByText('Or import something else').waitFor()
})

test('if nothing can be imported, the reasons are shown and nothing is created', async () => {
  const { page } = await visit()
  await page.goto(`${world.url}/import`)
  const list = 'http://10.0.0.1/1.jpg\nhttps://example.com/words.pdf'
  await page.getByLabel('Or paste it here').fill(list)
  await page.getByLabel('Title').fill('Nothing')
  await page.getByRole('button', { name: 'Import', exact: true }).click()
  await page.getByRole('alert').getByText('None of this can be imported').waitFor()
  await page
    .getByRole('region', { name: '2 left out' })
    .getByText('http://10.0.0.1/1.jpg')
    .waitFor()
  expect(await ana.sessions.list()).toEqual([])
})

test('a file that cannot be imported is refused with a message, by keyboard too', async () => {
  const { page } = await visit()
  await page.goto(`${world.url}/import`)
  await page.getByRole('heading', { name: 'Import', exact: true }).waitFor()
  const chooser = page.waitForEvent('filechooser')
  await page.getByLabel('A file to import').focus()
  await page.keyboard.press('Enter')
  const picture = { name: 'own.jpg', mimeType: 'image/jpeg', buffer: Buffer.from('x') }
  await (await chooser).setFiles([picture])
  await page.getByRole('alert').getByText('“own.jpg” is not a JPEG').waitFor()
})

test('a session is downloaded as a zip, and what was downloaded becomes a session again', async () => {
  const id = await world.importWhole(ana, 'Slow mornings')
  const { page, errors } = await visit()
  await page.goto(`${world.url}/sessions/${id}`)
  await page.getByRole('button', { name: 'More', exact: true }).click()
  const download = page.waitForEvent('download')
  await page.getByRole('menuitem', { name: 'Download as a zip' }).click()
  const zip = await (await download).path()

  await page.goto(`${world.url}/import`)
  await page.getByLabel('A file to import').setInputFiles(zip)
  await page.getByRole('heading', { name: /^An archive, [\d.]+ kB$/ }).waitFor()
  expect(await page.getByLabel('Title').count()).toBe(0)
  await page.getByRole('button', { name: 'Import', exact: true }).click()
  await page.getByText('2 slides were imported. Nothing was left out.').waitFor()
  expect((await ana.sessions.list()).map(({ title }) => title)).toEqual([
    'Slow mornings',
    'Slow mornings',
  ])
  expect(errors).toEqual([])
})

test('an archive shows its progress and can be stopped; a broken one is refused with a message', async () => {
  const { page } = await visit()
  const letThrough = await holdImports(page)
  // Until this script is loaded, dropped files are kept for it. They would arrive after the archive.
  const listening = page.waitForResponse((script) => script.url().includes('/drop-region-'))
  await page.goto(`${world.url}/import`)
  await (await listening).finished()
  const buffer = Buffer.from(`PK\u0003\u0004${'x'.repeat(100_000)}`)
  const zip = { name: 'broken.zip', mimeType: 'application/zip', buffer }
  await page.getByLabel('A file to import').setInputFiles([zip])
  const begin = page.getByRole('button', { name: 'Import', exact: true })
  await begin.click()
  await page.getByLabel('Uploading the archive').waitFor()
  await dropFile(page, 'other.txt', addresses())
  await page.getByRole('heading', { name: /^An archive/ }).waitFor()
  await page.getByRole('button', { name: 'Stop' }).click()
  await begin.waitFor()
  expect(await page.getByRole('alert').getByText(/./).count()).toBe(0)
  letThrough()
  await begin.click()
  await page
    .getByRole('alert')
    .getByText(/^The (file|archive) is /)
    .waitFor()
})

test('an empty import says so, and offers a next step', async () => {
  const { page } = await visit()
  await page.goto(`${world.url}/import`)
  await page.getByLabel('Or paste it here').fill(site.url('/gone/1.jpg'))
  await page.getByLabel('Title').fill('Gone')
  await page.getByRole('button', { name: 'Import', exact: true }).click()
  await page.getByRole('heading', { name: 'Gone' }).waitFor()
  await world.runJobs()
  await page.getByText('Nothing could be imported.').waitFor()
  expect(await page.getByRole('link', { name: 'Play' }).count()).toBe(0)
  await page.goto(`${world.url}/library`)
  await page.getByRole('link', { name: 'Open Gone' }).waitFor()
  await page.goBack()
  await page.getByRole('button', { name: 'Delete it' }).click()
  await page.getByRole('button', { name: 'Delete session' }).click()
  await page.getByLabel('Or paste it here').waitFor()
  expect(await ana.sessions.list()).toEqual([])
})

test('leaving during an upload shows a message when the import is done', async () => {
  const { page } = await visit()
  const letThrough = await holdImports(page)
  await page.goto(`${world.url}/import`)
  await page.getByLabel('Or paste it here').fill(site.url('/1.jpg'))
  await page.getByLabel('Title').fill('Slow mornings')
  await page.getByRole('button', { name: 'Import', exact: true }).click()
  await page.getByRole('link', { name: 'Community' }).first().click()
  await page.waitForURL(`${world.url}/community`)
  letThrough()
  await page.getByText('“Slow mornings” was imported.').waitFor()
  expect(page.url()).toBe(`${world.url}/community`)
  await page.getByRole('button', { name: 'Open' }).click()
  await page.getByRole('heading', { name: 'Slow mornings' }).waitFor()
})

test('no state of the page has a barrier at any width', async () => {
  const { page, errors } = await visit()
  await page.goto(`${world.url}/import`)
  await page.getByLabel('Or paste it here').fill('only words')
  await page.getByLabel('Or paste it here').blur()
  await page.getByRole('alert').getByText('No address').waitFor()
  await expectOpenToAll(page, 'nothing recognised')
  await dropFile(page, 'Slow mornings.txt', addresses())
  await page.getByRole('heading', { name: 'A list of 7 addresses' }).waitFor()
  await expectOpenToAll(page, 'recognised')
  await page.getByRole('button', { name: 'Import', exact: true }).click()
  await page.getByText('Copying, 0 of 7 checked').waitFor()
  await expectOpenToAll(page, 'running')
  site.release()
  await world.runJobs()
  await page.getByText('4 slides were imported.').waitFor()
  await expectOpenToAll(page, 'the report')
  expect(errors).toEqual([])
})

const visit = () => world.visit(ana)
