/**
 * One journey through each group of pages, on the real service in a real Chromium. With `pages.test.ts`,
 * these are the page tests of `npm test`. The full suite tests each group in all its states.
 */
import type { Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { sharp } from '../../src/server/media/libvips.ts'
import { desktop, phone } from '../support/accessibility.ts'
import { createPageWorld, type PageWorld } from '../support/page-world.ts'
import { choose } from '../support/studio-world.ts'

let world: PageWorld

beforeAll(async () => {
  world = await createPageWorld()
})
afterEach(() => world.closeAll())
afterAll(() => world?.close())

const television = { width: 1920, height: 1080 }

async function photo(name: string) {
  const create = { width: 600, height: 400, channels: 3, background: '#369' } as const
  return { name, mimeType: 'image/jpeg', buffer: await sharp({ create }).jpeg().toBuffer() }
}

const headingOf = (page: Page, name: string) => page.getByRole('heading', { level: 1, name })

test('vault and editor: a file is uploaded, made into a session, captioned and put in the trash', async () => {
  const { page, open, errors } = await world.signedIn(2, { viewport: desktop })
  await open('/vault')
  await page.getByLabel('Files to upload').setInputFiles([await photo('harbour.jpg')])
  const tile = page.getByRole('gridcell').first()
  await tile.click({ modifiers: ['Control'] })
  await page.getByRole('button', { name: 'Make a session' }).click()
  await page.getByLabel('Title').fill('From the vault')
  await page.getByRole('button', { name: 'Make session' }).click()
  await page.waitForURL(/\/sessions\/\d+\/edit$/)
  await page.getByRole('textbox', { name: 'Caption' }).fill('Boats at noon')
  await page.getByRole('button', { name: 'Save' }).click()
  await page.getByRole('button', { name: 'Saved', exact: true }).waitFor()

  await open('/vault')
  await tile.click({ modifiers: ['Control'] })
  await page.getByRole('button', { name: 'Move to trash' }).click()
  await page.getByText('1 file moved to the trash').waitFor()
  await open('/trash')
  const restore = page.getByRole('button', { name: 'Restore harbour.jpg' })
  await restore.click()
  await restore.waitFor({ state: 'detached' })
  expect(errors).toEqual([])
})

test('studio: a picture is covered and kept', async () => {
  const { page, open, errors } = await world.signedIn(2, { viewport: desktop })
  const file = await photo('street.jpg')
  await page.request.post(`${world.url}/api/media/upload`, { multipart: { file } })
  await open('/studio/censor')
  await choose(page, 'Picture', 'street.jpg')
  await page.getByRole('button', { name: 'Add a region' }).click()
  await page.getByRole('button', { name: /^Cover it/ }).click()
  await page.getByText('It is ready.').waitFor()
  for (const tool of ['compose', 'animate', 'enhance']) await open(`/studio/${tool}`)
  expect(errors).toEqual([])
})

test('account: every page opens, and a name that is changed stays', async () => {
  const { page, open, errors } = await world.signedIn(3, { viewport: phone })
  for (const path of ['/account/notices', '/account/security', '/credits', '/community/published'])
    await open(path)
  await open('/account')
  const profile = page.getByRole('region', { name: 'Profile' })
  await profile.getByLabel('First name').fill('Mara')
  await profile.getByRole('button', { name: 'Save' }).click()
  await page.getByText('Profile saved.').waitFor()
  await open('/account')
  await expect.poll(() => page.getByLabel('First name').inputValue()).toBe('Mara')
  expect(errors).toEqual([])
})

test('administration: every page opens, and a setting that is changed stays', async () => {
  const { page, open, errors } = await world.signedIn(1, { viewport: desktop })
  for (const part of ['', '/reports', '/users', '/pricing', '/tags', '/activity', '/jobs'])
    await open(`/admin${part}`)
  await open('/admin/settings')
  await page.getByLabel('Daily bonus, in credits').fill('8')
  await page.getByRole('button', { name: 'Save' }).click()
  await page.getByText('Saved.').waitFor()
  await open('/admin/settings')
  await expect.poll(() => page.getByLabel('Daily bonus, in credits').inputValue()).toBe('8')
  expect(errors).toEqual([])
})

test('rooms: a television joins by its code and follows the host', async () => {
  const host = await world.signedIn(1, { viewport: phone })
  const id = await world.makeSession(host.page, 'On every screen')
  const opened = await host.page.request.post(`${world.url}/api/rooms`, { data: { sessionId: id } })
  const { room } = (await opened.json()) as { room: { code: string } }
  const screen = await world.visit({ viewport: television })
  await screen.page.goto(`${world.url}/tv/${room.code}`)
  await screen.page.getByText('Waiting for the host to start').waitFor()
  await host.open(`/rooms/${room.code}/host`)
  await host.page.getByRole('button', { name: 'Play', exact: true }).click()
  await screen.page.locator('[data-testid=stage][data-status=playing]').waitFor()
  await host.page.getByRole('button', { name: 'Pause', exact: true }).click()
  await screen.page.locator('[data-testid=stage][data-status=paused]').waitFor()
  expect([...host.errors, ...screen.errors]).toEqual([])
})

test('frames: a link that was made shows its pictures on a wall', async () => {
  const owner = await world.signedIn(1)
  const id = await world.makeSession(owner.page, 'For the hall')
  const made = await owner.page.request.post(`${world.url}/api/frames`, {
    data: { name: 'Hall', sessionIds: [id], settings: {} },
  })
  const { frameUrl } = (await made.json()) as { frameUrl: string }
  const wall = await world.visit({ viewport: television })
  await wall.open(new URL(frameUrl).pathname)
  await wall.page.locator('.player-frame.is-shown').first().waitFor()
  expect(wall.errors).toEqual([])
})

test('import, report and pages that do not exist', async () => {
  const { page, open, errors } = await world.signedIn(2, { viewport: phone })
  await open('/import')
  await headingOf(page, 'Import').waitFor()
  await open('/report')
  await open('/nowhere')
  await page.getByText('Page not found').waitFor()
  expect(errors).toEqual([])
})
