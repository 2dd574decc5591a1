/** A newer version of the application, in a real browser, while pages of the old one are open. */
import type { Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import {
  makeFrame,
  nextPicture,
  shownPicture,
  untilServed,
  withWorker,
} from '../support/offline-visit.ts'
import type { PageWorld } from '../support/page-world.ts'
import { createPageWorld } from '../support/page-world.ts'
import { startSecondBuild } from '../support/second-build.ts'

let world: PageWorld

beforeAll(async () => {
  world = await createPageWorld()
})
afterEach(() => world.closeAll())
afterAll(() => world.close())

/** Returns the versions whose scripts are on the device. */
const shells = (page: Page) =>
  page.evaluate(async () => (await caches.keys()).filter((name) => name.startsWith('shell-')))

/** Returns the cached address of a built script that the page has not loaded yet. */
const keptScript = (page: Page, name: string) =>
  page.evaluate(async (part) => {
    const shell = (await caches.keys()).find((one) => one.startsWith('shell-'))
    const files = (await (await caches.open(shell ?? '')).keys()).map(({ url }) => url)
    return files.find((url) => url.includes(`/assets/${part}-`)) ?? `no ${part}`
  }, name)

// As text: the loader of the tests would replace the browser's import.
const canLoad = (page: Page, script: string) =>
  page.evaluate<boolean>(`import(${JSON.stringify(script)}).then(() => true, () => false)`)

test('an update breaks no running show, and is used once no page runs the old version', async () => {
  const frame = await makeFrame(world, 'Through an update')
  const site = await startSecondBuild(world.url)
  const { context, page: wall } = await world.visit(withWorker)
  await wall.goto(site.url + frame.path)
  await untilServed(wall)
  await shownPicture(wall).waitFor()
  const idle = await context.newPage()
  await idle.goto(`${site.url}/kept`)
  await idle.getByRole('heading', { level: 1 }).waitFor()
  const [old = ''] = await shells(wall)
  const forWall = await keptScript(wall, 'background')
  const forIdle = await keptScript(wall, 'end-card')

  site.update()
  const fresh = await context.newPage()
  const openFresh = async () => {
    await fresh.goto(`${site.url}/kept`)
    await fresh.getByRole('heading', { level: 1 }).waitFor()
  }
  const isWaiting = () =>
    fresh.evaluate(async () => (await navigator.serviceWorker.getRegistration())?.waiting !== null)
  await openFresh()
  await expect.poll(isWaiting).toBe(true)
  // The new worker is asked to take over. It waits, so the frame keeps its worker and the scripts that
  // the site no longer has.
  await openFresh()
  await nextPicture(wall)
  expect(await isWaiting()).toBe(true)
  expect((await context.request.get(forWall)).status()).toBe(404)
  expect(await canLoad(wall, forWall)).toBe(true)

  // Without a show it takes over. A page of the old version still has its scripts.
  await wall.close()
  await openFresh()
  await expect.poll(isWaiting).toBe(false)
  expect(await shells(fresh)).toContain(old)
  expect(await canLoad(idle, forIdle)).toBe(true)
  await idle.close()
  await openFresh()
  await expect.poll(() => shells(fresh)).toHaveLength(1)
  expect(await shells(fresh)).not.toContain(old)
  await site.close()
})

test('a wall loads a newer version at night, and continues with its pictures', async () => {
  const frame = await makeFrame(world, 'Every night again')
  expect((await frame.change({ settings: { timeZone: 'UTC' } })).status()).toBe(200)
  const site = await startSecondBuild(world.url)
  const { page: wall } = await world.visit(withWorker)
  await wall.clock.setSystemTime('2030-01-01T12:00:00Z')
  await wall.goto(site.url + frame.path)
  await untilServed(wall)
  await shownPicture(wall).waitFor()
  const [old = ''] = await shells(wall)
  const entryOf = () => wall.locator('script[type=module]').first().getAttribute('src')
  const oldEntry = await entryOf()

  site.update()
  await nextPicture(wall)
  expect(await entryOf()).toBe(oldEntry)
  await wall.clock.setSystemTime('2030-01-02T03:10:00Z')
  await expect.poll(entryOf).not.toBe(oldEntry)
  await shownPicture(wall).waitFor()
  await expect.poll(() => shells(wall)).not.toContain(old)
  await site.close()
})
