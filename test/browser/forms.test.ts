/**
 * Forms and dialogs against the real service, for people who cannot see the whole page at once: the
 * focus, the messages about missing input, and no loss or charge without a question.
 */
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { desktop, phone } from '../support/accessibility.ts'
import { openBrowser } from '../support/browser.ts'
import { expectFocus, expectInView, isFieldFocused } from '../support/focus.ts'
import { createPageWorld, type PageWorld } from '../support/page-world.ts'
import { createVisits } from '../support/visits.ts'

let world: PageWorld

beforeAll(async () => {
  world = await createPageWorld()
})

afterEach(() => world.closeAll())

afterAll(() => world?.close())

test('a dialog opens at its first field and returns the focus when it closes', async () => {
  const { page, open } = await world.signedIn(1)
  const id = await world.makeSession(page, 'Back and forth')
  await open(`/sessions/${id}`)

  await page.getByRole('button', { name: 'Share' }).focus()
  // At the first time the dialog's script still loads; the second time it is loaded.
  for (const _ of [1, 2]) {
    await page.keyboard.press('Enter')
    await page.getByRole('dialog').waitFor()
    await expect.poll(() => isFieldFocused(page)).toBe(true)
    await page.keyboard.press('Escape')
    await expectFocus(page, 'Share')
  }

  const entries = [
    { name: 'Settings', start: 'Title' },
    { name: 'Publish to the community', start: 'For adults only' },
  ]
  for (const { name, start } of [...entries, ...entries]) {
    await page.getByRole('button', { name: 'More', exact: true }).click()
    await page.getByRole('menuitem', { name }).click()
    await page.getByRole('dialog').waitFor()
    await expectFocus(page, start)
    await page.keyboard.press('Escape')
    await expectFocus(page, 'More')
  }
})

test('when the pressed control disappears with its card, the page gets the focus', async () => {
  const { page, open } = await world.signedIn(1)
  await world.makeSession(page, 'Soon gone')
  await open('/library')
  await page.getByRole('button', { name: 'More for Soon gone' }).click()
  await page.getByRole('menu').waitFor()
  // A scroll event of a scroll that ended before the menu opened.
  await page.evaluate(() => window.dispatchEvent(new Event('scroll')))
  await page.getByRole('menuitem', { name: 'Move to trash' }).click()
  await page.getByText('“Soon gone” is in the trash.').waitFor()
  await expect.poll(() => page.evaluate(() => document.activeElement?.id)).toBe('main')
})

test('a suggestion replaces the typed text', async () => {
  const { page, open } = await world.signedIn(1)
  await open('/sessions/new/feeds')
  const field = page.getByLabel('Feeds', { exact: true })
  await field.fill('slow')
  await page.getByRole('button', { name: 'slowwater', exact: true }).click()
  await page.getByRole('button', { name: 'Remove slowwater' }).waitFor()
  await expect.poll(() => page.getByRole('button', { name: /^Remove / }).count()).toBe(1)
  expect(await field.inputValue()).toBe('')
  await expectFocus(page, 'Feeds')

  await field.fill('nightcities')
  await page.keyboard.press('Enter')
  await page.getByRole('button', { name: 'Remove slowwater' }).press('Enter')
  await expectFocus(page, 'Remove nightcities')
  await page.keyboard.press('Enter')
  await expectFocus(page, 'Feeds')
})

test('missing or wrong fields stop a form, are marked and focused, and nothing is charged', async () => {
  const { page, open } = await world.signedIn(1, { viewport: phone })
  const sent: string[] = []
  page.on('request', (request) => {
    if (request.method() === 'POST' && request.url().endsWith('/api/sessions'))
      sent.push(request.postData() ?? '')
  })
  await open('/sessions/new/feeds')
  const make = page.getByRole('button', { name: 'Make session' })
  const scrollDown = () => page.evaluate(() => window.scrollTo(0, document.body.scrollHeight))
  await scrollDown()
  await make.click()
  await expectFocus(page, 'Title')
  await expectInView(page)
  await page.getByText('Enter a title.').waitFor()

  await page.getByLabel('Title').fill('Left over')
  await page.getByLabel('Feeds', { exact: true }).fill('bad-name!')
  await scrollDown()
  await make.click()
  await page.getByText('Use at least two characters').waitFor()
  await expectFocus(page, 'Feeds')
  await expectInView(page)
  expect(sent).toEqual([])

  await page.getByLabel('Feeds', { exact: true }).fill('slowwater')
  await make.click()
  await page.getByRole('heading', { name: 'Left over' }).waitFor()
  expect(sent.map((body) => (JSON.parse(body) as { subfeeds: string }).subfeeds)).toEqual([
    'slowwater',
  ])
})

test('changed settings are not discarded without a question', async () => {
  const { page, open } = await world.signedIn(1, { viewport: phone })
  const id = await world.makeSession(page, 'Hard to lose')
  await open('/library')
  await page.getByRole('link', { name: 'Hard to lose', exact: true }).click()
  const openSettings = async () => {
    await page.getByRole('button', { name: 'More', exact: true }).click()
    await page.getByRole('menuitem', { name: 'Settings' }).click()
    await page.getByRole('dialog').waitFor()
  }
  await openSettings()
  await page.keyboard.press('Escape')
  await page.getByRole('dialog').waitFor({ state: 'detached' })

  await openSettings()
  await page.goBack()
  await page.getByRole('dialog').waitFor({ state: 'detached' })
  await expectFocus(page, 'More')
  expect(new URL(page.url()).pathname).toBe(`/sessions/${id}`)

  await openSettings()
  await page.getByLabel('Title').fill('')
  await page.getByRole('button', { name: 'Save settings' }).click()
  await expectFocus(page, 'Title')
  await expectInView(page)

  await page.getByLabel('Title').fill('Another name')
  await page.keyboard.press('Escape')
  await page.getByRole('heading', { name: 'Discard your changes?' }).waitFor()
  await page.getByRole('button', { name: 'Keep editing' }).click()
  await expectFocus(page, 'Title')
  await expect.poll(() => page.getByLabel('Title').inputValue()).toBe('Another name')
  await page.getByRole('button', { name: 'Close' }).click()
  await page.getByRole('button', { name: 'Discard' }).click()
  await page.getByRole('dialog').waitFor({ state: 'detached' })
  await page.getByRole('heading', { name: 'Hard to lose' }).waitFor()
  await expectFocus(page, 'More')
})

test('a visitor who is too young confirms the date, sees a friendly message, and is not asked again', async () => {
  const { page, open } = await world.visit()
  await page.request.post(`${world.url}/api/auth/register`, {
    data: { email: 'younger@example.test', password: 'a long enough password' },
  })
  await open('/sessions/new/feeds')
  await page.getByRole('button', { name: 'Confirm your age' }).click()
  const year = new Date().getUTCFullYear() - 15
  await page.getByLabel('Date of birth').fill(`${year}-01-02`)
  await page.getByRole('button', { name: 'Confirm my age' }).click()
  await page.getByText(`2 January ${year}`).waitFor()
  await page.getByRole('button', { name: 'Change the date' }).click()
  await expectFocus(page, 'Date of birth')
  await expect.poll(() => page.getByLabel('Date of birth').inputValue()).toBe(`${year}-01-02`)
  await page.getByRole('button', { name: 'Confirm my age' }).click()
  await page.getByRole('button', { name: 'Yes, it is correct' }).click()
  await page.getByRole('heading', { name: 'For adults only' }).waitFor()
  await page.getByRole('button', { name: 'Continue without it' }).click()
  await page.getByText('Adult voices are only for people aged 18').waitFor()
  expect(await page.getByRole('button', { name: 'Confirm your age' }).count()).toBe(0)
  expect(await page.getByRole('radio', { name: 'Teasing' }).count()).toBe(0)

  await open('/account')
  await page.getByText('Not available: only for people aged 18').waitFor()
  expect(await page.getByRole('button', { name: 'Confirm my age' }).count()).toBe(0)
  await open('/credits')
  await page.getByRole('button', { name: /^Claim/ }).click()
  await expectFocus(page, 'Claimed once so far.')
})

test('the first questions allow going back, and skipping one keeps the others', async () => {
  const { page, open } = await world.visit()
  await page.request.post(`${world.url}/api/auth/register`, {
    data: { email: 'curious@example.test', password: 'a long enough password' },
  })
  await open('/library')
  await page.getByRole('button', { name: 'Making' }).click()
  await page.getByRole('button', { name: 'Next' }).click()
  await expectFocus(page, 'What are you interested in?')
  await page.getByRole('button', { name: 'Back' }).click()
  await expectFocus(page, 'What brings you here?')
  await page.getByRole('button', { name: 'Next' }).click()
  await page.getByRole('button', { name: 'Captions' }).click()
  await page.getByRole('button', { name: 'Next' }).click()
  const sent = page.waitForRequest((request) => request.url().includes('onboarding'))
  await page.getByRole('button', { name: 'Skip' }).click()
  expect(JSON.parse((await sent).postData() ?? '')).toMatchObject({
    contentRole: 'creator',
    preferredFeatures: ['captions'],
    preferredTags: [],
  })
  await expect.poll(() => page.evaluate(() => document.activeElement?.id)).toBe('main')
})

test('tags that load on request get the focus', async () => {
  const { page, open } = await world.signedIn(1)
  await open('/sessions/new/feeds')
  const tags = page.getByRole('group', { name: 'Tags' }).getByRole('button')
  await page.getByRole('button', { name: /^\d+ more$/ }).click()
  await expectFocus(page, (await tags.nth(10).textContent()) ?? '')
})

test('a wrong password of a link is selected for typing again', async () => {
  const owner = await world.signedIn(1)
  const id = await world.makeSession(owner.page, 'Behind a word')
  const shared = await owner.page.request.post(`${world.url}/api/sessions/${id}/share`, {
    data: { password: 'open sesame' },
  })
  const { shareCode } = (await shared.json()) as { shareCode: string }
  const { page, open } = await world.visit()
  await open(`/shared/${shareCode}`)
  await page.getByLabel('Password', { exact: true }).fill('a guess')
  await page.getByRole('button', { name: 'Open' }).click()
  await page.getByText('Wrong password.').waitFor()
  await expectFocus(page, 'Password')
  await page.keyboard.type('open sesame')
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { name: 'Behind a word' }).waitFor()
})

test('a visitor with too few credits is led to the daily bonus, with the page marked in the frame', async () => {
  const { context, page, open } = await world.signedIn(1)
  await context.route('**/api/auth/user', async (route) => {
    const user = (await (await route.fetch()).json()) as { credits: object }
    await route.fulfill({ json: { ...user, credits: { ...user.credits, balance: 3 } } })
  })
  await open('/sessions/new/feeds')
  const bonus = page.getByRole('link', { name: 'daily bonus' })
  const place = page.getByRole('navigation').locator('a[aria-current]')
  for (const { viewport, lit } of [
    { viewport: desktop, lit: 'Sessions' },
    { viewport: phone, lit: 'New' },
  ]) {
    await page.setViewportSize(viewport)
    const shown = bonus.filter({ visible: true })
    await expect.poll(() => shown.getAttribute('href')).toBe('/credits')
    await expect.poll(() => place.filter({ visible: true }).allTextContents()).toEqual([lit])
  }
})

test('a dialog neither moves the page nor leaves a part of it undimmed', async () => {
  // Headless browsers hide the scrollbars that most desktop browsers show.
  await using browser = await openBrowser({ hasScrollbars: true })
  const { page, open } = await createVisits(browser, world.url).signedIn(1)
  const id = await world.makeSession(page, 'Stands still')
  for (const height of [400, 2000]) {
    await page.setViewportSize({ width: 1000, height })
    await open(`/sessions/${id}`)
    await page.getByRole('button', { name: 'Share' }).waitFor()
    const hasScrollbar = await page.evaluate(() => document.documentElement.clientWidth < 1000)
    expect(hasScrollbar).toBe(height === 400)
    const left = async () => (await page.locator('h1').boundingBox())?.x
    const before = await left()
    await page.getByRole('button', { name: 'Share' }).click()
    await page.getByRole('dialog').waitFor()
    expect(await left()).toBe(before)
    const backdrop = await page.getByRole('dialog').evaluate((dialog) => {
      const { width, backgroundColor } = getComputedStyle(dialog, '::backdrop')
      return { width, backgroundColor }
    })
    expect(backdrop.width).toBe('1000px')
    expect(backdrop.backgroundColor).toMatch(/0\.\d+\)$/)
  }
})
