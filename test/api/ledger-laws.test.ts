/** The laws of the ledger, checked with random programs of operations. */
import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { atomically } from '../../src/server/database/atomically.ts'
import { createUser } from '../../src/server/features/accounts/users.ts'
import { addCredits, takeDebits } from '../../src/server/features/credits/ledger/debit-queries.ts'
import type { Hold } from '../../src/server/features/credits/ledger/holds.ts'
import {
  holdCredits,
  releaseHold,
  spendHold,
} from '../../src/server/features/credits/ledger/holds.ts'
import { findUnbalanced } from '../../src/server/features/credits/ledger/queries.ts'
import { refund, spend, spendAnd } from '../../src/server/features/credits/ledger/spending.ts'
import { Problem } from '../../src/server/http/problem.ts'
import type { World } from '../support/world.ts'
import { createWorld } from '../support/world.ts'

let world: World

beforeAll(async () => {
  world = await createWorld()
})
afterAll(() => world.close())

const prices = { session_slide_view: 1, image_censor: 5, smart_caption: 10, image_enhance_high: 45 }

const featureKey = fc.constantFrom(...(Object.keys(prices) as (keyof typeof prices)[]))

const operation = fc.oneof(
  fc.record({ kind: fc.constant('spend'), featureKey, quantity: fc.integer({ min: 1, max: 4 }) }),
  fc.record({ kind: fc.constant('spend and fail'), featureKey }),
  fc.record({
    kind: fc.constant('refund'),
    which: fc.nat(20),
    amount: fc.option(fc.integer({ min: 1, max: 60 })),
  }),
  fc.record({
    kind: fc.constant('add'),
    amount: fc.integer({ min: 1, max: 80 }),
    purchased: fc.boolean(),
  }),
  fc.record({ kind: fc.constant('hold'), featureKey }),
  fc.record({ kind: fc.constant('end hold'), isSpent: fc.boolean() }),
)

type Operation = typeof operation extends fc.Arbitrary<infer T> ? T : never

/** The expected state of the ledger, computed by the simplest code. */
class Model {
  balance = 50
  purchased = 0
  debits: { id: number; amount: number; fromPurchased: number; refunded: boolean }[] = []
  holds: { hold: Hold; price: number }[] = []

  mayTake(price: number): boolean {
    return price <= this.balance - this.holds.reduce((sum, held) => sum + held.price, 0)
  }

  spend(price: number): boolean {
    if (!this.mayTake(price)) return false
    this.balance -= price
    const purchasedAfter = Math.min(this.purchased, this.balance)
    this.debits.push({
      id: 0,
      amount: price,
      fromPurchased: this.purchased - purchasedAfter,
      refunded: false,
    })
    this.purchased = purchasedAfter
    return true
  }

  refund(which: number, amount: number | null): number | null {
    const debit = this.debits[which]
    if (!debit || debit.refunded) return null
    const given = Math.min(amount ?? debit.amount, debit.amount)
    debit.refunded = true
    this.balance += given
    this.purchased += Math.min(debit.fromPurchased, given)
    return given
  }

  add(amount: number, purchased: boolean): void {
    this.balance += amount
    if (purchased) this.purchased += amount
  }
}

test('any sequence of operations ends in the state of a simple model', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(operation, { maxLength: 25 }), async (program) => {
      const userId = await newUser()
      const model = new Model()
      for (const step of program) await perform(userId, model, step)
      const account = await world.ctx.db
        .selectFrom('credit_accounts')
        .select(['balance', 'purchased'])
        .where('user_id', '=', userId)
        .executeTakeFirstOrThrow()
      expect(account).toEqual({ balance: model.balance, purchased: model.purchased })
      await expectLaws(userId)
    }),
    { numRuns: 40 },
  )
  expect(await findUnbalanced(world.ctx)).toEqual([])
})

test('batched debits end as if they ran one after another', async () => {
  const debits = fc.array(fc.record({ featureKey, quantity: fc.integer({ min: 1, max: 5 }) }), {
    minLength: 1,
    maxLength: 30,
  })
  await fc.assert(
    fc.asyncProperty(debits, fc.integer({ min: 1, max: 300 }), async (wanted, extra) => {
      const userId = await newUser()
      const model = new Model()
      model.add(extra, true)
      await addCredits(world.ctx, {
        userId,
        amount: extra,
        type: 'purchase',
        description: 'Pack',
        purchased: extra,
      })
      const outcomes = await takeDebits(
        world.ctx,
        userId,
        wanted.map((debit) => ({ ...debit, description: 'Test', metadata: null })),
      )
      const expected = wanted.map(({ featureKey, quantity }) => ({
        taken: model.spend(prices[featureKey] * quantity),
        balance: model.balance,
      }))
      expect(outcomes.map(({ taken, balance }) => ({ taken, balance }))).toEqual(expected)
      await expectLaws(userId)
    }),
    { numRuns: 40 },
  )
})

test('concurrent operations keep the laws', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(operation, { maxLength: 25 }), async (program) => {
      const userId = await newUser()
      const { debitId } = await spend(world.ctx, userId, {
        featureKey: 'image_censor',
        description: 'First',
      })
      const model = new Model()
      model.debits.push({ id: debitId ?? 0, amount: 5, fromPurchased: 0, refunded: false })
      await Promise.all(program.map((step) => perform(userId, model, step, { isModelled: false })))
      await expectLaws(userId)
    }),
    { numRuns: 20 },
  )
})

async function perform(
  userId: string,
  model: Model,
  step: Operation,
  { isModelled } = { isModelled: true },
): Promise<void> {
  switch (step.kind) {
    case 'spend': {
      const charge = { featureKey: step.featureKey, quantity: step.quantity, description: 'Test' }
      const spent = await allowRefusal(spend(world.ctx, userId, charge))
      if (!isModelled) return
      expect(spent !== null).toBe(model.spend(prices[step.featureKey] * step.quantity))
      if (spent) model.debits.at(-1)!.id = spent.debitId ?? 0
      return
    }
    case 'spend and fail': {
      const charge = { featureKey: step.featureKey, description: 'Test' }
      const fail = async () => {
        throw new Error('the work failed')
      }
      await expect(spendAnd(world.ctx, userId, charge, fail)).rejects.toThrow()
      return
    }
    case 'refund': {
      const which = isModelled ? step.which : 0
      const debitId = model.debits[which]?.id ?? 0
      const given = await refund(world.ctx, debitId, 'Test', step.amount)
      if (isModelled) expect(given?.amount ?? null).toBe(model.refund(which, step.amount))
      return
    }
    case 'add':
      await addCredits(world.ctx, {
        userId,
        amount: step.amount,
        type: step.purchased ? 'purchase' : 'grant',
        description: 'Test',
        purchased: step.purchased ? step.amount : 0,
      })
      if (isModelled) model.add(step.amount, step.purchased)
      return
    case 'hold': {
      const price = prices[step.featureKey]
      const charge = { featureKey: step.featureKey, description: 'Test' }
      const hold = await allowRefusal(holdCredits(world.ctx, userId, charge))
      if (isModelled) expect(hold !== null).toBe(model.mayTake(price))
      if (hold) model.holds.push({ hold, price })
      return
    }
    case 'end hold': {
      const held = model.holds.shift()
      if (!held) return
      if (!step.isSpent) return releaseHold(world.ctx, held.hold)
      // The held credits are there, whatever else was spent in the meantime.
      const { debitId } = await atomically(world.ctx, (ctx) => spendHold(ctx, held.hold, 1))
      if (!isModelled) return
      expect(model.spend(held.price)).toBe(true)
      model.debits.at(-1)!.id = debitId ?? 0
    }
  }
}

/**
 * Checks that the sum is the balance, every row has the right balance after it, no balance was negative,
 * no debit was refunded twice, and held credits are available.
 */
async function expectLaws(userId: string): Promise<void> {
  const rows = await world.ctx.db
    .selectFrom('credit_transactions')
    .selectAll()
    .where('user_id', '=', userId)
    .orderBy('id')
    .execute()
  const { balance, held } = await world.ctx.db
    .selectFrom('credit_accounts')
    .select(['balance', 'held'])
    .where('user_id', '=', userId)
    .executeTakeFirstOrThrow()
  const holds = await world.ctx.db
    .selectFrom('credit_holds')
    .select('credits')
    .where('user_id', '=', userId)
    .execute()
  expect(held).toBe(holds.reduce((sum, { credits }) => sum + credits, 0))
  expect(held).toBeLessThanOrEqual(balance)
  expect(rows.reduce((sum, { amount }) => sum + amount, 0)).toBe(balance)
  let left = 0
  for (const { amount, balance_after } of rows) {
    left += amount
    expect(balance_after).toBe(left)
    expect(left).toBeGreaterThanOrEqual(0)
  }
  const refunds = rows.flatMap(({ refund_of }) => refund_of ?? [])
  expect(new Set(refunds).size).toBe(refunds.length)
}

async function allowRefusal<T>(work: Promise<T>): Promise<T | null> {
  try {
    return await work
  } catch (error) {
    if (error instanceof Problem && error.failure.status === 402) return null
    throw error
  }
}

async function newUser(): Promise<string> {
  const id = world.ctx.newId()
  await createUser(world.ctx, {
    id,
    email: `${id}@example.test`,
    passwordHash: null,
    oidcSubject: null,
    firstName: null,
    lastName: null,
    profileImageUrl: null,
    role: 'user',
    ageVerified: false,
  })
  return id
}
