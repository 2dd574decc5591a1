/** The ledger through the API, for users and administrators (contract 1.5, 4.7, 9). */
import { describe, expect, test } from 'vitest'
import { addCredits } from '../../src/server/features/credits/ledger/debit-queries.ts'
import { refund, spend } from '../../src/server/features/credits/ledger/spending.ts'
import { useWorld } from '../support/use-world.ts'
import type { Person, World } from '../support/world.ts'
import { createWorld, password, refused } from '../support/world.ts'

let world: World
let ana: Person
let bo: Person
let admin: Person
let anaId: string

useWorld(createWorld, async (fresh) => {
  world = fresh
  ;[ana, bo] = [await world.as('ana'), await world.as('bo')]
  anaId = (await ana.accounts.currentUser()).id
  admin = world.visitor()
  await admin.accounts.devSignIn()
})

const censor = { featureKey: 'image_censor', description: 'Censoring' }

describe('the account', () => {
  test('shows balance, tier, next date and whether the balance is low', async () => {
    const summary = await ana.credits.balance()
    expect(summary).toMatchObject({ balance: 50, tier: 'free', isLowBalance: false })
    await spend(world.ctx, anaId, { ...censor, quantity: 7 })
    expect(await ana.credits.balance()).toMatchObject({ balance: 15, isLowBalance: true })
    expect(await bo.credits.balance()).toMatchObject({ balance: 50 })
    await setSetting('lowBalanceThreshold', 10)
    expect(await ana.credits.balance()).toMatchObject({ isLowBalance: false })
  })

  test('counts spent and earned credits; refunded work does not count', async () => {
    const { debitId } = await spend(world.ctx, anaId, censor)
    await spend(world.ctx, anaId, censor)
    await spend(world.ctx, anaId, { featureKey: 'smart_caption', description: 'A caption' })
    await refund(world.ctx, debitId ?? 0, 'It failed')
    expect(await ana.credits.account()).toMatchObject({ lifetimeSpent: 15, lifetimeEarned: 50 })
    expect(await ana.credits.stats()).toEqual({
      totalSpent: 15,
      mostUsedFeatures: [
        { feature: 'image_censor', count: 1, totalCredits: 5 },
        { feature: 'smart_caption', count: 1, totalCredits: 10 },
      ],
    })
    expect(await bo.credits.stats()).toEqual({ totalSpent: 0, mostUsedFeatures: [] })
  })
})

describe('spending', () => {
  test('is listed by UTC day and feature, minus refunds, for the requested number of days', async () => {
    world.clock.set('2027-01-10T23:59:00Z')
    await spend(world.ctx, anaId, censor)
    world.clock.set('2027-01-11T00:01:00Z')
    await spend(world.ctx, anaId, { ...censor, quantity: 2 })
    await spend(world.ctx, anaId, { featureKey: 'smart_caption', description: 'A caption' })
    const { debitId } = await spend(world.ctx, anaId, censor)
    await refund(world.ctx, debitId ?? 0, 'It failed')
    // The clock moved past the end of their sign-ins.
    for (const [person, name] of [
      [ana, 'ana'],
      [bo, 'bo'],
    ] as const)
      await person.accounts.signIn({ body: { email: `${name}@example.test`, password } })
    const lastDay = [
      { day: '2027-01-11', feature: 'image_censor', credits: 10 },
      { day: '2027-01-11', feature: 'smart_caption', credits: 10 },
    ]
    expect(await ana.credits.spending()).toEqual({
      from: '2026-12-13',
      to: '2027-01-11',
      spent: [{ day: '2027-01-10', feature: 'image_censor', credits: 5 }, ...lastDay],
    })
    expect(await ana.credits.spending({ query: { days: '1' } })).toEqual({
      from: '2027-01-11',
      to: '2027-01-11',
      spent: lastDay,
    })
    expect((await bo.credits.spending()).spent).toEqual([])
    const tooMany = await refused(ana.credits.spending({ query: { days: '91' } }))
    expect(tooMany.status).toBe(400)
  })
})

describe('transactions', () => {
  test('are listed newest first, in pages, by type', async () => {
    for (let count = 0; count < 5; count += 1) await spend(world.ctx, anaId, censor)
    const page = await ana.credits.transactions({ query: { page: '2', limit: '2' } })
    expect(page.pagination).toEqual({ page: 2, limit: 2, total: 6, pages: 3 })
    expect(page.transactions.map(({ balanceAfter }) => balanceAfter)).toEqual([35, 40])
    const grants = await ana.credits.transactions({ query: { type: 'grant' } })
    expect(grants.transactions).toMatchObject([{ amount: 50, type: 'grant', featureKey: null }])
    expect((await bo.credits.transactions()).pagination.total).toBe(1)
  })

  test.each([
    'page=0',
    'page=-1',
    'page=1.5',
    'page=1e3',
    'page=abc',
    'page=',
    'page=99999999999',
    'limit=0',
    'limit=101',
    'limit=NaN',
    'limit=0x10',
    'limit=%201',
    'type=theft',
    'type=',
  ])('%s is refused', async (query) => {
    expect((await ana.fetch(`/api/credits/transactions?${query}`)).status).toBe(400)
  })
})

describe('spending', () => {
  test('charges the price and writes a description', async () => {
    const spent = await spend(world.ctx, anaId, { ...censor, metadata: { width: 3 } })
    expect(spent).toMatchObject({ charged: 5, balance: 45 })
    const [newest] = (await ana.credits.transactions()).transactions
    expect(newest).toMatchObject({
      id: spent.debitId,
      amount: -5,
      type: 'spend',
      featureKey: 'image_censor',
      metadata: { width: 3 },
      balanceAfter: 45,
    })
  })

  test('refuses what cannot be paid, and charges nothing', async () => {
    await expect(spend(world.ctx, anaId, { ...censor, quantity: 11 })).rejects.toMatchObject({
      failure: { status: 402 },
      body: {
        error: 'Insufficient credits',
        code: 'INSUFFICIENT_CREDITS',
        required: 55,
        current: 50,
        featureKey: 'image_censor',
      },
    })
    expect((await ana.credits.balance()).balance).toBe(50)
  })

  test('refuses premium features to the free tier, and allows them to others', async () => {
    await admin.credits.changePrice({
      params: { featureKey: 'image_censor' },
      body: { isPremiumOnly: true },
    })
    await expect(spend(world.ctx, anaId, censor)).rejects.toMatchObject({
      body: { code: 'PREMIUM_ONLY', featureKey: 'image_censor' },
    })
    await world.ctx.db
      .updateTable('credit_accounts')
      .set({ tier: 'vip' })
      .where('user_id', '=', anaId)
      .execute()
    expect(await spend(world.ctx, anaId, censor)).toMatchObject({ charged: 5 })
    await admin.credits.changePrice({
      params: { featureKey: 'image_censor' },
      body: { isPremiumOnly: false },
    })
  })

  test('is refused without an active price', async () => {
    for (const featureKey of ['no_such_feature', 'session_play'])
      await expect(
        spend(world.ctx, anaId, { featureKey, description: 'Nothing' }),
      ).rejects.toMatchObject({
        failure: { status: 503 },
        body: { code: 'FEATURE_PRICING_MISSING', featureKey },
      })
  })

  test.each([-1, 0, 1.5, 2 ** 53, 2 ** 63, Number.NaN, Number('1e300'), Number.POSITIVE_INFINITY])(
    'refuses the quantity %d',
    async (quantity) => {
      await expect(spend(world.ctx, anaId, { ...censor, quantity })).rejects.toThrow()
      expect((await ana.credits.balance()).balance).toBe(50)
    },
  )

  test('free features charge nothing', async () => {
    await admin.credits.changePrice({
      params: { featureKey: 'image_censor' },
      body: { creditsRequired: 0 },
    })
    expect(await spend(world.ctx, anaId, censor)).toEqual({
      debitId: null,
      charged: 0,
      balance: 50,
    })
    await admin.credits.changePrice({
      params: { featureKey: 'image_censor' },
      body: { creditsRequired: 5 },
    })
  })
})

describe('a refund', () => {
  test('happens once, whole or in part, and never exceeds the debit', async () => {
    const { debitId } = await spend(world.ctx, anaId, { ...censor, quantity: 4 })
    const first = await refund(world.ctx, debitId ?? 0, 'Half of it', 8)
    expect(first).toMatchObject({ amount: 8, balance: 38 })
    expect(await refund(world.ctx, debitId ?? 0, 'Again')).toBeNull()
    const second = await spend(world.ctx, anaId, censor)
    expect(await refund(world.ctx, second.debitId ?? 0, 'Too much', 500)).toMatchObject({
      amount: 5,
    })
    expect((await ana.credits.balance()).balance).toBe(38)
  })

  test('refunds only debits', async () => {
    const [grant] = (await ana.credits.transactions()).transactions
    expect(await refund(world.ctx, grant?.id ?? 0, 'No')).toBeNull()
    expect(await refund(world.ctx, 2_000_000_000, 'No')).toBeNull()
  })

  test('restores bought credits as bought credits', async () => {
    await addCredits(world.ctx, {
      userId: anaId,
      amount: 100,
      type: 'purchase',
      description: 'Pack',
      purchased: 100,
    })
    const { debitId } = await spend(world.ctx, anaId, { ...censor, quantity: 20 })
    expect(await purchasedOf(anaId)).toBe(50)
    await refund(world.ctx, debitId ?? 0, 'It failed')
    expect(await purchasedOf(anaId)).toBe(100)
  })
})

async function setSetting(key: string, value: number | boolean) {
  await world.ctx.db
    .insertInto('settings')
    .values({ key, value: JSON.stringify(value), updated_at: world.clock.now() })
    .execute()
}

async function purchasedOf(userId: string): Promise<number> {
  const { purchased } = await world.ctx.db
    .selectFrom('credit_accounts')
    .select('purchased')
    .where('user_id', '=', userId)
    .executeTakeFirstOrThrow()
  return purchased
}
