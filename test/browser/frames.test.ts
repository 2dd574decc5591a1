/** Frames in a real browser: made on a session's page, and shown on a wall. */
import type { Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { expectOpenToAll } from '../support/accessibility.ts'
import type { PageWorld } from '../support/page-world.ts'
import { createPageWorld } from '../support/page-world.ts'

let world: PageWorld

beforeAll(async () => {
  world = await createPageWorld()
})
afterEach(() => world.closeAll())
afterAll(() => world.close())

const television = { viewport: { width: 1920, height: 1080 } }

async function openFrames(page: Page) {
  await page.getByRole('button', { name: 'More' }).click()
  await page.getByRole('menuitem', { name: 'Show on a frame' }).click()
  await page.getByRole('dialog', { name: 'Frames' }).waitFor()
}

/** Fills in the open form and returns the link, which is shown only once. */
async function make(page: Page, name: string): Promise<string> {
  await page.getByRole('button', { name: 'Make a frame' }).click()
  await page.getByLabel('Name', { exact: true }).fill(name)
  await page.getByLabel('Seconds for each picture').fill('3')
  await page.getByRole('button', { name: 'Make a frame' }).click()
  const link = page.getByLabel('Link of the frame')
  await link.waitFor()
  return await link.inputValue()
}

const pathOf = (address: string) => new URL(address).pathname
const shownPicture = (page: Page) => page.locator('.player-frame.is-shown img').last()

test('a frame is created, plays on a wall, gets a new link and is deleted', async () => {
  const owner = await world.signedIn(1)
  const id = await world.makeSession(owner.page, 'For the hall')
  await owner.open(`/sessions/${id}`)
  await openFrames(owner.page)
  const link = await make(owner.page, 'Hall')
  await expectOpenToAll(owner.page, 'the link of a frame')
  await owner.page.getByRole('button', { name: 'Done' }).click()
  await owner.page.getByText('Hall', { exact: true }).waitFor()

  const wall = await world.visit(television)
  await wall.open(pathOf(link))
  await shownPicture(wall.page).waitFor()
  await expect.poll(() => wall.page.getByRole('heading', { level: 1 }).textContent()).toBe('Hall')
  await wall.page.locator('time').waitFor()
  expect(await wall.page.getByRole('button').count()).toBe(0)
  const first = await shownPicture(wall.page).getAttribute('src')
  await expect.poll(() => shownPicture(wall.page).getAttribute('src')).not.toBe(first)
  await expectOpenToAll(wall.page, 'a frame')

  await owner.page.getByRole('button', { name: 'Change' }).click()
  await owner.page.getByLabel('Clock and date').click()
  await owner.page.getByRole('button', { name: 'Save' }).click()
  await owner.page.getByRole('button', { name: 'New link' }).click()
  await owner.page.getByRole('button', { name: 'New link' }).click()
  const renewed = owner.page.getByLabel('Link of the frame')
  await renewed.waitFor()
  const newLink = await renewed.inputValue()
  expect(newLink).not.toBe(link)
  await wall.page.reload()
  await wall.page.getByRole('heading', { name: 'This link no longer works' }).waitFor()
  await wall.open(pathOf(newLink))
  await shownPicture(wall.page).waitFor()
  expect(await wall.page.locator('time').count()).toBe(0)

  await owner.page.getByRole('button', { name: 'Done' }).click()
  await owner.page.getByRole('button', { name: 'Delete' }).click()
  await owner.page.getByRole('button', { name: 'Delete the frame' }).click()
  await owner.page.getByRole('button', { name: 'Make a frame' }).waitFor()
  await wall.page.reload()
  await wall.page.getByRole('heading', { name: 'This link no longer works' }).waitFor()
  expect([...owner.errors, ...wall.errors]).toEqual([])
})

test('a frame is dark in its quiet hours, by its own time zone', async () => {
  const owner = await world.signedIn(1)
  const id = await world.makeSession(owner.page, 'For the night')
  const made = await owner.page.request.post(`${world.url}/api/frames`, {
    data: {
      name: 'Bedroom',
      sessionIds: [id],
      settings: { quietFrom: '22:00', quietTo: '07:00', timeZone: 'Asia/Tokyo' },
    },
  })
  const { frameUrl } = (await made.json()) as { frameUrl: string }
  const wall = await world.visit()
  // 22:00 in Tokyo is 13:00 in London.
  await wall.page.clock.install({ time: new Date('2026-11-16T12:59:30Z') })
  await wall.open(pathOf(frameUrl))
  await shownPicture(wall.page).waitFor()
  await wall.page.clock.runFor(60_000)
  await shownPicture(wall.page).waitFor({ state: 'detached' })
  expect(await wall.page.locator('time').count()).toBe(0)
  await wall.page.clock.setSystemTime(new Date('2026-11-16T22:01:00Z'))
  await wall.page.clock.runFor(60_000)
  await shownPicture(wall.page).waitFor()
})

test('a session is kept fresh by a switch', async () => {
  const owner = await world.signedIn(1)
  const id = await world.makeSession(owner.page, 'Fresh')
  await owner.open(`/sessions/${id}`)
  const keepFresh = owner.page.getByRole('switch', { name: 'Refresh daily' })
  await keepFresh.click()
  await expect.poll(() => keepFresh.isEnabled()).toBe(true)
  await owner.page.reload()
  await expect.poll(() => keepFresh.isChecked()).toBe(true)
})
