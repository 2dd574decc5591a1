/**
 * Holds: credits reserved while a call runs, for work that must not be charged before it is done. A hold
 * counts against all other debits and holds of the account, on every node, so that concurrent calls
 * cannot rely on the same balance.
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

// Longer than any call with a hold: reading a picture, and a minute of writing.
const longestCallMs = 3 * 60 * 1000
// The node that responded collects owed credits at once, unless it died.
const collectedWithinMs = 60 * 1000

/** Holds the credits, or throws the contract's problem if that is not possible. */
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

/** Releases the credits when the work failed. An owed hold is kept. */
export async function releaseHold(ctx: Context, hold: Hold): Promise<void> {
  await deleteHold(ctx, hold.id, { isOwed: false })
}

/** Releases the hold of a failed call, whose own error is thrown next. If this fails, the sweep releases it. */
export async function releaseHoldOrLog(ctx: Context, hold: Hold): Promise<void> {
  await releaseHold(ctx, hold).catch((error: unknown) =>
    ctx.log.warn(
      { event: 'hold_left', err: error },
      'failed to release held credits, the sweep will release them',
    ),
  )
}

/**
 * Charges the credits instead of the hold, in the transaction of the effect. A hold of 0 credits costs
 * nothing, even if credits were turned on in the meantime.
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

/** Marks the hold as owed: the work is delivered. Call it in the transaction that stores the response. */
export async function markHoldOwed(ctx: Context, hold: Hold): Promise<void> {
  await setOwed(ctx, hold.id, later(ctx, collectedWithinMs))
}

/** Charges an owed hold, once. If the account lacks the credits, nothing is charged. */
export async function collectHold(ctx: Context, hold: Hold): Promise<void> {
  const { id, userId, featureKey, description } = hold
  try {
    // The call was already answered, so this debit must not use its claim.
    await inAccountTurn({ ...ctx, claim: null }, userId, async (ctx) => {
      const promised = await deleteHold(ctx, id, { isOwed: true })
      if (promised !== null && promised > 0) await spend(ctx, userId, { featureKey, description })
    })
  } catch (error) {
    if (!(error instanceof Problem)) throw error
    await deleteHold(ctx, id, { isOwed: true })
    ctx.log.warn(
      { event: 'charge_failed', err: error, userId, featureKey },
      'failed to charge for delivered work',
    )
  }
}

/** Deletes an owed hold without a charge, when its response reached no one. */
export async function writeOffHold(ctx: Context, hold: Hold): Promise<void> {
  await deleteHold(ctx, hold.id, { isOwed: true })
}

/** Handles holds of crashed nodes: collects owed ones and releases the others. */
export async function sweepHolds(ctx: Context): Promise<void> {
  // One at a time, because a statement that updates several accounts could deadlock.
  for (const { id } of await findExpiredHolds(ctx)) await deleteHold(ctx, id, { isOwed: false })
  for (const hold of await findOwedHolds(ctx)) await collectHold(ctx, hold)
}

function later(ctx: Context, ms: number): Date {
  return new Date(ctx.now().getTime() + ms)
}
