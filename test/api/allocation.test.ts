/**
 * Monthly credits, daily bonuses and referrals: over months, with clock changes, and with many callers at
 * once.
 */
import { describe, expect, test } from 'vitest'
import { atomically } from '../../src/server/database/atomically.ts'
import { addCredits } from '../../src/server/features/credits/ledger/debit-queries.ts'
import { holdCredits, spendHold } from '../../src/server/features/credits/ledger/holds.ts'
import { spend } from '../../src/server/features/credits/ledger/spending.ts'
import { allocateMonthly } from '../../src/server/features/credits/monthly/monthly-allocation.ts'
import { useWorld } from '../support/use-world.ts'
import type { Person, World } from '../support/world.ts'
import { createWorld, password, refused } from '../support/world.ts'

let world: World

useWorld(createWorld, async (fresh) => {
  world = fresh
  world.clock.set('2027-01-31T10:00:00Z')
})

const idOf = async (person: Person) => (await person.accounts.currentUser()).id

const grantsOf = async (person: Person) =>
  (await person.credits.transactions({ query: { type: 'grant' } })).transactions.map(
    ({ amount }) => amount,
  )

/** Sets the clock and signs in again: these jumps are longer than a sign-in lasts. */
async function at(time: string, person: Person, email = 'ana@example.test') {
  world.clock.set(time)
  await person.accounts.signIn({ body: { email, password } })
}

const view = { featureKey: 'session_slide_view', description: 'A view' }

describe('the monthly allocation', () => {
  test('arrives on the account’s day, at most on the last day of the month', async () => {
    const ana = await world.as('ana')
    const dates = [(await ana.credits.balance()).nextAllocationDate]
    for (const time of ['2027-02-28T11:00:00Z', '2027-03-31T11:00:00Z', '2027-04-30T11:00:00Z']) {
      await at(time, ana)
      await allocateMonthly(world.ctx)
      dates.push((await ana.credits.balance()).nextAllocationDate)
    }
    expect(dates.map((date) => date.slice(0, 13))).toEqual([
      '2027-02-28T10',
      '2027-03-31T10',
      '2027-04-30T10',
      '2027-05-31T10',
    ])
  })

  test('sets the balance and writes the difference, up or down, once a month', async () => {
    const [ana, bo] = [await world.as('ana'), await world.as('bo')]
    await spend(world.ctx, await idOf(ana), { ...view, quantity: 20 })
    await addCredits(world.ctx, {
      userId: await idOf(bo),
      amount: 100,
      type: 'grant',
      description: 'Prize',
    })
    await at('2027-02-28T11:00:00Z', ana)
    await at('2027-02-28T11:00:00Z', bo, 'bo@example.test')
    await Promise.all([1, 2, 3, 4].map(() => allocateMonthly(world.ctx)))
    await allocateMonthly(world.ctx)
    expect(await grantsOf(ana)).toEqual([20, 50])
    expect(await grantsOf(bo)).toEqual([-100, 100, 50])
    expect((await ana.credits.balance()).balance).toBe(50)
    expect((await bo.credits.balance()).balance).toBe(50)
  })

  test('does not take credits that running calls hold', async () => {
    const ana = await world.as('ana')
    const userId = await idOf(ana)
    await addCredits(world.ctx, { userId, amount: 100, type: 'grant', description: 'Prize' })
    const captions = { featureKey: 'smart_caption', description: 'Captions', quantity: 7 }
    const hold = await holdCredits(world.ctx, userId, captions)
    await at('2027-02-28T11:00:00Z', ana)
    await allocateMonthly(world.ctx)
    expect((await ana.credits.balance()).balance).toBe(70)
    await atomically(world.ctx, (ctx) => spendHold(ctx, hold, 7))
    expect((await ana.credits.balance()).balance).toBe(0)
    expect(await grantsOf(ana)).toEqual([-80, 100, 50])
  })

  test('depends on the tier, and keeps bought credits if the setting says so', async () => {
    const ana = await world.as('ana')
    const userId = await idOf(ana)
    await addCredits(world.ctx, {
      userId,
      amount: 250,
      type: 'purchase',
      description: 'Pack',
      purchased: 250,
    })
    await spend(world.ctx, userId, { ...view, quantity: 100 })
    await world.ctx.db
      .updateTable('credit_accounts')
      .set({ tier: 'joi_curious' })
      .where('user_id', '=', userId)
      .execute()
    await world.ctx.db
      .insertInto('settings')
      .values({ key: 'keepPurchasedCredits', value: 'true', updated_at: world.clock.now() })
      .execute()
    await at('2027-02-28T11:00:00Z', ana)
    await allocateMonthly(world.ctx)
    expect((await ana.credits.balance()).balance).toBe(1200)
    await world.ctx.db.updateTable('settings').set({ value: 'false' }).execute()
    await at('2027-03-31T11:00:00Z', ana)
    await allocateMonthly(world.ctx)
    expect((await ana.credits.balance()).balance).toBe(1000)
  })

  test('is allocated once for months that were missed', async () => {
    const ana = await world.as('ana')
    await spend(world.ctx, await idOf(ana), { ...view, quantity: 20 })
    await at('2027-07-15T00:00:00Z', ana)
    await allocateMonthly(world.ctx)
    await allocateMonthly(world.ctx)
    expect(await grantsOf(ana)).toEqual([20, 50])
    expect((await ana.credits.balance()).nextAllocationDate.slice(0, 10)).toBe('2027-07-31')
  })

  test('survives a clock that was ahead, without allocating a month twice', async () => {
    const ana = await world.as('ana')
    const userId = await idOf(ana)
    await spend(world.ctx, userId, { ...view, quantity: 20 })
    await at('2027-02-28T11:00:00Z', ana)
    await allocateMonthly(world.ctx)
    await at('2028-06-15T00:00:00Z', ana)
    await allocateMonthly(world.ctx)
    await at('2027-03-01T00:00:00Z', ana)
    await spend(world.ctx, userId, { ...view, quantity: 10 })
    await allocateMonthly(world.ctx)
    expect((await ana.credits.balance()).balance).toBe(40)
    expect((await ana.credits.balance()).nextAllocationDate.slice(0, 10)).toBe('2027-03-31')
    await at('2027-03-31T11:00:00Z', ana)
    await allocateMonthly(world.ctx)
    expect((await ana.credits.balance()).balance).toBe(50)
    await spend(world.ctx, userId, { ...view, quantity: 10 })
    world.clock.set('2027-03-15T00:00:00Z')
    await allocateMonthly(world.ctx)
    expect((await ana.credits.balance()).balance).toBe(40)
  })

  test('is a scheduled job', async () => {
    const ana = await world.as('ana')
    await spend(world.ctx, await idOf(ana), { ...view, quantity: 20 })
    await at('2027-02-28T11:00:00Z', ana)
    await world.ctx.queue.send(world.ctx.db, 'allocate-credits', {}, {})
    await world.runJobs()
    expect((await ana.credits.balance()).balance).toBe(50)
  })
})

describe('the daily bonus', () => {
  test('is five credits once a UTC day, with a streak', async () => {
    const ana = await world.as('ana')
    expect(await ana.credits.bonusStatus()).toMatchObject({ available: true, amount: 5, streak: 0 })
    const claimed = await ana.credits.claimBonus()
    expect(claimed).toEqual({
      claimed: true,
      amount: 5,
      balance: 55,
      nextClaimAt: '2027-02-01T00:00:00.000Z',
    })
    const again = await refused(ana.credits.claimBonus())
    expect(again).toMatchObject({ status: 400, body: { code: 'ALREADY_EXISTS' } })
    world.clock.set('2027-02-01T00:00:01Z')
    expect(await ana.credits.bonusStatus()).toMatchObject({ available: true, streak: 1 })
    await ana.credits.claimBonus()
    expect(await ana.credits.bonusStatus()).toMatchObject({ available: false, streak: 2 })
    world.clock.set('2027-02-03T00:00:01Z')
    expect(await ana.credits.bonusStatus()).toMatchObject({ available: true, streak: 0 })
    await ana.credits.claimBonus()
    expect(await ana.credits.bonusStatus()).toMatchObject({ streak: 1 })
  })

  test('can be switched off', async () => {
    const ana = await world.as('ana')
    await world.ctx.db
      .insertInto('settings')
      .values({ key: 'dailyBonus', value: '0', updated_at: world.clock.now() })
      .execute()
    expect(await ana.credits.bonusStatus()).toMatchObject({ available: false, amount: 0 })
    expect((await refused(ana.credits.claimBonus())).status).toBe(403)
  })
})

describe('a referral', () => {
  async function joinBy(code: string, name: string, source: Record<string, string> = {}) {
    const newcomer = world.visitor()
    newcomer.jar.set('pending_referral', code)
    for (const [cookie, value] of Object.entries(source)) newcomer.jar.set(cookie, value)
    const body = { email: `${name}@example.test`, password, firstName: name }
    const user = await newcomer.accounts.register({ body })
    return { newcomer, user }
  }

  test('pays both sides at the first sign-in, and deletes the cookies', async () => {
    const ana = await world.as('ana')
    const { id, referralCode } = await ana.accounts.currentUser()
    const { newcomer, user } = await joinBy(referralCode, 'bo', {
      referral_source: 'session_share',
      referral_source_id: '3f1c9a2e-7b54-4d0e-9c0d-1a2b3c4d5e6f',
    })
    expect(user.referredBy).toBe(id)
    expect((await newcomer.credits.balance()).balance).toBe(75)
    expect((await ana.credits.balance()).balance).toBe(60)
    expect(newcomer.jar.get('pending_referral')).toBeUndefined()
    expect(await ana.accounts.referrals()).toMatchObject({
      referralCode,
      referralUrl: `http://lanternist.test/?r=${referralCode}`,
      total: 1,
      creditsEarned: 10,
      recent: [{ firstName: 'bo' }],
    })
    expect(await newcomer.accounts.referrals()).toMatchObject({
      total: 0,
      creditsEarned: 0,
      recent: [],
    })
    const row = await world.ctx.db.selectFrom('referrals').selectAll().executeTakeFirstOrThrow()
    expect(row).toMatchObject({ source: 'session_share', paid: true })
  })

  test('with an unknown or malformed code, or of an existing user, pays nobody', async () => {
    for (const [index, code] of ['ZZZZZZZZ', 'zzzzzzz', "' or 1=1", 'x'.repeat(500)].entries()) {
      const { newcomer } = await joinBy(encodeURIComponent(code), `new${index}`)
      expect((await newcomer.credits.balance()).balance).toBe(50)
    }
    const [ana, old] = [await world.as('ana'), await world.as('old')]
    old.jar.set('pending_referral', (await ana.accounts.currentUser()).referralCode)
    await old.accounts.signIn({ body: { email: 'old@example.test', password } })
    expect((await old.credits.balance()).balance).toBe(50)
    expect((await ana.credits.balance()).balance).toBe(50)
  })

  test('with one’s own code pays nobody', async () => {
    const ana = await world.as('ana')
    const { referralCode, id } = await ana.accounts.currentUser()
    await world.ctx.db
      .updateTable('users')
      .set({ first_signed_in_at: null })
      .where('id', '=', id)
      .execute()
    ana.jar.set('pending_referral', referralCode)
    await ana.accounts.signIn({ body: { email: 'ana@example.test', password } })
    expect((await ana.credits.balance()).balance).toBe(50)
  })

  test('is paid ten times an hour; after that neither side is paid', async () => {
    const ana = await world.as('ana')
    const { referralCode } = await ana.accounts.currentUser()
    const joined = await Promise.all(
      Array.from({ length: 13 }, (_, index) => joinBy(referralCode, `n${index}`)),
    )
    const balances = await Promise.all(
      joined.map(async ({ newcomer }) => (await newcomer.credits.balance()).balance),
    )
    expect(balances.filter((balance) => balance === 75)).toHaveLength(10)
    expect(balances.filter((balance) => balance === 50)).toHaveLength(3)
    expect((await ana.credits.balance()).balance).toBe(150)
    expect(await ana.accounts.referrals()).toMatchObject({ total: 13, creditsEarned: 100 })
    world.clock.advance(3600 * 1000 + 1000)
    const { newcomer } = await joinBy(referralCode, 'later')
    expect((await newcomer.credits.balance()).balance).toBe(75)
  })
})
