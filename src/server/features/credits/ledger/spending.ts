/**
 * Charges credits. All charges go through here. The statement that takes the credits also checks the
 * price, the premium rule and a missing price.
 */
import type { Context } from '../../../context.ts'
import { atomically } from '../../../database/atomically.ts'
import type { Part } from '../../../database/statement-parts.ts'
import { problem } from '../../../http/problem.ts'
import { markCharged } from '../idempotency/claims.ts'
import type { Debit, DebitOutcome } from './debit-queries.ts'
import {
  giveBack,
  plainDebit,
  previewDebit,
  takeDebits,
  takeMany,
  takenDebit,
} from './debit-queries.ts'

export type Charge = {
  readonly featureKey: string
  readonly description: string
  /** The multiple of the price; 1 by default. */
  readonly quantity?: number
  readonly metadata?: Record<string, unknown>
}

export type Spent = {
  /** The id for a refund; null if it was free. */
  readonly debitId: number | null
  readonly charged: number
  readonly balance: number
}

/**
 * Takes the credits, or throws the contract's problem. Inside a transaction it is part of that. Outside,
 * concurrent spends of one account are batched.
 */
export async function spend(ctx: Context, userId: string, charge: Charge): Promise<Spent> {
  const debit = debitOf(charge)
  if (ctx.claim && !ctx.db.isTransaction)
    return inAccountTurn(ctx, userId, (ctx) => spend(ctx, userId, charge))
  const take = (debits: readonly Debit[]) => takeDebits(ctx, userId, debits)
  const outcomes = ctx.db.isTransaction
    ? await take([debit])
    : [await ctx.turns.gather(`debits:${userId}`, debit, take)]
  return settleDebit(ctx, debit, outcomes)
}

async function settleDebit(
  ctx: Context,
  debit: Debit,
  [outcome]: readonly (DebitOutcome | undefined)[],
): Promise<Spent> {
  if (!outcome) throw problem.userNotFound()
  const spent = judge(debit, outcome)
  if (ctx.claim) await markCharged(ctx, ctx.claim, spent.debitId)
  return spent
}

/** Throws the problem that `spend` would throw now, before work is done that cannot be paid. */
export async function refuseUnaffordable(
  ctx: Context,
  userId: string,
  { featureKey, quantity = 1 }: Pick<Charge, 'featureKey' | 'quantity'>,
): Promise<void> {
  const outcome = await previewDebit(ctx, userId, { featureKey, quantity })
  if (!outcome) throw problem.userNotFound()
  judge({ featureKey }, outcome)
}

/** Takes the credits and does the paid work in one transaction. */
export function spendAnd<T>(
  ctx: Context,
  userId: string,
  charge: Charge,
  work: (ctx: Context, spent: Spent) => Promise<T>,
): Promise<T> {
  return inAccountTurn(ctx, userId, async (ctx) => work(ctx, await spend(ctx, userId, charge)))
}

/**
 * Takes the credits and does the work in one statement: `run` includes the debit as a part and returns
 * null when the debit has no row. Most debits are simple enough for this; the others use a transaction.
 */
export async function spendInStatement<Made extends { readonly debitId: number | null }>(
  ctx: Context,
  userId: string,
  charge: Charge,
  run: (ctx: Context, debit: Part) => Promise<Made | null>,
): Promise<Made> {
  const debit = debitOf(charge)
  const runPlain = async (ctx: Context) => {
    const made = await run(ctx, plainDebit(ctx, userId, debit))
    if (made && ctx.claim) await markCharged(ctx, ctx.claim, made.debitId)
    return made
  }
  const plain = ctx.claim
    ? await inAccountTurn(ctx, userId, runPlain)
    : await inTurn(ctx, userId, () => runPlain(ctx))
  if (plain) return plain
  return inAccountTurn(ctx, userId, async (ctx) => {
    const { debitId } = await settleDebit(ctx, debit, await takeMany(ctx, userId, [debit]))
    const made = await run(ctx, takenDebit(debitId))
    if (!made) throw new Error('the paid work returned no result')
    return made
  })
}

/**
 * Runs a transaction that will lock the account. Such transactions take turns, so that many of them use
 * only one connection.
 */
export function inAccountTurn<T>(
  ctx: Context,
  userId: string,
  work: (ctx: Context) => Promise<T>,
): Promise<T> {
  return inTurn(ctx, userId, () => atomically(ctx, work))
}

function inTurn<T>(ctx: Context, userId: string, work: () => Promise<T>): Promise<T> {
  return ctx.db.isTransaction ? work() : ctx.turns.inTurn(`account:${userId}`, work)
}

/** Refunds a debit, fully or partly, once. An earlier refund is not changed. */
export async function refund(
  ctx: Context,
  debitId: number,
  reason: string,
  amount: number | null = null,
): Promise<{ id: number; amount: number; balance: number } | null> {
  return giveBack(ctx, { debitId, amount, description: reason })
}

function debitOf({ featureKey, description, quantity = 1, metadata = {} }: Charge): Debit {
  if (!Number.isSafeInteger(quantity) || quantity < 1 || quantity > 1_000_000)
    throw new RangeError(`a quantity must be a whole number from 1 to 1000000, not ${quantity}`)
  return {
    featureKey,
    quantity,
    description,
    metadata: Object.keys(metadata).length > 0 ? metadata : null,
  }
}

function judge({ featureKey }: Pick<Debit, 'featureKey'>, outcome: DebitOutcome): Spent {
  if (outcome.price === null) throw problem.pricingMissing({ featureKey })
  if (outcome.needsTier) throw problem.premiumOnly({ featureKey })
  if (!outcome.taken)
    throw problem.insufficientCredits({
      required: outcome.price,
      current: Math.max(0, outcome.available),
      featureKey,
    })
  return { debitId: outcome.id, charged: outcome.price, balance: outcome.balance }
}
