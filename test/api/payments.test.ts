/**
 * Buying through the API: the offers, who may buy them, and the list of a person's payments (contract
 * 4.9, 9).
 */
import { describe, expect, test } from 'vitest'
import { endpoints } from '../../src/contract/api.ts'
import type { PaymentWorld } from '../support/payment-world.ts'
import { createPaymentWorld } from '../support/payment-world.ts'
import { useWorld } from '../support/use-world.ts'
import type { Person } from '../support/world.ts'
import { createWorld, password, refused } from '../support/world.ts'

let world: PaymentWorld
let ana: Person
let bo: Person

useWorld(createPaymentWorld, async (fresh) => {
  world = fresh
  world.clock.set('2027-03-10T10:00:00Z')
  ;[ana, bo] = [await world.as('ana'), await world.as('bo')]
})

type Tier = 'joi_curious' | 'full_access' | 'vip'

const balanceOf = async (person: Person) => (await person.credits.balance()).balance
const begin = (person: Person, tier: Tier) =>
  person.payments.create({ body: { tier, method: 'crypto' } })

async function buy(person: Person, what: { tier: Tier } | { packageId: string }) {
  const { paymentId } = await person.payments.create({ body: { ...what, method: 'crypto' } })
  await world.deliver(world.gateway.notice(await world.invoiceOf(paymentId)))
  return paymentId
}

/** Sets the clock and signs in again: these jumps are longer than a sign-in lasts. */
async function at(time: string, person: Person, email = 'ana@example.test') {
  world.clock.set(time)
  await person.accounts.signIn({ body: { email, password } })
}

const runJob = async (name: string) => {
  await world.ctx.queue.send(world.ctx.db, name, {}, {})
  await world.runJobs()
}

describe('the catalogue', () => {
  test('three packages, four tiers, the payment methods, and the caller’s tier', async () => {
    expect(await ana.payments.packages()).toEqual({
      packages: [
        { id: 'starter', name: 'Starter', credits: 250, priceUsd: 14.99 },
        { id: 'pro', name: 'Pro', credits: 1000, priceUsd: 49.99 },
        { id: 'power_user', name: 'Power User', credits: 2500, priceUsd: 99.99 },
      ],
      tiers: [
        { id: 'free', name: 'Free', creditsPerMonth: 50, priceUsd: 0, canBuyExtra: false },
        {
          id: 'joi_curious',
          name: 'Plus',
          creditsPerMonth: 1000,
          priceUsd: 19.99,
          canBuyExtra: true,
        },
        {
          id: 'full_access',
          name: 'Full access',
          creditsPerMonth: 2500,
          priceUsd: 39.99,
          canBuyExtra: true,
        },
        { id: 'vip', name: 'Patron', creditsPerMonth: 5000, priceUsd: 69.99, canBuyExtra: true },
      ],
      methods: ['crypto', 'telegram_stars'],
      current: { tier: 'free', tierUntil: null },
    })
  })

  test('starting a payment costs no credits', () => {
    const { endpoint } = endpoints.find(({ name }) => name === 'payments.create')!
    expect(endpoint.price).toBeUndefined()
  })
})

describe('starting a payment', () => {
  test('returns where to pay, and credits nothing', async () => {
    const made = await begin(ana, 'vip')
    expect(made).toEqual({
      paymentId: 1,
      status: 'pending',
      method: 'crypto',
      packageId: null,
      tier: 'vip',
      credits: 5000,
      priceUsd: 69.99,
      createdAt: expect.any(String),
      expiresAt: expect.stringMatching(/^2027-03-11T10:00/),
      completedAt: null,
      refundedAt: null,
      checkoutUrl: expect.stringMatching(/^https:\/\/nowpayments\.io\/payment\/\?iid=\d+$/),
    })
    expect(await balanceOf(ana)).toBe(50)
    expect(await ana.payments.read({ params: { id: '1' } })).toEqual(made)
  })

  test('a free account buys a tier, not a package', async () => {
    const body = { packageId: 'starter', method: 'crypto' } as const
    const refusal = await refused(ana.payments.create({ body }))
    expect(refusal).toMatchObject({ status: 403, body: { code: 'PURCHASE_NOT_ALLOWED' } })
    await world.setTier(ana, 'joi_curious')
    expect(await ana.payments.create({ body })).toMatchObject({ credits: 250, priceUsd: 14.99 })
    expect((await refused(bo.payments.create({ body }))).status).toBe(403)
  })

  test('a tier that has ended does not count, even before the job has ended it', async () => {
    await buy(ana, { tier: 'joi_curious' })
    await at('2027-04-10T10:00:00Z', ana)
    const body = { packageId: 'starter', method: 'crypto' } as const
    expect((await refused(ana.payments.create({ body }))).status).toBe(403)
  })

  test('is refused for bodies without a valid purchase or method', async () => {
    for (const body of [
      { method: 'crypto' },
      { packageId: 'pro', tier: 'vip', method: 'crypto' },
      { tier: 'free', method: 'crypto' },
      { tier: 'vip' },
      { tier: 'vip', method: 'cash' },
      { packageId: 1, method: 'crypto' },
    ])
      expect((await refused(ana.payments.create({ body: body as never }))).status).toBe(400)
    expect((await ana.payments.list()).items).toEqual([])
  })

  test('is refused for an unknown package', async () => {
    await world.setTier(ana, 'vip')
    const body = { packageId: 'constructor', method: 'crypto' } as const
    expect((await refused(ana.payments.create({ body }))).status).toBe(404)
  })

  test('with a method without settings is 503, and stores nothing', async () => {
    const body = { tier: 'vip', method: 'web3' } as const
    const refusal = await refused(ana.payments.create({ body }))
    expect(refusal).toMatchObject({ status: 503, body: { code: 'PAYMENT_METHOD_UNAVAILABLE' } })
    expect((await ana.payments.list()).items).toEqual([])
  })

  test('price and credits come from the server, not from the body', async () => {
    const body = {
      tier: 'vip',
      method: 'crypto',
      priceUsd: 0.01,
      credits: 1e9,
      status: 'completed',
    }
    const made = await ana.payments.create({ body: body as never })
    expect(made).toMatchObject({ priceUsd: 69.99, credits: 5000, status: 'pending' })
  })

  test('is limited by account', async () => {
    const limited = await createWorld({ RATE_LIMIT_PAYMENT: '2/900' })
    const [ana, bo] = [await limited.as('ana'), await limited.as('bo')]
    const body = { tier: 'vip', method: 'web3' } as const
    const statuses: number[] = []
    for (const person of [ana, ana, ana, bo])
      statuses.push((await refused(person.payments.create({ body }))).status)
    expect(statuses).toEqual([503, 503, 429, 503])
    await limited.close()
  })
})

describe('the caller’s payments', () => {
  test('are listed newest first, in pages, without those of other accounts', async () => {
    for (const tier of ['joi_curious', 'full_access', 'vip'] as const) await begin(ana, tier)
    await begin(bo, 'vip')
    const first = await ana.payments.list({ query: { limit: '2' } })
    expect(first.items.map(({ tier }) => tier)).toEqual(['vip', 'full_access'])
    const cursor = first.nextCursor ?? ''
    const second = await ana.payments.list({ query: { limit: '2', cursor } })
    expect(second.items.map(({ tier }) => tier)).toEqual(['joi_curious'])
    expect(second.nextCursor).toBeNull()
    expect((await bo.payments.list()).items).toHaveLength(1)
    expect((await refused(ana.payments.list({ query: { limit: '101' } }))).status).toBe(400)
  })

  test('cannot be read or paid by anyone else', async () => {
    const { paymentId } = await begin(ana, 'vip')
    const params = { id: String(paymentId) }
    const body = { txHash: `0x${'ab'.repeat(32)}` }
    expect((await refused(bo.payments.read({ params }))).status).toBe(404)
    expect((await refused(bo.payments.submitTransaction({ params, body }))).status).toBe(404)
    expect((await refused(bo.payments.read({ params: { id: '999' } }))).status).toBe(404)
  })

  test('accept a transaction only if they wait for one', async () => {
    const { paymentId } = await begin(ana, 'vip')
    const submit = (txHash: string) =>
      refused(
        ana.payments.submitTransaction({ params: { id: String(paymentId) }, body: { txHash } }),
      )
    expect((await submit(`0x${'ab'.repeat(32)}`)).body).toMatchObject({ code: 'INVALID_INPUT' })
    for (const wrong of ['', '0x', 'ab'.repeat(32), `0x${'zz'.repeat(32)}`])
      expect((await submit(wrong)).status).toBe(400)
  })

  test('expire after a day', async () => {
    const { paymentId } = await begin(ana, 'vip')
    world.clock.advance(23 * 3600 * 1000)
    await runJob('expire-payments')
    expect(await world.statusOf(ana, paymentId)).toBe('pending')
    world.clock.advance(2 * 3600 * 1000)
    await runJob('expire-payments')
    expect(await world.statusOf(ana, paymentId)).toBe('expired')
  })
})
