/** SQL queries of referrals. */
import { sql } from 'kysely'
import type { Context } from '../../../context.ts'

export function findUserByReferralCode(ctx: Context, code: string) {
  return ctx.db
    .selectFrom('users')
    .select('id')
    .where('referral_code', '=', code)
    .executeTakeFirst()
}

/**
 * Counts paid referrals. Locks the referrer's account until the transaction ends, so that concurrent
 * referrals count one after the other.
 */
export async function countPaidReferrals(
  ctx: Context,
  referrerId: string,
  since: Date,
): Promise<number> {
  await sql`select from credit_accounts where user_id = ${referrerId} for update`.execute(ctx.db)
  const { paid } = await ctx.db
    .selectFrom('referrals')
    .select((query) => query.fn.countAll<number>().as('paid'))
    .where('referrer_id', '=', referrerId)
    .where('paid', '=', true)
    .where('created_at', '>', since)
    .executeTakeFirstOrThrow()
  return paid
}

export async function insertReferral(
  ctx: Context,
  referral: {
    referrerId: string
    referredId: string
    source: 'direct' | 'session_share'
    sourceId: string | null
    paid: boolean
  },
): Promise<void> {
  await ctx.db
    .insertInto('referrals')
    .values({
      referrer_id: referral.referrerId,
      referred_id: referral.referredId,
      source: referral.source,
      source_id: referral.sourceId,
      paid: referral.paid,
      created_at: ctx.now(),
    })
    .execute()
  await ctx.db
    .updateTable('users')
    .set({ referred_by: referral.referrerId })
    .where('id', '=', referral.referredId)
    .execute()
}

export async function countReferrals(ctx: Context, referrerId: string) {
  return ctx.db
    .selectFrom('referrals')
    .select((query) => [
      query.fn.countAll<number>().as('total'),
      query.fn.countAll<number>().filterWhere('paid', '=', true).as('paid'),
    ])
    .where('referrer_id', '=', referrerId)
    .executeTakeFirstOrThrow()
}

export function findRecentReferrals(ctx: Context, referrerId: string, max: number) {
  return ctx.db
    .selectFrom('referrals')
    .innerJoin('users', 'users.id', 'referrals.referred_id')
    .select(['users.first_name as firstName', 'referrals.created_at as joinedAt'])
    .where('referrer_id', '=', referrerId)
    .orderBy('referrals.created_at', 'desc')
    .limit(max)
    .execute()
}
