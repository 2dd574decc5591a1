/** The result of a purchase: credits, or a tier for thirty days (contract 4.9, 9). */
import { describe, expect, test } from 'vitest'
import { atomically } from '../../src/server/database/atomically.ts'
import { holdCredits, spendHold } from '../../src/server/features/credits/ledger/holds.ts'
import { spend } from '../../src/server/features/credits/ledger/spending.ts'
import { allocateMonthly } from '../../src/server/features/credits/monthly/monthly-allocation.ts'
import type { PaymentWorld } from '../support/payment-world.ts'
import { createPaymentWorld } from '../support/payment-world.ts'
import { useWorld } from '../support/use-world.ts'
import type { Person } from '../support/world.ts'
import { password } from '../support/world.ts'

let world: PaymentWorld
let ana: Person
let bo: Person

useWorld(createPaymentWorld, async (fresh) => {
  world = fresh
  world.clock.set('2027-03-10T10:00:00Z')
  ;[ana, bo] = [await world.as('ana'), await world.as('bo')]
})

type Tier = 'joi_curious' | 'full_access' | 'vip'

const idOf = async (person: Person) => (await person.accounts.currentUser()).id
const balanceOf = async (person: Person) => (await person.credits.balance()).balance
const begin = (person: Person, tier: Tier) =>
  person.payments.create({ body: { tier, method: 'crypto' } })

async function buy(person: Person, what: { tier: Tier } | { packageId: string }) {
  const { paymentId } = await person.payments.create({ body: { ...what, method: 'crypto' } })
  await world.deliver(world.gateway.notice(await world.invoiceOf(paymentId)))
  return paymentId
}

const spendOf = async (person: Person, quantity: number) =>
  spend(world.ctx, await idOf(person), {
    featureKey: 'session_slide_view',
    description: 'Views',
    quantity,
  })

/** Sets the clock and signs in again: these jumps are longer than a sign-in lasts. */
async function at(time: string, person: Person, email = 'ana@example.test') {
  world.clock.set(time)
  await person.accounts.signIn({ body: { email, password } })
}

const runJob = async (name: string) => {
  await world.ctx.queue.send(world.ctx.db, name, {}, {})
  await world.runJobs()
}

describe('a package', () => {
  test('adds its credits as bought ones, in one purchase, and the purchase is logged', async () => {
    await world.setTier(ana, 'joi_curious')
    const paymentId = await buy(ana, { packageId: 'pro' })
    expect(await balanceOf(ana)).toBe(1050)
    const { transactions } = await ana.credits.transactions({ query: { type: 'purchase' } })
    expect(transactions).toMatchObject([
      {
        amount: 1000,
        description: 'Pro, 1000 credits',
        balanceAfter: 1050,
        metadata: { paymentId, method: 'crypto', priceUsd: 49.99 },
      },
    ])
    const account = await world.ctx.db
      .selectFrom('credit_accounts')
      .select('purchased')
      .where('user_id', '=', await idOf(ana))
      .executeTakeFirstOrThrow()
    expect(account.purchased).toBe(1000)
    const entries = await world.ctx.db
      .selectFrom('activity_log')
      .selectAll()
      .where('action', '=', 'payment_completed')
      .execute()
    expect(entries).toMatchObject([
      { feature: 'payments', details: { paymentId, packageId: 'pro', credits: 1000 } },
    ])
  })
})

describe('a tier', () => {
  test('is set for 30 days, raises the balance and restarts the monthly date', async () => {
    await spendOf(ana, 20)
    await world.deliver(
      world.gateway.notice(await world.invoiceOf((await begin(ana, 'joi_curious')).paymentId)),
    )
    expect(await ana.credits.balance()).toMatchObject({ balance: 1000, tier: 'joi_curious' })
    expect((await ana.credits.balance()).nextAllocationDate.slice(0, 10)).toBe('2027-04-10')
    const { current } = await ana.payments.packages()
    expect(current.tierUntil?.slice(0, 16)).toBe('2027-04-09T10:00')
    const { transactions } = await ana.credits.transactions({ query: { type: 'purchase' } })
    expect(transactions).toMatchObject([{ amount: 970, description: 'Plus, 30 days' }])
    expect(await balanceOf(bo)).toBe(50)
  })

  test('never lowers the balance, and is a purchase even if it adds nothing', async () => {
    await buy(ana, { tier: 'vip' })
    await buy(ana, { tier: 'joi_curious' })
    expect(await ana.credits.balance()).toMatchObject({ balance: 5000, tier: 'joi_curious' })
    const { transactions } = await ana.credits.transactions({ query: { type: 'purchase' } })
    expect(transactions.map(({ amount }) => amount)).toEqual([0, 4950])
  })

  test('that is bought again is extended by 30 days', async () => {
    await buy(ana, { tier: 'vip' })
    world.clock.advance(5 * 24 * 3600 * 1000)
    await buy(ana, { tier: 'vip' })
    const { current } = await ana.payments.packages()
    expect(current.tierUntil?.slice(0, 10)).toBe('2027-05-09')
    expect((await ana.credits.balance()).nextAllocationDate.slice(0, 10)).toBe('2027-04-15')
  })

  test('ends by itself: the tier is free again, and the credits stay until the monthly date', async () => {
    await buy(ana, { tier: 'joi_curious' })
    await runJob('expire-tiers')
    expect(await ana.credits.balance()).toMatchObject({ tier: 'joi_curious' })
    await at('2027-04-09T10:01:00Z', ana)
    await runJob('expire-tiers')
    expect(await ana.credits.balance()).toMatchObject({ tier: 'free', balance: 1000 })
    await at('2027-04-10T10:01:00Z', ana)
    await allocateMonthly(world.ctx)
    expect(await ana.credits.balance()).toMatchObject({ tier: 'free', balance: 50 })
  })

  test('that has ended gets no monthly credits, even before the job has ended it', async () => {
    await buy(ana, { tier: 'joi_curious' })
    await at('2027-04-10T10:01:00Z', ana)
    await allocateMonthly(world.ctx)
    expect(await balanceOf(ana)).toBe(50)
  })

  test('without an end keeps having none', async () => {
    await world.setTier(ana, 'vip')
    await buy(ana, { tier: 'vip' })
    expect((await ana.payments.packages()).current).toEqual({ tier: 'vip', tierUntil: null })
  })

  test('bought during the monthly allocation is not undone by it', async () => {
    await at('2027-04-10T09:59:00Z', ana)
    const { paymentId } = await begin(ana, 'vip')
    const invoice = await world.invoiceOf(paymentId)
    await at('2027-04-10T10:01:00Z', ana)
    await Promise.all([
      allocateMonthly(world.ctx),
      world.deliver(world.gateway.notice(invoice)),
      allocateMonthly(world.ctx),
    ])
    expect(await ana.credits.balance()).toMatchObject({ balance: 5000, tier: 'vip' })
  })
})

test('a refunded purchase does not take the credits that a running caption holds', async () => {
  await world.setTier(ana, 'joi_curious')
  const body = { packageId: 'starter', method: 'crypto' as const }
  const { paymentId } = await ana.payments.create({ body })
  const invoice = await world.invoiceOf(paymentId)
  const tell = (payment_status: string) =>
    world.deliver(world.gateway.notice(invoice, { payment_id: 7001, payment_status }))
  await tell('finished')
  expect(await balanceOf(ana)).toBe(300)
  const captions = { featureKey: 'smart_caption', description: 'Captions', quantity: 20 }
  const hold = await holdCredits(world.ctx, await idOf(ana), captions)
  await tell('refunded')
  expect(await balanceOf(ana)).toBe(200)
  await atomically(world.ctx, (ctx) => spendHold(ctx, hold, 20))
  expect(await balanceOf(ana)).toBe(0)
})
