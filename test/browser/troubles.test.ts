/**
 * Pages, and the work on them, when the person signs out elsewhere, the connection is slow, a rate limit
 * is reached, input is wrong or the screen is small. In a real Chromium, against the whole service.
 */
import type { BrowserContextOptions, Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { desktop, findBarriers } from '../support/accessibility.ts'
import type { EditorWorld } from '../support/editor-world.ts'
import { createEditorWorld } from '../support/editor-world.ts'
import { makeSession, savedCaptions, slide } from '../support/editor-visit.ts'
import { useWorld } from '../support/use-world.ts'
import type { Person } from '../support/world.ts'
import { password } from '../support/world.ts'

let world: EditorWorld
let site: EditorWorld['site']
let ana: Person

useWorld(createEditorWorld, async (fresh) => {
  world = fresh
  ;({ site } = world)
  ana = await world.as('ana')
})

test('signing out in another tab keeps unsaved work, which is saved once its owner is back', async () => {
  const id = await makeSession(ana, site, ['One'])
  const elsewhere = world.visitor()
  await elsewhere.accounts.signIn({ body: { email: 'ana@example.test', password } })
  await world.as('bob')
  const { page, context } = await openEditor(id)
  await page.getByLabel('Caption', { exact: true }).fill('Walk on.')
  const other = await context.newPage()
  await other.goto(`${world.url}/library`)
  await signOut(other)
  await other.getByRole('heading', { name: 'Sign in' }).waitFor()
  const signedOut = page.getByRole('alert').getByText('You are signed out. Sign in to save.')
  await signedOut.waitFor()
  expect(await findBarriers(page)).toEqual([])

  await signIn(other, 'bob')
  await page.getByRole('alert').getByText('Someone else is signed in now.').waitFor()
  await page.getByRole('button', { name: 'Save' }).click()
  await signOut(other)
  await signedOut.waitFor()
  expect(await savedCaptions(elsewhere, id)).toEqual(['One'])

  const [wayIn] = await Promise.all([
    context.waitForEvent('page'),
    page.getByRole('link', { name: 'Sign in in a new tab' }).click(),
  ])
  await signIn(wayIn, 'ana')
  await signedOut.waitFor({ state: 'hidden' })
  await page.getByRole('button', { name: 'Save' }).click()
  await page.getByText('Saved', { exact: true }).waitFor()
  expect(await savedCaptions(elsewhere, id)).toEqual(['Walk on.'])

  await signOut(wayIn)
  await page.getByRole('heading', { name: 'Sign in' }).waitFor()
})

test('a manual session is never created for another account that signs in meanwhile', async () => {
  const bob = await world.as('bob')
  const { page, context } = await openVisit()
  await openNewManual(page)
  await page.getByLabel('Title').fill('Ana’s own')
  const other = await context.newPage()
  await other.goto(`${world.url}/library`)
  await signOut(other)
  await signIn(other, 'bob')
  await page.getByRole('alert').getByText('Someone else is signed in now.').waitFor()
  await page.getByRole('button', { name: 'Make session' }).click()
  await page.getByRole('link', { name: 'Back to a new session' }).click()
  await page.getByRole('button', { name: 'Leave' }).click()
  await page.getByRole('heading', { name: 'New session' }).waitFor()
  expect(await bob.sessions.list()).toEqual([])
})

test('without a network an action fails at once and is not repeated later', async () => {
  const { page, context } = await openVisit()
  await openNewManual(page)
  await page.getByLabel('Title').fill('In a tunnel')
  await context.setOffline(true)
  await page.getByRole('button', { name: 'Make session' }).click()
  await page.getByRole('alert').getByText('This device has no network.').waitFor()
  const answered = page.waitForResponse((answer) => answer.request().method() === 'POST')
  await context.setOffline(false)
  await page.getByRole('button', { name: 'Make session' }).click()
  await answered
  await page.waitForURL(/\/sessions\/\d+/)
  expect(await ana.sessions.list()).toHaveLength(1)
})

test('text that is typed for a new session survives the sign-in, and the sign-in is offered', async () => {
  const { page, context } = await openVisit()
  await page.goto(`${world.url}/sessions/new/feeds`)
  await page.getByLabel('Title').fill('Slow mornings')
  const other = await context.newPage()
  await other.goto(`${world.url}/library`)
  await signOut(other)
  await page.getByRole('link', { name: 'Sign in in a new tab' }).waitFor()
  await signIn(other, 'ana')
  await page.getByText('You are signed out').waitFor({ state: 'hidden' })
  await expect.poll(() => page.getByLabel('Title').inputValue()).toBe('Slow mornings')
})

test('a page that needs a sign-in leads there and back', async () => {
  const { page, context } = await openVisit()
  await page.goto(`${world.url}/library`)
  await page.getByText('No sessions yet').waitFor()
  await context.clearCookies()
  await page.getByRole('link', { name: 'Vault' }).first().click()
  await page.getByRole('alert').getByText('You are signed out. Sign in to continue.').waitFor()
  expect(await page.getByRole('button', { name: 'Try again' }).count()).toBe(0)
  await page.getByRole('main').getByRole('link', { name: 'Sign in' }).click()
  await signIn(page, 'ana')
  expect(page.url()).toBe(`${world.url}/vault`)
})

test('a page or dialog that loads slowly says so', async () => {
  const { page } = await openVisit()
  await page.goto(`${world.url}/library`)
  await page.getByText('No sessions yet').waitFor()
  const held = await hold(page, '**/assets/community-page-*.js')
  await page.getByRole('link', { name: 'Community' }).first().click()
  await page.getByRole('status').getByText('Loading the page').waitFor({ state: 'attached' })
  await expect.poll(() => page.locator('main .skeleton').count()).toBeGreaterThan(0)
  expect(await page.title()).toBe('Loading · Lanternist')
  held.release()
  await page.getByRole('heading', { name: 'Community' }).waitFor()
  expect(await page.getByText('Loading the page').count()).toBe(0)

  const asked = await hold(page, '**/api/auth/user')
  await page.reload()
  await page.getByRole('status').getByText('Loading the page').waitFor({ state: 'attached' })
  asked.release()
  await page.getByRole('heading', { name: 'Community' }).waitFor()

  await page.goto(`${world.url}/sessions/${await makeSession(ana, site, ['One'])}`)
  const dialog = await hold(page, '**/assets/share-session-*.js')
  await page.getByRole('button', { name: 'Share' }).click()
  await page.getByRole('status').getByText('Loading', { exact: true }).waitFor()
  dialog.release()
  await page.getByRole('dialog').waitFor()
  expect(await page.getByText('Loading', { exact: true }).count()).toBe(0)
})

test('a rate-limited page says when to try again, keeps the frame, and then continues', async () => {
  const { page } = await openVisit()
  await page.goto(`${world.url}/library`)
  await page.getByText('No sessions yet').waitFor()
  let refusals = 0
  await page.route('**/api/**', async (route) => {
    refusals += 1
    await route.fulfill({
      status: 429,
      headers: { 'retry-after': '2' },
      json: { error: 'Too Many Requests', message: 'Wait', retryAfter: 2 },
    })
  })
  await page.getByRole('link', { name: 'Community' }).first().click()
  const said = page.getByRole('alert').getByText('Too many requests.')
  await said.waitFor()
  await expect.poll(() => said.textContent()).toMatch(/Try again in 2 seconds\.$/)
  await page.getByRole('button', { name: 'Account menu' }).waitFor()
  expect(refusals).toBeGreaterThan(0)
  await page.unroute('**/api/**')
  await said.waitFor({ state: 'hidden' })
  await page.getByRole('heading', { name: 'Community' }).waitFor()
})

test.each(['abc', '0', '99999'])(
  '%s seconds stay in the field, which says why not',
  async (typed) => {
    const id = await makeSession(ana, site, ['One', 'Two'])
    const { page } = await openEditor(id)
    const seconds = page.getByLabel('Seconds on screen')
    await seconds.pressSequentially(typed)
    await slide(page, 2).click()
    expect(await seconds.inputValue()).toBe('')
    await slide(page, 1).click()
    await page.getByText('0.1 to 3,600 seconds, or empty').waitFor()
    await expect.poll(() => seconds.inputValue()).toBe(typed)
    await page.getByText('Saved', { exact: true }).waitFor()
    await seconds.fill('3')
    await page.getByText('Not saved yet').waitFor()
  },
)

test.each([360, 390])(
  'nothing moves at the first change on a phone of %i pixels',
  async (width) => {
    const id = await makeSession(ana, site, ['One', 'Two'])
    const { page } = await openEditor(id, { viewport: { width, height: 780 } })
    const top = async () => (await page.getByRole('figure').boundingBox())?.y
    const before = await top()
    await page.getByRole('button', { name: 'Move later' }).click()
    await page.getByText('Not saved yet').waitFor()
    expect(await top()).toBe(before)
    await page.getByRole('link', { name: 'Play' }).waitFor()
  },
)

async function openVisit(options: BrowserContextOptions = {}) {
  const visit = await world.visit(ana, { viewport: desktop, ...options })
  return visit
}

async function openEditor(id: number, options: BrowserContextOptions = {}) {
  const visit = await openVisit(options)
  await visit.page.goto(`${world.url}/sessions/${id}/edit`)
  await slide(visit.page, 1).waitFor()
  return visit
}

/** Holds matching requests until they are released. */
async function hold(page: Page, pattern: string) {
  const { promise, resolve: release } = Promise.withResolvers<void>()
  await page.route(pattern, async (route) => {
    await promise
    await route.continue()
  })
  return { release }
}

/** Opens a new manual session with one slide. */
async function openNewManual(page: Page): Promise<void> {
  await page.goto(`${world.url}/sessions/new/manual`)
  await page.getByRole('button', { name: 'Add slides' }).click()
  await page.getByText('Addresses', { exact: true }).click()
  await page.getByLabel('Addresses of pictures or videos').fill(site.url('/2.jpg'))
  await page.getByRole('button', { name: 'Add slide', exact: true }).click()
}

async function signOut(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Account menu' }).click()
  await page.getByRole('menuitem', { name: 'Sign out' }).click()
}

async function signIn(page: Page, name: string): Promise<void> {
  await page.getByLabel('Email').fill(`${name}@example.test`)
  await page.getByLabel('Password', { exact: true }).fill(password)
  await page.keyboard.press('Enter')
  await page.getByRole('button', { name: 'Account menu' }).waitFor()
}
