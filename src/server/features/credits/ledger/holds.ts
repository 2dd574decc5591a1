/**
 * Credits that are promised while a call runs, for work that must not be charged before it is done. A
 * hold counts against every other debit and hold of the account, on every node, so that calls at the
 * same time cannot all rely on the same balance.
 */
import type { Context } from '../../../context.ts'
import { Problem, problem } from '../../../http/problem.ts'
import { deleteHold, findExpiredHolds, findOwedHolds, insertHold, setOwed } from './hold-queries.ts'
import type { Spent } from './spending.ts'
import { inAccountTurn, spend } from './spending.ts'

export type Hold = {
  readonly id: string
  readonly userId: string
  readonly featureKey: string
  readonly description: string
}

// Longer than any call that holds credits may take: reading a picture, and a minute of writing.
const longestCallMs = 3 * 60 * 1000
// The node that has answered takes what is owed within moments, unless it died.
const collectedWithinMs = 60 * 1000

/** Promises the credits, or throws the contract's reason why they are not to be had. */
export function holdCredits(
  ctx: Context,
  userId: string,
  charge: { featureKey: string; description: string; quantity?: number },
): Promise<Hold> {
  const { featureKey, description, quantity = 1 } = charge
  return inAccountTurn(ctx, userId, async (ctx) => {
    const hold: Hold = { id: ctx.newId(), userId, featureKey, description }
    const expiresAt = later(ctx, longestCallMs)
    const outcome = await insertHold(ctx, { ...hold, quantity, expiresAt })
    if (!outcome) throw problem.userNotFound()
    if (outcome.price === null) throw problem.pricingMissing({ featureKey })
    if (outcome.needsTier) throw problem.premiumOnly({ featureKey })
    const { price: required, available } = outcome
    if (!outcome.made)
      throw problem.insufficientCredits({
        required,
        current: Math.max(0, available),
        featureKey,
      })
    return hold
  })
}

/** The work came to nothing: the credits are free again. What is owed stays owed. */
export async function releaseHold(ctx: Context, hold: Hold): Promise<void> {
  await deleteHold(ctx, hold.id, { isOwed: false })
}

/**
 * Takes the credits in the transaction that has the effect, in place of the promise. What was promised
 * for nothing costs nothing, though credits were turned on meanwhile.
 */
export async function spendHold(
  ctx: Context,
  hold: Hold,
  quantity: number,
): Promise<Pick<Spent, 'debitId' | 'charged'>> {
  const { userId, featureKey, description } = hold
  const promised = await deleteHold(ctx, hold.id, { isOwed: false })
  if (promised === 0) return { debitId: null, charged: 0 }
  return spend(ctx, userId, { featureKey, description, quantity })
}

/** The work is delivered and its price owed. Belongs into the transaction that keeps the answer. */
export async function oweHold(ctx: Context, hold: Hold): Promise<void> {
  await setOwed(ctx, hold.id, later(ctx, collectedWithinMs))
}

/** Takes what is owed, once. Where the account no longer has it, it stays untaken. */
export async function collectHold(ctx: Context, hold: Hold): Promise<void> {
  const { id, userId, featureKey, description } = hold
  try {
    // Its call has been answered: what is taken now is no part of that call's claim.
    await inAccountTurn({ ...ctx, claim: null }, userId, async (ctx) => {
      const promised = await deleteHold(ctx, id, { isOwed: true })
      if (promised !== null && promised > 0) await spend(ctx, userId, { featureKey, description })
    })
  } catch (error) {
    if (!(error instanceof Problem)) throw error
    await deleteHold(ctx, id, { isOwed: true })
    ctx.log.warn(
      { event: 'charge_failed', err: error, userId, featureKey },
      'delivered work could not be charged',
    )
  }
}

/** What was owed for an answer that reached nobody is not taken. */
export async function forgiveHold(ctx: Context, hold: Hold): Promise<void> {
  await deleteHold(ctx, hold.id, { isOwed: true })
}

/** What nodes that died have left: the owed is taken, the rest is free again. */
export async function sweepHolds(ctx: Context): Promise<void> {
  // One at a time: a statement that moved many accounts could be part of a circle of waiting.
  for (const { id } of await findExpiredHolds(ctx)) await deleteHold(ctx, id, { isOwed: false })
  for (const hold of await findOwedHolds(ctx)) await collectHold(ctx, hold)
}

function later(ctx: Context, ms: number): Date {
  return new Date(ctx.now().getTime() + ms)
}
