/** Buying by each of the three payment methods in the browser: the choice, the wait, the receipt. */
import type { Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { expectOpenToAll, phone } from '../support/accessibility.ts'
import { startChain } from '../support/chain.ts'
import { describeOnChain } from '../support/native-packages.ts'
import { createPaymentPageWorld, type PaymentPageWorld } from '../support/payment-page-world.ts'

const choose = (page: Page, hasText: RegExp) => page.locator('label', { hasText }).click()

async function balanceOf(page: Page, url: string): Promise<number> {
  const answer = await page.request.get(`${url}/api/credits/balance`)
  return ((await answer.json()) as { balance: number }).balance
}

describe('with a gateway and a bot', () => {
  let world: PaymentPageWorld

  beforeAll(async () => {
    world = await createPaymentPageWorld()
  })

  afterEach(() => world.closeAll())

  afterAll(() => world?.close())

  test('a plan is paid at the gateway, and the page updates to the receipt', async () => {
    const { page, open, errors } = await world.signedIn(2, { viewport: phone })
    await open('/credits')
    await page.getByRole('link', { name: 'Buy credits' }).click()
    await page.getByText('Packages are only available with a plan.').waitFor()
    await expect.poll(() => page.getByRole('radio', { name: /Starter/ }).isDisabled()).toBe(true)
    await expect.poll(() => page.getByRole('button', { name: 'Pay' }).isDisabled()).toBe(true)
    await choose(page, /Full access/)
    await page.getByText(/^You have 1,050 credits. Afterwards at least 2,500 credits/).waitFor()
    await expectOpenToAll(page, '/credits/buy')
    await page.getByRole('button', { name: /^Pay.*39\.99/ }).click()

    await page.getByText('Waiting for payment').waitFor()
    const checkout = page.getByRole('link', { name: 'Pay at the provider' })
    await expect
      .poll(() => checkout.getAttribute('href'))
      .toMatch(/^https:\/\/nowpayments\.io\/payment/)
    await expect.poll(() => page.getByRole('timer').innerText()).toMatch(/^2[34]:\d\d:\d\d$/)
    await page.getByRole('img', { name: 'The checkout as a QR code' }).waitFor()
    await expectOpenToAll(page, 'a payment that waits')

    await world.settle('confirming')
    await page.getByText('Being confirmed', { exact: true }).waitFor()
    await world.settle('finished')
    await page.getByText('Thank you. Your purchase is in your account.').waitFor()
    const receipt = page.getByRole('region', { name: 'Receipt' })
    await expect
      .poll(() => receipt.innerText())
      .toMatch(/Paid by\s+Crypto\s+Credits\s+2,500\s+Price\s+US\$39\.99/)
    await page.getByRole('link', { name: /^2,500 ?credits$/ }).waitFor()
    await expectOpenToAll(page, 'a receipt')
    expect(errors).toEqual([])
  })

  test('a failed status request is repeated', async () => {
    const { page, open } = await world.signedIn(3)
    await open('/credits/buy')
    await choose(page, /Full access/)
    await page.clock.install()
    await page.getByRole('button', { name: /^Pay/ }).click()
    await page.getByText('Waiting for payment').waitFor()
    let failures = 0
    await page.route('**/api/payments/*', async (route) => {
      failures += 1
      await route.fulfill({ status: 503, json: { message: 'away' } })
    })
    await page.clock.runFor(5000)
    await expect.poll(() => failures).toBeGreaterThan(0)
    await page.unroute('**/api/payments/*')
    await world.settle('finished')
    await page.clock.runFor(60_000)
    await page.getByText('Thank you. Your purchase is in your account.').waitFor()
  })

  test('a package is paid in Telegram, is listed in the payments, and is private', async () => {
    const { page, open } = await world.signedIn(2)
    const before = await balanceOf(page, world.url)
    await open('/credits/buy')
    await page.getByText(/^Your plan until/).waitFor()
    await choose(page, /Starter/)
    await choose(page, /Telegram Stars/)
    await page.getByRole('button', { name: /^Pay/ }).click()
    const invoice = page.getByRole('link', { name: 'Open in Telegram' })
    await expect.poll(() => invoice.getAttribute('href')).toMatch(/^https:\/\/t\.me\//)
    await world.payStars()
    await page.getByText('Paid', { exact: true }).first().waitFor()
    expect(await balanceOf(page, world.url)).toBe(before + 250)
    const address = new URL(page.url()).pathname

    await page.getByRole('link', { name: 'Back to your credits' }).click()
    const payments = page.getByRole('region', { name: 'Payments' })
    await payments.getByRole('row', { name: /Full access, 30 days/ }).waitFor()
    await payments.getByRole('link', { name: '250 credits' }).click()
    await page.getByRole('region', { name: 'Receipt' }).waitFor()

    const other = await world.signedIn(3)
    await other.open(address)
    await other.page.getByText('Page not found').waitFor()
  })

  test('a provider that does not answer shows an error, and no payment is started', async () => {
    const { page, open } = await world.signedIn(3)
    world.gateway.setOutage('server error')
    await open('/credits/buy')
    await choose(page, /Patron/)
    await page.getByRole('button', { name: /^Pay/ }).click()
    await page.getByText('This payment method is not available at the moment').waitFor()
    world.gateway.setOutage('none')
    await page.getByRole('button', { name: /^Pay/ }).click()
    await page.getByText('Waiting for payment').waitFor()
  })

  test('a transfer shows where, what and exactly how much, until it is confirmed', async () => {
    const { page, open, context } = await world.signedIn(3)
    const hash = `0x${'ab'.repeat(32)}`
    const payment = {
      paymentId: 77,
      status: 'pending',
      method: 'web3',
      packageId: 'starter',
      tier: null,
      credits: 250,
      priceUsd: 14.99,
      createdAt: new Date().toISOString(),
      expiresAt: new Date(Date.now() + 3_600_000).toISOString(),
      completedAt: null,
      refundedAt: null,
      transfer: {
        chainId: 137,
        token: '0x1111111111111111111111111111111111111111',
        recipient: '0x2222222222222222222222222222222222222222',
        amount: '14990137',
        decimals: 6,
        reference: 'r',
      },
    }
    const told: unknown[] = []
    await context.route('**/api/payments/77**', (route) => {
      if (route.request().method() === 'POST') told.push(route.request().postDataJSON())
      const confirming = { ...payment, status: 'confirming', txHash: hash }
      return route.fulfill({ json: told.length > 0 ? confirming : payment })
    })
    await open('/credits/payments/77')
    await expect.poll(() => page.getByLabel('Exact amount').inputValue()).toBe('14.990137')
    await page.getByText('Polygon').waitFor()
    await page.getByRole('img', { name: /The transfer as a QR code/ }).waitFor()
    await expectOpenToAll(page, 'a transfer')
    await page.getByLabel('Transaction').fill('0x12')
    await page.getByRole('button', { name: 'Find the transaction' }).click()
    await page.getByText('A transaction has 0x and then 64 digits').waitFor()
    await page.getByLabel('Transaction').fill(` ${hash} `)
    await page.getByRole('button', { name: 'Find the transaction' }).click()
    await page.getByText('Being confirmed', { exact: true }).waitFor()
    expect(told).toEqual([{ txHash: hash }])
  })
})

describeOnChain('with a chain', () => {
  test('a plan is paid for by a transfer of the exact amount', async () => {
    const chain = await startChain()
    const world = await createPaymentPageWorld({ ...chain.settings, WEB3_CONFIRMATIONS: '1' })
    const { page, open } = await world.signedIn(2)
    await open('/credits/buy')
    await choose(page, /Full access/)
    await choose(page, /Your own wallet/)
    await page.getByRole('button', { name: /^Pay/ }).click()
    const amount = await page.getByLabel('Exact amount').inputValue()
    expect(amount).toMatch(/^39\.99\d{4}$/)
    const hash = await chain.transfer(BigInt(amount.replace('.', '')))
    await page.getByLabel('Transaction').fill(hash)
    await page.getByRole('button', { name: 'Find the transaction' }).click()
    await page.getByText('Thank you. Your purchase is in your account.').waitFor()
    await page.getByText(hash).waitFor()
    await world.close()
    await chain.close()
  })
})
