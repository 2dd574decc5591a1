/**
 * A site without credits: nothing has a price, no credits are granted, and none are granted later
 * (contract 13).
 */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { atomically } from '../../src/server/database/atomically.ts'
import { holdCredits, spendHold } from '../../src/server/features/credits/ledger/holds.ts'
import { findUnbalanced } from '../../src/server/features/credits/ledger/queries.ts'
import { refund, spend } from '../../src/server/features/credits/ledger/spending.ts'
import { allocateMonthly } from '../../src/server/features/credits/monthly/monthly-allocation.ts'
import type { PaymentWorld } from '../support/payment-world.ts'
import { createPaymentWorld } from '../support/payment-world.ts'
import type { Person, World } from '../support/world.ts'
import { createWorld, password, refused } from '../support/world.ts'

let world: PaymentWorld

beforeAll(async () => {
  world = await createPaymentWorld()
})
beforeEach(async () => {
  world.clock.set('2027-01-15T10:00:00Z')
  await world.reset()
})
afterAll(async () => {
  expect(await findUnbalanced(world.ctx)).toEqual([])
  await world.close()
})

const idOf = async (person: Person) => (await person.accounts.currentUser()).id
const balanceOf = async (person: Person) => (await person.credits.balance()).balance
const movementsOf = async (person: Person) =>
  (await person.credits.transactions()).transactions.map(({ type, amount }) => [type, amount])

/** Sets the clock and signs in again: these jumps are longer than a sign-in lasts. */
async function at(time: string, ...people: [Person, string][]) {
  world.clock.set(time)
  for (const [person, name] of people)
    await person.accounts.signIn({ body: { email: `${name}@example.test`, password } })
}

const work = { featureKey: 'image_censor', description: 'Work' }

describe('while credits are off', () => {
  test('a new account gets no first grant, and a referral pays nobody', async () => {
    const ana = await world.as('ana')
    const { id, referralCode } = await ana.accounts.currentUser()
    await world.turnCredits('off')
    const bo = world.visitor()
    bo.jar.set('pending_referral', referralCode)
    const joined = await bo.accounts.register({ body: { email: 'bo@example.test', password } })
    expect(joined.referredBy).toBe(id)
    expect([await movementsOf(ana), await movementsOf(bo)]).toEqual([[['grant', 50]], []])
    expect(await ana.accounts.referrals()).toMatchObject({ total: 1, creditsEarned: 0 })
    await world.turnCredits('on')
    expect([await balanceOf(ana), await balanceOf(bo)]).toEqual([50, 0])
  })

  test('the daily bonus is unavailable, and says so', async () => {
    const ana = await world.as('ana')
    await world.turnCredits('off')
    expect(await ana.credits.bonusStatus()).toMatchObject({ available: false, amount: 0 })
    const { status, body } = await refused(ana.credits.claimBonus())
    expect([status, body]).toMatchObject([403, { code: 'CREDITS_OFF' }])
    expect(await balanceOf(ana)).toBe(50)
    await world.turnCredits('on')
    expect(await ana.credits.claimBonus()).toMatchObject({ amount: 5, balance: 55 })
  })

  test('account endpoints still answer, and prices are 0 except for administrators', async () => {
    const ana = await world.as('ana')
    await world.ctx.db.updateTable('feature_pricing').set({ is_premium_only: true }).execute()
    const before = await world.visitor().credits.pricing()
    await world.turnCredits('off')
    const prices = await world.visitor().credits.pricing()
    expect(prices).toEqual(
      before.map((price) => ({ ...price, creditsRequired: 0, isPremiumOnly: false })),
    )
    const ada = world.visitor()
    await ada.accounts.devSignIn()
    const { items } = await ada.credits.listPrices()
    expect(items.find(({ featureKey }) => featureKey === 'session_create')).toMatchObject({
      creditsRequired: 25,
      isPremiumOnly: true,
    })
    expect(await ana.credits.balance()).toMatchObject({ balance: 50 })
    expect(await ana.credits.account()).toMatchObject({ lifetimeEarned: 50 })
    expect(await ana.credits.stats()).toMatchObject({ totalSpent: 0 })
  })

  test('an administrator’s grant and the refund of an earlier debit count', async () => {
    const [ana, bo] = [await world.as('ana'), await world.as('bo')]
    const { debitId } = await spend(world.ctx, await idOf(ana), work)
    await world.turnCredits('off')
    await refund(world.ctx, debitId ?? 0, 'The work failed')
    const ada = world.visitor()
    await ada.accounts.devSignIn()
    const params = { id: await idOf(bo) }
    await ada.credits.grant({ params, body: { amount: 30, reason: 'Prize' } })
    expect([await balanceOf(ana), await balanceOf(bo)]).toEqual([50, 80])
  })

  test('a disabled price stays disabled', async () => {
    const ana = await world.as('ana')
    await world.ctx.db
      .updateTable('feature_pricing')
      .set({ is_active: false })
      .where('feature_key', '=', 'image_censor')
      .execute()
    await world.turnCredits('off')
    const outcome = await spend(world.ctx, await idOf(ana), work).catch((error: unknown) => error)
    expect(outcome).toMatchObject({ body: { code: 'FEATURE_PRICING_MISSING' } })
  })

  test('many concurrent calls on an empty account succeed, and leave no trace in it', async () => {
    await world.turnCredits('off')
    const [ana, bo] = [await world.as('ana'), await world.as('bo')]
    for (const person of [ana, bo]) {
      const userId = await idOf(person)
      const spends = Array.from({ length: 20 }, () => spend(world.ctx, userId, work))
      for (const spent of await Promise.all(spends))
        expect(spent).toEqual({ debitId: null, charged: 0, balance: 0 })
      expect(await movementsOf(person)).toEqual([])
    }
  })

  test('work that was accepted for free stays free when credits are turned on during it', async () => {
    const ana = await world.as('ana')
    await world.turnCredits('off')
    const hold = await holdCredits(world.ctx, await idOf(ana), work)
    await world.turnCredits('on')
    const spent = await atomically(world.ctx, (ctx) => spendHold(ctx, hold, 1))
    expect(spent).toEqual({ debitId: null, charged: 0 })
    expect(await balanceOf(ana)).toBe(50)
  })

  test('work that was accepted for a price becomes free when credits are turned off during it', async () => {
    const ana = await world.as('ana')
    const hold = await holdCredits(world.ctx, await idOf(ana), work)
    await world.turnCredits('off')
    await atomically(world.ctx, (ctx) => spendHold(ctx, hold, 1))
    expect(await movementsOf(ana)).toEqual([['grant', 50]])
  })
})

describe('months that pass while credits are off', () => {
  test('are not made up later', async () => {
    const [ana, bo] = [await world.as('ana'), await world.as('bo')]
    for (const person of [ana, bo]) await spend(world.ctx, await idOf(person), work)
    await world.turnCredits('off')
    await at('2027-02-16T10:00:00Z', [ana, 'ana'])
    await allocateMonthly(world.ctx)
    expect(await balanceOf(ana)).toBe(45)
    expect((await ana.credits.balance()).nextAllocationDate).toMatch(/^2027-03-15/)
    // The next date passes too. The job runs only after credits are on again.
    await at('2027-03-20T10:00:00Z', [ana, 'ana'], [bo, 'bo'])
    await world.turnCredits('on')
    await allocateMonthly(world.ctx)
    for (const person of [ana, bo])
      expect(await movementsOf(person)).toEqual([
        ['spend', -5],
        ['grant', 50],
      ])
    expect((await ana.credits.balance()).nextAllocationDate).toMatch(/^2027-04-15/)
    await at('2027-04-15T11:00:00Z', [ana, 'ana'], [bo, 'bo'])
    await allocateMonthly(world.ctx)
    expect(await movementsOf(ana)).toEqual([
      ['grant', 5],
      ['spend', -5],
      ['grant', 50],
    ])
    expect(await balanceOf(bo)).toBe(50)
  })

  test('are not lost if credits were never off', async () => {
    const ana = await world.as('ana')
    await spend(world.ctx, await idOf(ana), work)
    await at('2027-02-15T10:30:00Z', [ana, 'ana'])
    await world.turnCredits('on')
    await allocateMonthly(world.ctx)
    expect(await balanceOf(ana)).toBe(50)
  })
})

describe('payments while credits are off', () => {
  const crypto = { packageId: 'starter', method: 'crypto' } as const

  test('cannot start: they are refused right after the sign-in', async () => {
    const ana = await world.as('ana')
    await world.turnCredits('off')
    const wanted = { status: 403, body: { code: 'CREDITS_OFF' } }
    for (const body of [crypto, { method: 'shells' }, {}])
      expect(await refused(ana.payments.create({ body: body as never }))).toMatchObject(wanted)
    expect((await refused(world.visitor().payments.create({ body: crypto }))).status).toBe(401)
    expect((await ana.payments.packages()).methods).toEqual([])
    expect((await ana.payments.list()).items).toEqual([])
  })

  test('are credited if they started before', async () => {
    const [ana, bo] = [await world.as('ana'), await world.as('bo')]
    for (const person of [ana, bo]) await world.setTier(person, 'joi_curious')
    const { paymentId } = await ana.payments.create({ body: crypto })
    const stars = await bo.payments.create({ body: { tier: 'vip', method: 'telegram_stars' } })
    await world.turnCredits('off')
    const notice = world.gateway.notice(await world.invoiceOf(paymentId), {
      payment_id: 7001,
      payment_status: 'finished',
    })
    expect((await world.deliver(notice)).status).toBe(200)
    expect(await world.statusOf(ana, paymentId)).toBe('completed')
    expect(await balanceOf(ana)).toBe(300)
    expect(await world.statusOf(bo, stars.paymentId)).toBe('pending')
    await world.turnCredits('on')
    expect(await balanceOf(ana)).toBe(300)
  })
})

describe('by the environment', () => {
  let other: World
  beforeAll(async () => {
    other = await createWorld({ CREDITS: 'off', RATE_LIMIT_PAYMENT: '1/900' })
  })
  afterAll(() => other.close())

  test('CREDITS=off applies until an administrator turns credits on', async () => {
    const ana = await other.as('ana')
    expect(await balanceOf(ana)).toBe(0)
    await ana.sessions.create({ body: { title: 'Evening', subfeeds: 'mountainlight' } })
    // The refusal precedes the rate limit: the second and third call get the same answer.
    for (const body of [{}, {}, {}])
      expect(await refused(ana.payments.create({ body: body as never }))).toMatchObject({
        status: 403,
      })
    await other.turnCredits('on')
    expect(await balanceOf(ana)).toBe(0)
    expect(await balanceOf(await other.as('bo'))).toBe(50)
    const body = { title: 'Evening', subfeeds: 'mountainlight' }
    expect((await refused(ana.sessions.create({ body }))).status).toBe(402)
  })
})
