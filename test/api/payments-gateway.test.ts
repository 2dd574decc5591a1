/** Payments through the gateway, against a server that behaves as NOWPayments documents. */
import { createHmac } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { spend } from '../../src/server/features/credits/ledger/spending.ts'
import type { PaymentWorld } from '../support/payment-world.ts'
import { createPaymentWorld } from '../support/payment-world.ts'
import { useWorld } from '../support/use-world.ts'
import type { Person } from '../support/world.ts'
import { refused } from '../support/world.ts'

let world: PaymentWorld
let ana: Person

useWorld(createPaymentWorld, async (fresh) => {
  world = fresh
  world.gateway.setOutage('none')
  ana = await world.as('ana')
  await world.setTier(ana, 'joi_curious')
})

const balance = async () => (await ana.credits.balance()).balance

async function begin(body: object = { packageId: 'starter' }) {
  const { paymentId } = await ana.payments.create({ body: { ...body, method: 'crypto' } as never })
  const invoice = await world.invoiceOf(paymentId)
  const notice = (status: string, change: Record<string, unknown> = {}) =>
    world.gateway.notice(invoice, { payment_id: 7001, payment_status: status, ...change })
  return {
    paymentId,
    invoice,
    notice,
    tell: (status: string, change: Record<string, unknown> = {}) =>
      world.deliver(notice(status, change)),
    status: () => world.statusOf(ana, paymentId),
  }
}

describe('an invoice', () => {
  test('is requested with our price, our reference and our callback', async () => {
    const { invoice } = await begin()
    const asked = world.gateway.asked.at(-1)!
    expect(asked.path).toBe('/v1/invoice')
    expect(asked.body).toEqual({
      price_amount: 14.99,
      price_currency: 'usd',
      order_id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      order_description: 'Starter: 250 credits',
      ipn_callback_url: 'http://lanternist.test/api/payments/callback/nowpayments',
      success_url: 'http://lanternist.test/',
      cancel_url: 'http://lanternist.test/',
    })
    expect(invoice.orderId).toBe(asked.body['order_id'])
  })

  test('that fails is 503, and its payment has failed', async () => {
    for (const outage of ['hangs up', 'server error', 'nonsense', 'redirect'] as const) {
      world.gateway.setOutage(outage)
      const body = { packageId: 'starter', method: 'crypto' } as const
      const refusal = await refused(ana.payments.create({ body }))
      expect(refusal).toMatchObject({ status: 503, body: { code: 'PAYMENT_METHOD_UNAVAILABLE' } })
    }
    const { items } = await ana.payments.list()
    expect(items.map(({ status }) => status)).toEqual(['failed', 'failed', 'failed', 'failed'])
  })
})

describe('a payment’s life', () => {
  test('waiting, confirming, confirmed, sending, finished: credited only at the last', async () => {
    const { tell, status } = await begin()
    const seen: unknown[] = []
    for (const told of ['waiting', 'confirming', 'confirmed', 'sending', 'finished']) {
      expect(await tell(told)).toMatchObject({ status: 200, body: { message: 'OK' } })
      seen.push([await status(), await balance()])
    }
    expect(seen).toEqual([
      ['pending', 50],
      ['confirming', 50],
      ['confirming', 50],
      ['confirming', 50],
      ['completed', 300],
    ])
  })

  test('a repeat is 200 and changes nothing, also ten at once', async () => {
    const { notice, status } = await begin()
    const same = notice('finished')
    const answers = await Promise.all(Array.from({ length: 10 }, () => world.deliver(same)))
    expect(answers.map(({ status }) => status)).toEqual(Array.from({ length: 10 }, () => 200))
    await world.deliver(same)
    expect([await status(), await balance()]).toEqual(['completed', 300])
  })

  test('a callback after the end, about an earlier state, changes nothing', async () => {
    const { tell, status } = await begin()
    await tell('finished')
    for (const told of ['waiting', 'confirming', 'partially_paid', 'failed', 'expired'])
      expect((await tell(told)).status).toBe(200)
    expect([await status(), await balance()]).toEqual(['completed', 300])
  })

  test.each([
    ['partially_paid', 'underpaid'],
    ['failed', 'failed'],
    ['expired', 'expired'],
  ])('%s is %s, and credits nothing', async (told, expected) => {
    const { tell, status } = await begin()
    await tell(told)
    await tell('waiting')
    expect([await status(), await balance()]).toEqual([expected, 50])
  })

  test('money that arrives after the expiry still buys', async () => {
    const { tell, status } = await begin()
    world.clock.advance(25 * 3600 * 1000)
    await world.ctx.queue.send(world.ctx.db, 'expire-payments', {}, {})
    await world.runJobs()
    expect(await status()).toBe('expired')
    await tell('confirming')
    expect(await status()).toBe('confirming')
    await tell('finished')
    expect([await status(), await balance()]).toEqual(['completed', 300])
    world.clock.advance(-25 * 3600 * 1000)
  })

  test('a second attempt under the same invoice completes the payment', async () => {
    const { tell, status } = await begin()
    await tell('waiting', { payment_id: 1 })
    await tell('confirming', { payment_id: 2 })
    await tell('expired', { payment_id: 1 })
    expect(await status()).toBe('confirming')
    await tell('finished', { payment_id: 2 })
    await tell('finished', { payment_id: 3 })
    expect([await status(), await balance()]).toEqual(['completed', 300])
  })

  test('an unknown state is accepted and changes nothing', async () => {
    const { tell, status } = await begin()
    expect((await tell('pondering')).status).toBe(200)
    expect([await status(), await balance()]).toEqual(['pending', 50])
  })
})

describe('an underpayment', () => {
  test('a repeated deposit can be finished with less, and is never credited by itself', async () => {
    const { tell, status } = await begin()
    await tell('partially_paid', { payment_id: 1, actually_paid: 0.0001 })
    await tell('finished', { payment_id: 2, parent_payment_id: 1 })
    expect([await status(), await balance()]).toEqual(['underpaid', 50])
  })

  test('finished with less than due is underpaid; a rounding loss is not', async () => {
    const short = await begin()
    await short.tell('finished', { payment_id: 1, pay_amount: 1, actually_paid: 0.9 })
    expect([await short.status(), await balance()]).toEqual(['underpaid', 50])
    const rounded = await begin()
    await rounded.tell('finished', { payment_id: 2, pay_amount: 1, actually_paid: 0.995 })
    expect([await rounded.status(), await balance()]).toEqual(['completed', 300])
  })

  test.each([
    ['a smaller price', { price_amount: 0.01 }],
    ['a larger price', { price_amount: 1499 }],
    ['another currency', { price_currency: 'eur' }],
    ['another invoice', { invoice_id: 1 }],
    ['no invoice', { invoice_id: null }],
    ['another order', { order_id: '6fa31c1c-35f4-4f0a-9b5e-6a4b8f0a1d11' }],
    ['an order that is none of ours', { order_id: 'RGDBP-21314' }],
    ['no order', { order_id: '' }],
  ])('a signed callback with %s is refused: the stored payment decides', async (_, change) => {
    const { tell, status } = await begin()
    expect((await tell('finished', change)).status).toBe(400)
    expect([await status(), await balance()]).toEqual(['pending', 50])
  })
})

describe('a refund', () => {
  test('takes back the rest of a package, never more than there is', async () => {
    const { tell, status, paymentId } = await begin()
    await tell('finished')
    const userId = (await ana.accounts.currentUser()).id
    const views = { featureKey: 'session_slide_view', description: 'Views' }
    await spend(world.ctx, userId, { ...views, quantity: 180 })
    await tell('refunded')
    await tell('refunded')
    await tell('finished')
    expect([await status(), await balance()]).toEqual(['failed', 0])
    const payment = await ana.payments.read({ params: { id: String(paymentId) } })
    expect(payment.refundedAt).not.toBeNull()
    const { transactions } = await ana.credits.transactions({ query: { type: 'grant' } })
    expect(transactions[0]).toMatchObject({ amount: -120, metadata: { paymentId } })
  })

  test('of a tier ends it, and takes the credits that it added', async () => {
    const { tell } = await begin({ tier: 'vip' })
    await tell('finished')
    expect(await ana.credits.balance()).toMatchObject({ tier: 'vip', balance: 5000 })
    await tell('refunded')
    expect(await ana.credits.balance()).toMatchObject({ tier: 'free', balance: 50 })
  })

  test('of one of two renewals keeps the other', async () => {
    const [first, second] = [await begin({ tier: 'vip' }), await begin({ tier: 'vip' })]
    await first.tell('finished', { payment_id: 1 })
    await second.tell('finished', { payment_id: 2 })
    await second.tell('refunded', { payment_id: 2 })
    expect(await ana.credits.balance()).toMatchObject({ tier: 'vip', balance: 5000 })
    const { current } = await ana.payments.packages()
    const daysLeft =
      (Date.parse(current.tierUntil ?? '') - world.clock.now().getTime()) / 86_400_000
    expect(Math.round(daysLeft)).toBe(30)
  })

  test('that arrives before the payment means that nothing is credited', async () => {
    const { tell, status } = await begin()
    await tell('refunded')
    await tell('finished')
    expect([await status(), await balance()]).toEqual(['failed', 50])
  })

  test('of a second, superfluous charge keeps the purchase of the first', async () => {
    const { tell, status } = await begin()
    await tell('finished', { payment_id: 1 })
    await tell('finished', { payment_id: 2 })
    await tell('refunded', { payment_id: 2 })
    expect([await status(), await balance()]).toEqual(['completed', 300])
  })
})

describe('a signature', () => {
  test('is needed, whole and over all of it', async () => {
    const { notice, status } = await begin()
    const { body, signature } = notice('finished')
    const forgeries = [
      { body, signature: '' },
      { body, signature: signature.slice(0, -1) },
      { body, signature: `${signature}0` },
      { body, signature: signature.replace(/^./, (digit) => (digit === '0' ? '1' : '0')) },
      { body: body.replace('"usd"', '"usdt"'), signature },
      { body: body.replace('"serviceFee":1e-7', '"serviceFee":2e-7'), signature },
      { body: body.replace('}', ',"extra":1}'), signature },
      { body, signature: createHmac('sha512', 'wrong').update(body).digest('hex') },
      { body, signature: createHmac('sha256', 'np-ipn-secret-93b1c7').update(body).digest('hex') },
    ]
    for (const forgery of forgeries)
      expect(await world.deliver(forgery)).toMatchObject({
        status: 401,
        body: { message: 'Invalid signature' },
      })
    expect([await status(), await balance()]).toEqual(['pending', 50])
  })

  test('ignores the order of keys, spaces, upper-case digits, and lists', async () => {
    const { notice, status } = await begin()
    const { body, signature } = notice('finished', { payment_extra_ids: [3, 1, 2] })
    const fields = Object.entries(JSON.parse(body) as object).toReversed()
    const shuffled = JSON.stringify(Object.fromEntries(fields), null, 2)
    const delivered = await world.deliver({ body: shuffled, signature: signature.toUpperCase() })
    expect(delivered.status).toBe(200)
    expect(await status()).toBe('completed')
  })

  test('over a body with unsorted lists is valid too', async () => {
    const { notice, status } = await begin()
    const { body } = notice('finished', { payment_extra_ids: [3, 1, 2] })
    const top = JSON.parse(body) as Record<string, object>
    const keys = [...Object.keys(top), ...Object.keys(top['fee'] ?? {})].toSorted()
    const text = JSON.stringify(top, keys)
    const signature = createHmac('sha512', 'np-ipn-secret-93b1c7').update(text).digest('hex')
    expect((await world.deliver({ body, signature })).status).toBe(200)
    expect(await status()).toBe('completed')
  })
})

test('money for a deleted account credits nobody, and the payment has failed', async () => {
  const { paymentId, tell } = await begin()
  const { id } = await ana.accounts.currentUser()
  await world.ctx.db.deleteFrom('users').where('id', '=', id).execute()
  const row = () =>
    world.ctx.db
      .selectFrom('payments')
      .select(['status', 'user_id', 'purchase_id'])
      .where('id', '=', paymentId)
      .executeTakeFirstOrThrow()
  const failed = { status: 'failed', user_id: null, purchase_id: null }
  expect((await tell('finished')).status).toBe(200)
  expect(await row()).toEqual(failed)
  expect((await tell('refunded')).status).toBe(200)
  expect(await row()).toEqual(failed)
})
