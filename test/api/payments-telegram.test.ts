/** Payments in stars, against a server that behaves as Telegram documents its Bot API. */
import { describe, expect, test } from 'vitest'
import { withRole } from '../support/admin-world.ts'
import type { PaymentWorld } from '../support/payment-world.ts'
import { createPaymentWorld } from '../support/payment-world.ts'
import { useWorld } from '../support/use-world.ts'
import type { Person } from '../support/world.ts'
import { refused } from '../support/world.ts'

let world: PaymentWorld
let ana: Person

useWorld(createPaymentWorld, async (fresh) => {
  world = fresh
  world.telegram.setOutage('none')
  ana = await world.as('ana')
  await world.setTier(ana, 'joi_curious')
})

const { parse } = JSON
const balance = async () => (await ana.credits.balance()).balance
const lastAnswer = () => world.telegram.preCheckouts.at(-1)

async function begin(body: object = { packageId: 'starter' }) {
  const made = await ana.payments.create({
    body: { ...body, method: 'telegram_stars' } as never,
  })
  const invoice = await world.starsInvoiceOf(made.paymentId)
  return { made, invoice, status: () => world.statusOf(ana, made.paymentId) }
}

describe('an invoice link', () => {
  test('is in stars, with our reference as its payload', async () => {
    const { made, invoice } = await begin()
    expect(made).toMatchObject({ status: 'pending', invoiceLink: invoice.link })
    expect(world.telegram.asked.at(-1)?.body).toEqual({
      title: 'Starter',
      description: '250 credits',
      payload: expect.stringMatching(/^[0-9a-f-]{36}$/),
      provider_token: '',
      currency: 'XTR',
      prices: [{ label: 'Starter', amount: 750 }],
    })
    expect(invoice.amount).toBe(750)
  })

  test('fits Telegram’s limits for everything on sale', async () => {
    const admin = await withRole(world, 'ada', 'admin')
    await admin.admin.changeSettings({ body: { tierNames: { vip: 'Patron '.repeat(5).trim() } } })
    const { packages, tiers } = await ana.payments.packages()
    const things = [
      ...packages.map(({ id }) => ({ packageId: id })),
      ...tiers.filter(({ id }) => id !== 'free').map(({ id }) => ({ tier: id })),
    ]
    const stars: number[] = []
    for (const thing of things) stars.push((await begin(thing)).invoice.amount)
    expect(stars).toEqual([750, 2500, 5000, 1000, 2000, 3500])
  })

  test('that fails is 503, and its payment has failed', async () => {
    for (const outage of ['hangs up', 'server error', 'nonsense', 'redirect'] as const) {
      world.telegram.setOutage(outage)
      const body = { tier: 'vip', method: 'telegram_stars' } as const
      const refusal = await refused(ana.payments.create({ body }))
      expect(refusal).toMatchObject({ status: 503, body: { code: 'PAYMENT_METHOD_UNAVAILABLE' } })
    }
    const { items } = await ana.payments.list()
    expect(items.map(({ status }) => status)).toEqual(['failed', 'failed', 'failed', 'failed'])
  })
})

describe('a pre-checkout', () => {
  test('of an open, unchanged payment is approved', async () => {
    const { invoice } = await begin()
    const update = world.telegram.preCheckout(invoice)
    expect((await world.tell(update)).status).toBe(200)
    const { id } = update['pre_checkout_query'] as { id: string }
    expect(lastAnswer()).toEqual({ pre_checkout_query_id: id, ok: true })
    expect(await balance()).toBe(50)
  })

  test.each([
    ['a smaller amount', { total_amount: 1 }],
    ['another currency', { currency: 'USD' }],
    ['an unknown payload', { invoice_payload: '6fa31c1c-35f4-4f0a-9b5e-6a4b8f0a1d11' }],
    ['a payload of another kind', { invoice_payload: "' or 1=1" }],
  ])('with %s is declined with a reason', async (_, change) => {
    const { invoice } = await begin()
    expect((await world.tell(world.telegram.preCheckout(invoice, change))).status).toBe(200)
    expect(lastAnswer()).toMatchObject({ ok: false, error_message: expect.any(String) })
  })

  test('of a payment that is paid, expired or no longer allowed is declined', async () => {
    const paid = await begin()
    await world.tell(world.telegram.successful(paid.invoice))
    await world.tell(world.telegram.preCheckout(paid.invoice))
    expect(lastAnswer()).toMatchObject({ ok: false })

    const forbidden = await begin()
    await world.setTier(ana, 'free')
    await world.tell(world.telegram.preCheckout(forbidden.invoice))
    expect(lastAnswer()).toMatchObject({ ok: false, error_message: expect.stringMatching(/tier/) })
    await world.setTier(ana, 'joi_curious')

    const stale = await begin()
    world.clock.advance(61 * 60 * 1000)
    await world.tell(world.telegram.preCheckout(stale.invoice))
    expect(lastAnswer()).toMatchObject({ ok: false })
    world.clock.advance(-61 * 60 * 1000)
    expect(world.telegram.preCheckouts.every(({ ok }) => ok === false || ok === true)).toBe(true)
  })

  test('that could not be answered is 503, so that Telegram asks again', async () => {
    const { invoice } = await begin()
    for (const outage of ['hangs up', 'server error', 'nonsense'] as const) {
      world.telegram.setOutage(outage)
      const answer = await world.tell(world.telegram.preCheckout(invoice))
      expect(answer).toMatchObject({ status: 503, body: { code: 'PAYMENT_METHOD_UNAVAILABLE' } })
    }
  })
})

describe('a successful payment', () => {
  test('is credited once per charge, however often it is reported', async () => {
    const { invoice, status } = await begin()
    const update = world.telegram.successful(invoice)
    await Promise.all(Array.from({ length: 8 }, () => world.tell(update)))
    await world.tell(update)
    expect([await status(), await balance()]).toEqual(['completed', 300])
    await world.runJobs()
    expect(world.telegram.refunded).toEqual([])
  })

  test('is credited even if the payment expired between the approval and the money', async () => {
    const { invoice, status } = await begin()
    world.clock.advance(61 * 60 * 1000)
    await world.ctx.queue.send(world.ctx.db, 'expire-payments', {}, {})
    await world.runJobs()
    expect(await status()).toBe('expired')
    await world.tell(world.telegram.successful(invoice))
    expect([await status(), await balance()]).toEqual(['completed', 300])
    world.clock.advance(-61 * 60 * 1000)
  })

  test('with a second charge is refunded by a job, once', async () => {
    const { invoice, status } = await begin()
    await world.tell(world.telegram.successful(invoice))
    const second = world.telegram.successful(invoice, { telegram_payment_charge_id: 'second' })
    world.telegram.setOutage('server error')
    await world.tell(second)
    await world.tell(second)
    await world.runJobs()
    expect(world.telegram.refunded).toEqual([])
    world.telegram.setOutage('none')
    world.clock.advance(3600 * 1000)
    await world.runJobs()
    world.clock.advance(-3600 * 1000)
    expect(world.telegram.refunded).toEqual(['second'])
    expect([await status(), await balance()]).toEqual(['completed', 300])
    await world.tell(world.telegram.refundNotice(invoice, 'second'))
    expect([await status(), await balance()]).toEqual(['completed', 300])
  })

  test('of another amount buys nothing and is refunded', async () => {
    const { invoice, status } = await begin()
    const change = { total_amount: 1, telegram_payment_charge_id: 'too-little' }
    const update = world.telegram.successful(invoice, change)
    await world.tell(update)
    await world.tell(update)
    await world.runJobs()
    expect(world.telegram.refunded.filter((id) => id === 'too-little')).toHaveLength(1)
    expect([await status(), await balance()]).toEqual(['pending', 50])
  })

  test('of an unknown payment is accepted and ignored', async () => {
    const { invoice } = await begin()
    const before = world.telegram.refunded.length
    const others = world.telegram.successful({ ...invoice, payload: 'another-shop' })
    expect((await world.tell(others)).status).toBe(200)
    await world.runJobs()
    expect(world.telegram.refunded).toHaveLength(before)
    expect(await balance()).toBe(50)
  })

  test('that was refunded is taken back, and a repeat of it credits nothing again', async () => {
    const { invoice, status } = await begin({ tier: 'vip' })
    const paid = world.telegram.successful(invoice, { telegram_payment_charge_id: 'gone' })
    await world.tell(paid)
    expect(await ana.credits.balance()).toMatchObject({ tier: 'vip', balance: 5000 })
    await world.tell(world.telegram.refundNotice(invoice, 'gone'))
    await world.tell(world.telegram.refundNotice(invoice, 'gone'))
    await world.tell(paid)
    expect(await status()).toBe('failed')
    expect(await ana.credits.balance()).toMatchObject({ tier: 'free', balance: 50 })
  })
})

describe('the webhook', () => {
  test('is closed to callers without the secret', async () => {
    const { invoice, status } = await begin()
    const update = world.telegram.successful(invoice)
    const header = 'x-telegram-bot-api-secret-token'
    const { webhookSecret } = world.telegram
    for (const headers of [
      {},
      { [header]: '' },
      { [header]: webhookSecret.slice(1) },
      { [header]: `${webhookSecret}x` },
      { [header]: webhookSecret.toUpperCase() },
      { authorization: `Bearer ${webhookSecret}` },
    ])
      expect(await world.tell(update, headers as Record<string, string>)).toMatchObject({
        status: 401,
        body: { message: 'Invalid signature' },
      })
    expect([await status(), await balance()]).toEqual(['pending', 50])
  })

  test('accepts updates that do not concern it', async () => {
    for (const update of [
      { update_id: 1 },
      { update_id: 2, message: { message_id: 1, text: '/start', from: { id: 5 } } },
      { update_id: 3, edited_message: { message_id: 1 } },
      parse('{"update_id":4,"my_chat_member":{"chat":{"id":1}}}'),
    ])
      expect((await world.tell(update)).status).toBe(200)
  })
})
