/** Purchases: credits, or a tier for thirty days (contract 4.9, 9). */
import type { Tier } from '../../../../contract/tiers.ts'
import type { Context } from '../../../context.ts'
import { allocationOf } from '../credit-accounts.ts'
import { nextMonthlyDate } from '../monthly/monthly-date.ts'
import {
  findTier,
  insertCreditPurchase,
  insertTierPurchase,
  shortenTier,
  takeCredits,
} from './purchase-queries.ts'

type PaidTier = Exclude<Tier, 'free'>

type Purchase = {
  readonly userId: string
  readonly description: string
  readonly metadata: Record<string, unknown>
}

const tierSeconds = 30 * 24 * 3600

/** Adds purchased credits. Returns the transaction's id, or null when the account no longer exists. */
export function buyCredits(
  ctx: Context,
  purchase: Purchase & { credits: number },
): Promise<number | null> {
  return insertCreditPurchase(ctx, purchase)
}

/**
 * Sets the tier for thirty days, or extends the same tier by thirty. Raises the balance to the tier's
 * allocation and restarts the monthly date.
 */
export function buyTier(
  ctx: Context,
  purchase: Purchase & { tier: PaidTier },
): Promise<number | null> {
  return insertTierPurchase(ctx, {
    ...purchase,
    allocation: allocationOf[purchase.tier],
    seconds: tierSeconds,
    nextAllocationAt: nextMonthlyDate(ctx.now(), ctx.now()),
  })
}

/**
 * Reverses a purchase after its money was refunded. Takes back the credits that are left, never more than
 * the account has, and shortens a tier by thirty days. Spent credits stay spent.
 */
export async function reversePurchase(
  ctx: Context,
  purchase: {
    id: number
    userId: string
    tier: PaidTier | null
    metadata: Record<string, unknown>
  },
): Promise<void> {
  await takeCredits(ctx, purchase)
  if (purchase.tier)
    await shortenTier(ctx, { userId: purchase.userId, tier: purchase.tier, seconds: tierSeconds })
}

/** Returns the current tier, or null when the account no longer exists. */
export async function readTier(
  ctx: Context,
  userId: string,
): Promise<{ tier: Tier; tierUntil: Date | null } | null> {
  const found = await findTier(ctx, userId)
  if (!found) return null
  const { tier, tierUntil } = found
  return tierUntil && tierUntil <= ctx.now()
    ? { tier: 'free', tierUntil: null }
    : { tier, tierUntil }
}
