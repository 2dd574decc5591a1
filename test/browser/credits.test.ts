/**
 * The credits page: the balance, the spending, the movements, and the people who registered by a referral
 * link.
 */
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { expectOpenToAll, phone } from '../support/accessibility.ts'
import { createPageWorld, type PageWorld } from '../support/page-world.ts'

let world: PageWorld

beforeAll(async () => {
  world = await createPageWorld()
})

afterEach(() => world.closeAll())

afterAll(() => world?.close())

test('the bar leads to the balance, spending and transactions, which can be filtered and paged', async () => {
  const { page, open, errors } = await world.signedIn(1)
  for (let made = 0; made < 13; made += 1) {
    const answer = await page.request.post(`${world.url}/api/sessions`, {
      data: { title: `Evening ${made}`, subfeeds: 'nightcities' },
    })
    expect(answer.status()).toBe(201)
  }
  await open('/library')
  await page.getByRole('link', { name: /^\d+ ?credits$/ }).click()
  await page.getByRole('heading', { name: 'Credits', level: 1 }).waitFor()
  await page.getByText('725', { exact: true }).first().waitFor()
  await page.getByText('Spent 325 and received 1,050 so far.').waitFor()

  await page.getByText('Most often for: New session, 13 times.').waitFor()

  const spending = page.getByRole('region', { name: 'Spent in 30 days' })
  await spending.getByRole('figure', { name: /^325 credits spent between/ }).waitFor()
  await spending.getByText('As a table').click()
  const table = spending.getByRole('table')
  await table.getByRole('columnheader', { name: 'New session' }).waitFor()
  await expect.poll(() => table.getByRole('row').last().innerText()).toMatch(/325$/)

  const history = page.getByRole('region', { name: 'Transactions' })
  await history.getByText('Page 1 of 2').waitFor()
  await history.getByRole('button', { name: 'Older' }).click()
  await history.getByText('Page 2 of 2').waitFor()
  await history.getByText('Welcome credits').waitFor()
  await history.getByText('Given', { exact: true }).first().click()
  await history.getByRole('cell', { name: 'For tests' }).waitFor()
  await expect.poll(() => history.getByRole('row').count()).toBe(3)
  await history.getByText('Refunds').click()
  await history.getByText('No transactions of this kind yet.').waitFor()

  const prices = page.getByRole('region', { name: 'Prices' })
  await expect.poll(() => prices.innerText()).toMatch(/New session\s+25/)
  await expectOpenToAll(page, '/credits')
  expect(errors).toEqual([])
})

test('a new account has no spending, claims its bonus and sees who joined through its link', async () => {
  const { page, open } = await world.visit({ viewport: phone })
  const host = { email: 'host@example.test', password: 'a long enough password' }
  const made = await page.request.post(`${world.url}/api/auth/register`, { data: host })
  const { referralCode } = (await made.json()) as { referralCode: string }
  const guest = await world.visit()
  await guest.open(`/register?r=${referralCode}`)
  await guest.page.getByLabel('First name (optional)').fill('Noor')
  await guest.page.getByLabel('Email').fill('guest@example.test')
  await guest.page.getByLabel('Password', { exact: true }).fill(host.password)
  await guest.page.getByRole('button', { name: 'Create account' }).click()
  await guest.page.getByText('No sessions yet').waitFor()

  await open('/credits')
  await page.getByText('No credits spent').waitFor()
  await page.getByText('You can claim it once a day.').waitFor()
  await page.getByRole('button', { name: 'Claim today’s 5' }).click()
  await page.getByText('Claimed once so far.').waitFor()
  await page.getByRole('link', { name: /^65 ?credits$/ }).waitFor()
  await page.getByText('One person has joined through it, 10 credits so far.').waitFor()
  await page.getByText('Noor').waitFor()
  await page.getByRole('button', { name: 'Show as a QR code' }).click()
  await page.getByRole('img', { name: 'Your link as a QR code' }).waitFor()
  await page.getByRole('button', { name: 'Save as SVG' }).waitFor()
  await page.getByRole('button', { name: 'Hide the QR code' }).click()
  expect(await page.getByRole('img', { name: 'Your link as a QR code' }).count()).toBe(0)
})

test('failed parts show an error beside the rest, and one button loads them again', async () => {
  const { page, open, context } = await world.signedIn(2)
  const once = { times: 1 }
  await context.route('**/api/credits/spending**', (route) => route.fulfill({ status: 503 }), once)
  await open('/credits')
  const spending = page.getByRole('region', { name: 'Spent in 30 days' })
  await spending.getByRole('button', { name: 'Try again' }).click()
  await spending.getByText('No credits spent').waitFor()
})

test('a site without payment methods sells nothing, and speaks German on request', async () => {
  const { page, open } = await world.signedIn(2, { locale: 'de-DE' })
  await open('/credits')
  await page.getByRole('heading', { name: 'Ausgegeben in 30 Tagen' }).waitFor()
  expect(await page.getByRole('link', { name: 'Credits kaufen' }).count()).toBe(0)
  await open('/credits/buy')
  await page.getByText('Zurzeit gibt es nichts zu kaufen.').waitFor()
})
