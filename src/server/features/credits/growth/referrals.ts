/** Credits for referrals: both people get theirs in one transaction (contract 3.9). */
import type { Context } from '../../../context.ts'
import { atomically } from '../../../database/atomically.ts'
import { areCreditsOn } from '../../settings/settings.ts'
import { addCredits } from '../ledger/debit-queries.ts'
import {
  countPaidReferrals,
  countReferrals,
  findRecentReferrals,
  findUserByReferralCode,
  insertReferral,
} from './referral-queries.ts'

export type PendingReferral = {
  readonly code: string
  readonly source: 'direct' | 'session_share'
  readonly sourceId: string | null
}

const referrerCredits = 10
const newUserCredits = 25
const maxPaidPerHour = 10
const hourMs = 3600 * 1000
const recentShown = 20

/** Credits a referral at a new user's first sign-in. Unknown codes and the user's own code are ignored. */
export function creditReferral(
  ctx: Context,
  newUserId: string,
  pending: PendingReferral,
): Promise<void> {
  return atomically(ctx, async (ctx) => {
    const referrer = await findUserByReferralCode(ctx, pending.code)
    if (!referrer || referrer.id === newUserId) return
    const anHourAgo = new Date(ctx.now().getTime() - hourMs)
    const paid =
      (await areCreditsOn(ctx)) &&
      (await countPaidReferrals(ctx, referrer.id, anHourAgo)) < maxPaidPerHour
    const { source, sourceId } = pending
    const parties = { referrerId: referrer.id, referredId: newUserId }
    await insertReferral(ctx, { ...parties, source, sourceId, paid })
    if (!paid) return
    await addCredits(ctx, {
      userId: referrer.id,
      amount: referrerCredits,
      type: 'referral',
      description: 'Someone joined by your link',
    })
    await addCredits(ctx, {
      userId: newUserId,
      amount: newUserCredits,
      type: 'referral',
      description: 'Joined by a link',
    })
  })
}

export async function summariseReferrals(ctx: Context, userId: string) {
  const { total, paid } = await countReferrals(ctx, userId)
  const recent = await findRecentReferrals(ctx, userId, recentShown)
  return {
    total,
    creditsEarned: paid * referrerCredits,
    recent: recent.map(({ firstName, joinedAt }) => ({
      firstName,
      joinedAt: joinedAt.toISOString(),
    })),
  }
}
