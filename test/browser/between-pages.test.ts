/** Behaviour across pages and features: one cache, one page frame, one account at a time, one history. */
import type { Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { phone } from '../support/accessibility.ts'
import type { PageWorld } from '../support/page-world.ts'
import { createPageWorld } from '../support/page-world.ts'

let world: PageWorld
let sessionId: number

beforeAll(async () => {
  world = await createPageWorld()
  const { page } = await world.signedIn(1)
  sessionId = await world.makeSession(page, 'Harbour at night')
  // Enough to make the page scroll.
  for (const title of ['Second', 'Third', 'Fourth', 'Fifth', 'Sixth', 'Seventh', 'Eighth'])
    await world.makeSession(page, title)
  await world.closeAll()
})
afterEach(() => world.closeAll())
afterAll(() => world.close())

const scrolled = (page: Page) => page.evaluate(() => scrollY)
const focused = (page: Page) => page.evaluate(() => document.activeElement?.id)
const sessionLink = (page: Page) => page.locator(`a[href="/sessions/${sessionId}"]`).first()
const heading = (page: Page, name: string) => page.getByRole('heading', { level: 1, name })

test('the library and its settings work after the form of a frame was opened and closed', async () => {
  const { page, open, errors } = await world.signedIn(1)
  await open('/library')
  await sessionLink(page).click()
  await heading(page, 'Harbour at night').waitFor()
  await page.getByRole('button', { name: 'More' }).click()
  await page.getByRole('menuitem', { name: 'Show on a frame' }).click()
  await page.getByRole('button', { name: 'Make a frame' }).click()
  await page.getByRole('checkbox', { name: 'Second' }).waitFor()
  await page.getByRole('button', { name: 'Cancel' }).click()
  await page.getByRole('button', { name: 'Close' }).click()
  await page.getByRole('button', { name: 'More' }).click()
  await page.getByRole('menuitem', { name: 'Settings' }).click()
  await page.getByLabel('Title', { exact: true }).fill('Harbour by night')
  await page.getByRole('button', { name: 'Save settings' }).click()
  await page.getByText('Settings saved.').waitFor()
  await page.getByRole('link', { name: 'Sessions' }).first().click()
  await page.getByRole('link', { name: 'Harbour by night' }).first().waitFor()
  expect(errors).toEqual([])
  await page.request.patch(`${world.url}/api/sessions/${sessionId}`, {
    data: { title: 'Harbour at night' },
  })
})

test('a new page starts at its top with the focus in its content; going back returns to the same position', async () => {
  const { page, open } = await world.signedIn(1, { viewport: phone })
  await open('/library')
  const link = sessionLink(page)
  await link.scrollIntoViewIfNeeded()
  const place = await scrolled(page)
  expect(place).toBeGreaterThan(300)
  await link.click()
  await heading(page, 'Harbour at night').waitFor()
  expect(await scrolled(page)).toBe(0)
  expect(await focused(page)).toBe('main')
  await page.goBack()
  await heading(page, 'Sessions').waitFor()
  await expect.poll(() => scrolled(page)).toBe(place)
  await page.reload()
  await expect.poll(() => scrolled(page)).toBe(place)
})

test('the frame stays from page to page', async () => {
  const { page, open } = await world.signedIn(1)
  await open('/library')
  await page.evaluate(() => document.querySelector('header')?.setAttribute('data-seen', ''))
  for (const name of ['Community', 'Vault', 'Studio']) {
    await page.getByRole('link', { name, exact: true }).first().click()
    await heading(page, name).waitFor()
  }
  await expect.poll(() => page.locator('header[data-seen]').count()).toBe(1)
})

test('script and data of a page are requested together', async () => {
  const { page, open } = await world.signedIn(1)
  await open('/library')
  const requested: string[] = []
  const held = Promise.withResolvers<void>()
  await page.route('**/assets/session-page-*.js', async (route) => {
    requested.push('script')
    await held.promise
    await route.continue()
  })
  page.on('request', (request) => {
    if (request.url().endsWith(`/api/sessions/${sessionId}`)) requested.push('data')
  })
  await sessionLink(page).click()
  await expect.poll(() => requested.toSorted()).toEqual(['data', 'script'])
  held.resolve()
  await heading(page, 'Harbour at night').waitFor()
  expect(requested).toHaveLength(2)
})

test('a touch on a link requests the data of its page only with the click', async () => {
  const { page, context, open } = await world.signedIn(1, { viewport: phone, hasTouch: true })
  await open('/library')
  const link = sessionLink(page)
  await link.scrollIntoViewIfNeeded()
  const box = await link.boundingBox()
  const point = { x: (box?.x ?? 0) + 20, y: (box?.y ?? 0) + 20 }
  let requests = 0
  page.on('request', (request) => {
    if (request.url().endsWith(`/api/sessions/${sessionId}`)) requests += 1
  })
  const devtools = await context.newCDPSession(page)
  const touch = (type: 'touchStart' | 'touchEnd', touchPoints: (typeof point)[]) =>
    devtools.send('Input.dispatchTouchEvent', { type, touchPoints })
  await page.evaluate(() =>
    addEventListener('pointerdown', () => document.body.setAttribute('data-touched', '')),
  )
  await touch('touchStart', [point])
  await page.locator('body[data-touched]').waitFor()
  // The request of the touch would be sent before this one.
  await page.evaluate(() => fetch('/healthz'))
  expect(requests).toBe(0)
  await touch('touchEnd', [])
  await heading(page, 'Harbour at night').waitFor()
  expect(requests).toBe(1)
})

test('a search keeps the space before the next word', async () => {
  const { page, open } = await world.signedIn(1)
  await open('/library')
  const field = page.getByRole('searchbox')
  await field.pressSequentially('harbour ')
  await page.waitForURL(/q=harbour$/)
  await field.pressSequentially('at')
  await page.waitForURL(/q=harbour(\+|%20)at$/)
  await expect.poll(() => field.inputValue()).toBe('harbour at')
  await page.getByRole('link', { name: 'Harbour at night' }).first().waitFor()
})

test('settings that were opened and closed keep the editor’s guard of the back button', async () => {
  const { page, open } = await world.signedIn(1)
  await open(`/sessions/${sessionId}`)
  await page.getByRole('link', { name: 'Edit slides' }).click()
  await page.getByRole('button', { name: 'Remove slide' }).first().click()
  await page.getByRole('button', { name: 'Settings' }).click()
  await page.getByRole('dialog', { name: 'Settings' }).waitFor()
  await page.getByRole('button', { name: 'Close' }).click()
  await page.getByRole('dialog', { name: 'Settings' }).waitFor({ state: 'detached' })
  await page.goBack()
  await page.getByRole('dialog', { name: 'Leave without saving?' }).waitFor()
})

test('live updates continue after a short outage of the site', async () => {
  const { page, open } = await world.signedIn(1)
  let asked = 0
  await page.route(`**/api/sessions/${sessionId}/events`, async (route) => {
    asked += 1
    if (asked === 1) await route.fulfill({ status: 502 })
    else await route.continue()
  })
  await page.clock.install()
  await page.route(`**/api/sessions/${sessionId}`, async (route) => {
    const answer = await route.fetch()
    const body = (await answer.json()) as { session: object }
    await route.fulfill({ json: { ...body, session: { ...body.session, fillStatus: 'filling' } } })
  })
  await open(`/sessions/${sessionId}`)
  await expect.poll(() => asked).toBe(1)
  await page.clock.runFor(5000)
  await expect.poll(() => asked).toBeGreaterThan(1)
})

test('right to left, switches stay in their track and arrows point back', async () => {
  const { page, open } = await world.signedIn(1)
  await open(`/sessions/${sessionId}`)
  await page.getByRole('button', { name: 'More' }).click()
  await page.getByRole('menuitem', { name: 'Show on a frame' }).click()
  await page.getByRole('button', { name: 'Make a frame' }).click()
  const control = page.getByRole('switch', { name: 'Clock and date' })
  await control.waitFor()
  const moved = async () => {
    await page.evaluate(() => (document.documentElement.dir = 'rtl'))
    return control.evaluate((element) => getComputedStyle(element, '::after').translate)
  }
  await expect.poll(moved).toBe('-16px')
})

test('a search without a network says that it shows earlier results', async () => {
  const { page, context, open } = await world.signedIn(1)
  await open('/library')
  await sessionLink(page).waitFor()
  await context.setOffline(true)
  await page.getByRole('searchbox').fill('second')
  await page.getByText('This device has no network. These are the results from before.').waitFor()
  await context.setOffline(false)
  await page.getByText('This device has no network.').waitFor({ state: 'detached' })
  await expect.poll(() => page.getByRole('article').count()).toBe(1)
})

test('a list that was never loaded says that it waits for the network, and loads with it', async () => {
  const { page, context, open } = await world.signedIn(1)
  await context.route('**/api/sessions?*', (route) => route.abort('internetdisconnected'))
  await open('/library')
  await page.getByRole('button', { name: 'Try again' }).waitFor()
  await context.unroute('**/api/sessions?*')
  await context.setOffline(true)
  await page.getByRole('searchbox').fill('harbour')
  await page.getByText('The page loads as soon as it has one.').waitFor()
  await context.setOffline(false)
  await sessionLink(page).waitFor()
  await page.getByText('This device has no network.').waitFor({ state: 'detached' })
})

test('a part that is lost once is requested again', async () => {
  const { page, context, open } = await world.signedIn(1)
  let requests = 0
  await context.route('**/assets/share-session-*.js*', async (route) => {
    requests += 1
    if (requests === 1) await route.fulfill({ status: 404 })
    else await route.continue()
  })
  await open(`/sessions/${await world.makeSession(page, 'Lost part')}`)
  await page.getByRole('button', { name: 'Share' }).click()
  await page.getByRole('dialog').waitFor()
  expect(requests).toBe(2)
})

test('signing out works without further scripts, and clears the device', async () => {
  const { page, context, open } = await world.signedIn(1)
  await open('/library')
  await page.evaluate(() => localStorage.setItem('lanternist:draft:x', '{}'))
  await page.getByRole('button', { name: 'Account menu' }).click()
  await context.route('**/assets/*.js*', (route) => route.fulfill({ status: 404 }))
  const signedOut = page.waitForResponse((response) => response.url().endsWith('/api/auth/logout'))
  await page.getByRole('menuitem', { name: 'Sign out' }).click()
  expect((await signedOut).ok()).toBe(true)
  await expect
    .poll(() => page.evaluate(() => localStorage.getItem('lanternist:draft:x')))
    .toBeNull()
})

test('a page whose script an update removed reloads, and shows the new version', async () => {
  const { page, context, open } = await world.signedIn(1)
  await open('/library?q=second')
  let isOld = true
  await context.route('**/assets/credits-page-*.js*', async (route) => {
    if (isOld) await route.fulfill({ status: 404 })
    else await route.continue()
  })
  page.on('framenavigated', () => (isOld = false))
  await page.getByRole('link', { name: /credits/ }).click()
  await heading(page, 'Credits').waitFor()
  expect(isOld).toBe(false)
})

test('another request after a lost response is a separate call', async () => {
  const { page, open } = await world.signedIn(1)
  const keys: string[] = []
  await page.route('**/api/sessions', async (route) => {
    if (route.request().method() !== 'POST') return route.continue()
    keys.push(route.request().headers()['idempotency-key'] ?? '')
    return route.abort()
  })
  await open('/sessions/new/feeds')
  const title = page.getByRole('textbox', { name: 'Title' })
  await title.fill('One')
  const names = page.getByRole('textbox', { name: 'Feeds' })
  await names.fill('nightcities')
  await names.press('Enter')
  const make = async (count: number) => {
    await page.getByRole('button', { name: /^Make session/ }).click()
    await expect.poll(() => keys.length).toBe(count)
  }
  await make(1)
  await make(2)
  await title.fill('Two')
  await make(3)
  expect(keys[1]).toBe(keys[0])
  expect(keys[2]).not.toBe(keys[0])
})
