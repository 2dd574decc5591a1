/**
 * The ledger under concurrent calls. Races appear on PostgreSQL; the embedded engine must give the same
 * results.
 */
import { expect, test } from 'vitest'
import type { Context } from '../../src/server/context.ts'
import { atomically } from '../../src/server/database/atomically.ts'
import { runParts } from '../../src/server/database/statement-parts.ts'
import { addCredits } from '../../src/server/features/credits/ledger/debit-queries.ts'
import {
  holdCredits,
  releaseHold,
  spendHold,
} from '../../src/server/features/credits/ledger/holds.ts'
import { findUnbalanced } from '../../src/server/features/credits/ledger/queries.ts'
import {
  refund,
  spend,
  spendAnd,
  spendInStatement,
} from '../../src/server/features/credits/ledger/spending.ts'
import { createTurns } from '../../src/server/platform/concurrency/turns.ts'
import { engine } from '../support/test-database.ts'
import { useWorld } from '../support/use-world.ts'
import type { Person, World } from '../support/world.ts'
import { createWorld } from '../support/world.ts'

let world: World
let ana: Person
let anaId: string

useWorld(createWorld, async (fresh) => {
  world = fresh
  ana = await world.as('ana')
  anaId = (await ana.accounts.currentUser()).id
})

const view = { featureKey: 'session_slide_view', description: 'A view' }

const setBalance = (balance: number) =>
  atomically(world.ctx, async (ctx) => {
    await ctx.db.deleteFrom('credit_transactions').where('user_id', '=', anaId).execute()
    await ctx.db
      .updateTable('credit_accounts')
      .set({ balance: 0, purchased: 0 })
      .where('user_id', '=', anaId)
      .execute()
    await addCredits(ctx, { userId: anaId, amount: balance, type: 'grant', description: 'Test' })
  })

/** Returns a second node on the same database, with turns of its own. */
const otherNode = () => ({ ...world.ctx, turns: createTurns() })

const succeeded = (attempts: readonly PromiseSettledResult<unknown>[]) =>
  attempts.filter(({ status }) => status === 'fulfilled').length

test('200 spends at once on a balance that covers one: exactly one, 200 times over', async () => {
  const rounds = engine === 'postgres' ? 200 : 5
  for (let round = 0; round < rounds; round += 1) {
    await setBalance(1)
    const nodes = [world.ctx, otherNode(), otherNode(), otherNode()]
    const attempts = await Promise.allSettled(
      Array.from({ length: 200 }, (_, index) => spend(nodes[index % 4] ?? world.ctx, anaId, view)),
    )
    expect(succeeded(attempts)).toBe(1)
    for (const attempt of attempts)
      if (attempt.status === 'rejected')
        expect(attempt.reason).toMatchObject({ failure: { status: 402 } })
  }
  expect((await ana.credits.balance()).balance).toBe(0)
})

const waysToSpend = {
  alone: (ctx: Context) => spend(ctx, anaId, view),
  'in a transaction': (ctx: Context) => spendAnd(ctx, anaId, view, async (_, spent) => spent),
  'in a statement': (ctx: Context) =>
    spendInStatement(ctx, anaId, view, async (ctx, debit) => {
      const answer = 'select id as "debitId" from debit'
      const [made] = await runParts<{ debitId: number }>(ctx, [debit], answer)
      return made ?? null
    }),
}

test('spends on two nodes, in every way, never overdraw', async () => {
  await setBalance(30)
  const nodes = [world.ctx, otherNode()]
  const attempts = await Promise.allSettled(
    Object.values(waysToSpend).flatMap((spendIn) =>
      nodes.flatMap((node) => Array.from({ length: 10 }, () => spendIn(node))),
    ),
  )
  expect(succeeded(attempts)).toBe(30)
  expect((await ana.credits.balance()).balance).toBe(0)
})

test('of concurrent holds and debits on four nodes, no two use the same credits', async () => {
  const caption = { featureKey: 'smart_caption', description: 'A caption' }
  const tenViews = { ...view, quantity: 10 }
  const rounds = engine === 'postgres' ? 60 : 5
  for (let round = 0; round < rounds; round += 1) {
    await setBalance(30)
    const nodes = [world.ctx, otherNode(), otherNode(), otherNode()]
    const holds = Array.from({ length: 8 }, (_, index) =>
      holdCredits(nodes[index % 4] ?? world.ctx, anaId, caption),
    )
    const debits = Array.from({ length: 8 }, (_, index) => {
      const node = nodes[index % 4] ?? world.ctx
      return index % 2 === 0
        ? spend(node, anaId, tenViews)
        : spendAnd(node, anaId, tenViews, async (_, spent) => spent)
    })
    const [promised, taken] = await Promise.all([
      Promise.allSettled(holds),
      Promise.allSettled(debits),
    ])
    const held = promised.flatMap((hold) => (hold.status === 'fulfilled' ? hold.value : []))
    expect(held.length + succeeded(taken)).toBe(3)
    // Every hold can be spent, whatever else is tried at the same time.
    const kept = held.map((hold, index) =>
      atomically(nodes[index % 4] ?? world.ctx, (ctx) => spendHold(ctx, hold, 1)),
    )
    const tries = nodes.map((node) => spend(node, anaId, view))
    expect(succeeded(await Promise.allSettled(tries))).toBe(0)
    expect(await Promise.all(kept)).toHaveLength(held.length)
    expect((await ana.credits.balance()).balance).toBe(0)
    expect(await findUnbalanced(world.ctx)).toEqual([])
  }
})

test('released credits are free again, once', async () => {
  await setBalance(10)
  const caption = { featureKey: 'smart_caption', description: 'A caption' }
  const hold = await holdCredits(world.ctx, anaId, caption)
  await expect(spend(world.ctx, anaId, view)).rejects.toMatchObject({ failure: { status: 402 } })
  await Promise.all(Array.from({ length: 5 }, () => releaseHold(otherNode(), hold)))
  const attempts = Array.from({ length: 12 }, () => spend(otherNode(), anaId, view))
  expect(succeeded(await Promise.allSettled(attempts))).toBe(10)
})

test('failing work rolls back its debit', async () => {
  await setBalance(10)
  const attempts = await Promise.allSettled(
    Array.from({ length: 20 }, (_, index) =>
      spendAnd(world.ctx, anaId, view, async () => {
        if (index % 2 === 0) throw new Error('the work failed')
      }),
    ),
  )
  expect(succeeded(attempts)).toBe(10)
  expect((await ana.credits.balance()).balance).toBe(0)
})

test('twenty concurrent refunds of one debit refund it once', async () => {
  const { debitId } = await spend(world.ctx, anaId, { ...view, quantity: 10 })
  const refunds = await Promise.all(
    Array.from({ length: 20 }, () => refund(world.ctx, debitId ?? 0, 'It failed')),
  )
  expect(refunds.filter((given) => given !== null)).toHaveLength(1)
  expect((await ana.credits.balance()).balance).toBe(50)
})

test.each(['in a transaction', 'in a statement'] as const)(
  'many calls on one account leave capacity for others: %s',
  async (way) => {
    await setBalance(1000)
    const bo = await world.as('bo')
    const crowd = Array.from({ length: 300 }, () => waysToSpend[way](world.ctx))
    // If each call of the crowd held a connection, this request would wait for all of them.
    const order: string[] = []
    const ended = Promise.all(crowd).then(() => order.push('the crowd'))
    await bo.accounts.currentUser()
    order.push('bo')
    await ended
    expect(order).toEqual(['bo', 'the crowd'])
  },
)

test('concurrent claims of one bonus count once', async () => {
  const claims = await Promise.allSettled(
    Array.from({ length: 10 }, () => ana.credits.claimBonus()),
  )
  expect(succeeded(claims)).toBe(1)
  expect((await ana.credits.balance()).balance).toBe(55)
})
