/** Without a network, in a real browser: frames, kept sessions, and what other applications share. */
import type { Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { expectOpenToAll } from '../support/accessibility.ts'
import type { PageWorld } from '../support/page-world.ts'
import { createPageWorld } from '../support/page-world.ts'
import { plain, red } from '../support/pictures.ts'

let world: PageWorld

beforeAll(async () => {
  world = await createPageWorld()
})
afterEach(() => world.closeAll())
afterAll(() => world.close())

const withWorker = { serviceWorkers: 'allow' } as const

const shownPicture = (page: Page) => page.locator('.player-frame.is-shown img').last()

/** Until the worker serves the page: it is brought once the page stands. */
const untilServed = (page: Page) =>
  page.waitForFunction(() => navigator.serviceWorker.controller !== null)

/** How many files are kept under names that begin so. */
const keptFiles = (page: Page, prefix: string) =>
  page.evaluate(async (begin) => {
    const names = (await caches.keys()).filter((name) => name.startsWith(begin))
    const keys = await Promise.all(names.map(async (name) => (await caches.open(name)).keys()))
    return keys.flat().filter(({ url }) => !url.includes('/api/')).length
  }, prefix)

test('a frame goes on without a network, and forgets what it had when its link ends', async () => {
  const owner = await world.signedIn(1)
  const id = await world.makeSession(owner.page, 'For the wall')
  const settings = { intervalSeconds: 3 }
  const made = await owner.page.request.post(`${world.url}/api/frames`, {
    data: { name: 'Wall', sessionIds: [id], settings },
  })
  const { frame, frameUrl } = (await made.json()) as { frame: { id: number }; frameUrl: string }
  const wall = await world.visit(withWorker)
  await wall.open(new URL(frameUrl).pathname)
  await untilServed(wall.page)
  await expect.poll(() => keptFiles(wall.page, 'kept-frame-')).toBeGreaterThan(5)
  await wall.context.setOffline(true)
  await wall.page.reload()
  await shownPicture(wall.page).waitFor()
  const first = await shownPicture(wall.page).getAttribute('src')
  await expect.poll(() => shownPicture(wall.page).getAttribute('src')).not.toBe(first)

  await wall.context.setOffline(false)
  await owner.page.request.delete(`${world.url}/api/frames/${frame.id}`)
  await wall.page.reload()
  await wall.page.getByRole('heading', { name: 'This frame has ended' }).waitFor()
  expect(await keptFiles(wall.page, 'kept-frame-')).toBe(0)
  await wall.context.setOffline(true)
  await wall.page.reload()
  await wall.page.getByRole('heading', { name: 'Nobody answers' }).waitFor()
})

/** Keeps a session by its page. */
async function keep(page: Page, id: number) {
  await page.goto(`${world.url}/sessions/${id}`)
  await untilServed(page)
  await page.getByRole('button', { name: 'More' }).click()
  await page.getByRole('menuitem', { name: 'Keep on this device' }).click()
  await page.getByRole('button', { name: 'Keep it' }).click()
  await page.getByText(/^It plays without a network, and takes .+ on this device\.$/).waitFor()
}

test('a kept session plays in flight mode, and goes when its owner signs out', async () => {
  const owner = await world.signedIn(1, withWorker)
  const id = await world.makeSession(owner.page, 'For the flight')
  await keep(owner.page, id)
  await expectOpenToAll(owner.page, 'keeping a session')
  await owner.context.setOffline(true)
  await owner.page.goto(world.url)
  await owner.page.getByRole('heading', { name: 'Kept on this device' }).waitFor()
  await expectOpenToAll(owner.page, 'what is kept')
  await owner.page.getByRole('link', { name: 'Play' }).click()
  await shownPicture(owner.page).waitFor()
  await owner.page.reload()
  await shownPicture(owner.page).waitFor()

  await owner.context.setOffline(false)
  await owner.page.goto(`${world.url}/account`)
  await owner.page.getByRole('main').getByRole('button', { name: 'Sign out' }).click()
  await owner.page.getByRole('link', { name: 'Sign in' }).first().waitFor()
  expect(await keptFiles(owner.page, 'kept-session-')).toBe(0)
})

test('what one account keeps is not there for the next, and a deleted session gives its space back', async () => {
  const device = await world.signedIn(1, withWorker)
  const [one, two] = [
    await world.makeSession(device.page, 'Gone'),
    await world.makeSession(device.page, 'Private'),
  ]
  await keep(device.page, one)
  await keep(device.page, two)
  await device.page.request.delete(`${world.url}/api/sessions/${one}`)
  await device.page.goto(`${world.url}/sessions/${one}`)
  await expect
    .poll(() => device.page.evaluate((id) => caches.has(`kept-session-${id}`), one))
    .toBe(false)
  expect(await keptFiles(device.page, 'kept-session-')).toBeGreaterThan(0)
  // Past the pages, as when a sign-in has run out and another begins.
  await device.context.request.get(`${world.url}/api/dev-login?account=2`)
  await device.page.goto(`${world.url}/library`)
  await expect.poll(() => keptFiles(device.page, 'kept-session-')).toBe(0)
})

/** As the system hands it over: a form that is sent to the application's address. */
async function shareWith(page: Page, shared: { text?: string; picture?: Uint8Array }) {
  const bytes = shared.picture ? [...shared.picture] : null
  await page.evaluate(
    ({ text, picture }) => {
      const form = document.createElement('form')
      form.method = 'post'
      form.action = '/share-target'
      form.enctype = 'multipart/form-data'
      const words = document.createElement('input')
      words.name = 'text'
      words.value = text
      form.append(words)
      if (picture) {
        const files = document.createElement('input')
        files.type = 'file'
        files.name = 'files'
        const data = new DataTransfer()
        data.items.add(new File([new Uint8Array(picture)], 'lamp.png', { type: 'image/png' }))
        files.files = data.files
        form.append(files)
      }
      document.body.append(form)
      form.submit()
    },
    { text: shared.text ?? '', picture: bytes },
  )
}

test('a picture that is shared with the application becomes a session', async () => {
  const { page, open } = await world.signedIn(1, withWorker)
  await open('/library')
  await untilServed(page)
  await shareWith(page, { picture: await plain(640, 480, red) })
  await page.waitForURL(/\/import\?shared$/)
  await page.getByRole('button', { name: 'Import', exact: true }).click()
  await page.waitForURL(/\/sessions\/\d+$/)
})

test('a link that is shared before signing in waits for it', async () => {
  const { page, context, open } = await world.visit(withWorker)
  await open('/')
  await untilServed(page)
  const address = 'https://pictures.example/one.jpg'
  await shareWith(page, { text: address })
  await page.waitForURL(/\/login\?redirect=/)
  await context.request.get(`${world.url}/api/dev-login?account=1`)
  await page.goto(`${world.url}/import?shared`)
  await expect.poll(() => page.getByRole('textbox').first().inputValue()).toBe(address)
})
