/** The account pages: age, interests, notices, downloading everything, and deleting the account. */
import type { Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { expectOpenToAll } from '../support/accessibility.ts'
import { photo } from '../support/file-visit.ts'
import { createPageWorld, type PageWorld } from '../support/page-world.ts'

let world: PageWorld

beforeAll(async () => {
  world = await createPageWorld()
})

afterEach(() => world.closeAll())

afterAll(() => world?.close())

const password = 'a long enough password'

async function register(page: Page, email: string): Promise<void> {
  const made = await page.request.post(`${world.url}/api/auth/register`, {
    data: { email, password, firstName: 'Mara' },
  })
  expect(made.status()).toBe(201)
}

test('age is confirmed and withdrawn again', async () => {
  const { page, open } = await world.visit()
  await register(page, 'adult@example.test')
  await open('/account')
  const adult = page.getByRole('region', { name: 'Adult content' })
  await adult.getByRole('button', { name: 'Confirm my age' }).click()
  await page.getByLabel('Date of birth').fill('1990-01-02')
  await page.getByRole('dialog').getByRole('button', { name: 'Confirm my age' }).click()
  await adult.getByText('Your age is confirmed.').waitFor()
  await adult.getByRole('button', { name: 'Withdraw' }).click()
  await page.getByRole('button', { name: 'Keep showing it' }).click()
  await adult.getByText('Your age is confirmed.').waitFor()
  await adult.getByRole('button', { name: 'Withdraw' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Withdraw' }).click()
  await adult.getByText('Hidden until your age is confirmed.').waitFor()
})

test('a wrong date of birth gets another message than a missing one', async () => {
  const { page, open } = await world.visit()
  await register(page, 'misdated@example.test')
  await open('/account')
  await page.getByRole('button', { name: 'Confirm my age' }).click()
  const field = page.getByLabel('Date of birth')
  const confirm = page.getByRole('dialog').getByRole('button', { name: 'Confirm my age' })
  for (const [date, complaint] of [
    ['', 'Enter your date of birth.'],
    [`${new Date().getUTCFullYear() + 1}-05-04`, 'This date is in the future.'],
    ['1899-12-31', 'This date is too early. Enter a date from 1900 on.'],
  ] as const) {
    await field.fill(date)
    await confirm.click()
    await page.getByRole('dialog').getByText(complaint).waitFor()
    await expect.poll(() => field.getAttribute('aria-invalid')).toBe('true')
    const note = await field.getAttribute('aria-describedby')
    await expect.poll(() => page.locator(`[id="${note}"]`).textContent()).toBe(complaint)
  }
})

test('a name and a picture are saved, shown in the frame, and removed', async () => {
  const { page, open } = await world.visit()
  await register(page, 'named@example.test')
  await open('/account')
  const profile = page.getByRole('region', { name: 'Profile' })
  await profile.getByLabel('First name').fill('Mira')
  await profile.getByLabel('Last name').fill('Lucerna')
  await profile.getByRole('button', { name: 'Save' }).click()
  await page.getByText('Profile saved.').waitFor()
  await page.getByRole('button', { name: 'Account menu' }).getByText('ML').waitFor()
  const picture = { name: 'me.jpg', mimeType: 'image/jpeg', buffer: await photo(3) }
  await profile.locator('input[type=file]').setInputFiles(picture)
  await page.getByRole('button', { name: 'Account menu' }).locator('img').waitFor()
  await profile.getByRole('button', { name: 'Remove' }).click()
  await page.getByRole('button', { name: 'Account menu' }).getByText('ML').waitFor()
})

test('interests can be changed, and stay', async () => {
  const { page, open } = await world.visit()
  await register(page, 'curious@example.test')
  await open('/account')
  expect(await page.getByRole('region', { name: 'Interests' }).count()).toBe(0)
  await page.request.post(`${world.url}/api/user/onboarding`, {
    data: { contentRole: 'consumer', preferredFeatures: [], preferredTags: ['night'] },
  })
  await open('/account')
  const interests = page.getByRole('region', { name: 'Interests' })
  const night = interests.getByRole('button', { name: 'Night', exact: true })
  await expect.poll(() => night.getAttribute('aria-pressed')).toBe('true')
  await interests.getByRole('button', { name: 'Making' }).click()
  await night.click()
  await interests.getByRole('button', { name: 'Save' }).click()
  await page.getByText('Interests saved.').waitFor()
  await open('/account')
  await expect.poll(() => night.getAttribute('aria-pressed')).toBe('false')
  const making = interests.getByRole('button', { name: 'Making' })
  await expect.poll(() => making.getAttribute('aria-pressed')).toBe('true')
})

test('the bell shows new notices, and is cleared once they are read', async () => {
  const { page, open } = await world.signedIn(2)
  const id = await world.makeSession(page, 'Piers at dusk')
  await open('/account/notices')
  await page.getByText('No notices').waitFor()
  const shared = await page.request.post(`${world.url}/api/sessions/${id}/share`, { data: {} })
  const { shareCode } = (await shared.json()) as { shareCode: string }
  const reported = await page.request.post(`${world.url}/api/reports`, {
    data: { targetType: 'shared_session', shareCode, reason: 'non_consensual' },
  })
  expect(reported.status()).toBe(202)

  await open('/library')
  await page.getByRole('link', { name: '1 new notice' }).click()
  await page.getByText('“Piers at dusk” was reported and is hidden').waitFor()
  await expectOpenToAll(page, '/account/notices')
  await page.getByRole('button', { name: 'Mark all as read' }).click()
  await page.getByRole('link', { name: 'Notices', exact: true }).waitFor()
  const news = page.getByText('New', { exact: true }).filter({ visible: true })
  await expect.poll(() => news.count()).toBe(0)
})

test('an export is downloaded completely, or stopped', async () => {
  const { page, open, context } = await world.visit()
  await register(page, 'packing@example.test')
  await open('/account')
  await page.getByRole('link', { name: 'Download or restore' }).click()
  await page.getByText('There are two downloads.').waitFor()
  await expectOpenToAll(page, '/account/downloads')
  const saved = page.waitForEvent('download')
  await page.getByRole('button', { name: 'Download everything' }).click()
  expect((await saved).suggestedFilename()).toMatch(/\.zip$/)
  await page.getByText(/^Downloaded, /).waitFor()

  await context.route('**/api/auth/export', (route) => route.fulfill({ status: 429 }), { times: 1 })
  await page.getByRole('button', { name: 'Download everything' }).click()
  await page.getByRole('alert').filter({ hasText: /./ }).waitFor()
  // An export that never ends.
  await context.route('**/api/auth/export', () => {})
  await page.getByRole('button', { name: 'Download everything' }).click()
  await page.getByRole('button', { name: 'Stop' }).click()
  await page.getByRole('button', { name: 'Stop' }).waitFor({ state: 'detached' })
  expect(await page.getByText(/^Downloaded, /).count()).toBe(0)
})

test('deleting the account lists what goes, and afterwards nobody can sign in to it', async () => {
  const { page, open } = await world.visit()
  const email = 'leaving@example.test'
  await register(page, email)
  await page.request.post(`${world.url}/api/sessions`, {
    data: { title: 'The last one', subfeeds: 'nightcities' },
  })
  await open('/account')
  await expectOpenToAll(page, '/account')
  await page.getByRole('button', { name: 'Delete my account' }).click()
  const dialog = page.getByRole('dialog', { name: 'Delete your account?' })
  await dialog.getByText(/^\d+ sessions?$/).waitFor()
  await dialog.getByText('25 credits').waitFor()
  await expectOpenToAll(page, 'leaving')
  await dialog.getByLabel(`Type ${email} to confirm`).fill('someone@example.test')
  await dialog.getByRole('button', { name: 'Delete my account' }).click()
  await dialog.getByText('Confirm with the e-mail of the account.').waitFor()
  await dialog.getByLabel(`Type ${email} to confirm`).fill(email)
  await dialog.getByRole('button', { name: 'Delete my account' }).click()
  await page.waitForURL(`${world.url}/`)

  await open('/login')
  await page.getByLabel('Email').fill(email)
  await page.getByLabel('Password', { exact: true }).fill(password)
  await page.getByRole('button', { name: 'Sign in', exact: true }).click()
  await page.getByText('Invalid credentials').waitFor()
})
