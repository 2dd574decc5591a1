/**
 * SQL queries of purchases. Each purchase is one statement that updates the account and writes the
 * transaction.
 */
import { sql } from 'kysely'
import type { Tier } from '../../../../contract/tiers.ts'
import type { Context } from '../../../context.ts'

type Purchase = {
  readonly userId: string
  readonly description: string
  readonly metadata: Record<string, unknown>
}

export async function insertCreditPurchase(
  ctx: Context,
  purchase: Purchase & { credits: number },
): Promise<number | null> {
  const { userId, credits, description } = purchase
  const { rows } = await sql<{ id: number }>`
    with moved as (
      update credit_accounts
      set balance = balance + ${credits}::int, purchased = purchased + ${credits}::int
      where user_id = ${userId}
      returning balance
    )
    insert into credit_transactions (user_id, amount, type, description, metadata, balance_after,
      created_at)
    select ${userId}, ${credits}::int, 'purchase', ${description},
      ${JSON.stringify(purchase.metadata)}::jsonb, balance, ${ctx.now()}
    from moved
    returning id`.execute(ctx.db)
  return rows[0]?.id ?? null
}

/** Buys a tier. If an administrator granted the same tier without an end, it stays without one. */
export async function insertTierPurchase(
  ctx: Context,
  purchase: Purchase & {
    tier: Tier
    allocation: number
    seconds: number
    nextAllocationAt: Date
  },
): Promise<number | null> {
  const { userId, tier, allocation, seconds, nextAllocationAt } = purchase
  const now = ctx.now()
  const { rows } = await sql<{ id: number }>`
    with before as (
      select balance, tier = ${tier} as is_renewal, tier_until
      from credit_accounts where user_id = ${userId} for update
    ),
    moved as (
      update credit_accounts
      set tier = ${tier},
        tier_until = case
          when before.is_renewal and before.tier_until is null then null
          when before.is_renewal then greatest(before.tier_until, ${now}::timestamptz)
          else ${now}::timestamptz
        end + make_interval(secs => ${seconds}::int),
        balance = greatest(before.balance, ${allocation}::int),
        anchored_at = ${now}::timestamptz,
        next_allocation_at = ${nextAllocationAt}::timestamptz
      from before
      where user_id = ${userId}
      returning credit_accounts.balance, credit_accounts.balance - before.balance as raised
    )
    insert into credit_transactions (user_id, amount, type, description, metadata, balance_after,
      created_at)
    select ${userId}, raised, 'purchase', ${purchase.description},
      ${JSON.stringify(purchase.metadata)}::jsonb, balance, ${now}
    from moved
    returning id`.execute(ctx.db)
  return rows[0]?.id ?? null
}

/** Takes back the purchase's credits, as far as the account still has them and no call holds them. */
export async function takeCredits(
  ctx: Context,
  purchase: { id: number; userId: string; metadata: Record<string, unknown> },
): Promise<void> {
  const { id, userId, metadata } = purchase
  await sql`
    with brought as (
      select amount from credit_transactions where id = ${id} and type = 'purchase'
    ),
    before as materialized (
      select balance, greatest(least(balance - held, brought.amount), 0) as taken
      from credit_accounts cross join brought
      where user_id = ${userId} for update of credit_accounts
    ),
    moved as (
      update credit_accounts
      set balance = before.balance - before.taken,
        purchased = least(
          greatest(credit_accounts.purchased - before.taken, 0), before.balance - before.taken
        )
      from before
      where user_id = ${userId}
      returning credit_accounts.balance, before.taken
    )
    insert into credit_transactions (user_id, amount, type, description, metadata, balance_after,
      created_at)
    select ${userId}, -taken, 'grant', 'A payment was refunded', ${JSON.stringify(metadata)}::jsonb,
      balance, ${ctx.now()}
    from moved where taken > 0`.execute(ctx.db)
}

/** Shortens the tier, if the account still has it and it has an end. */
export async function shortenTier(
  ctx: Context,
  purchase: { userId: string; tier: Tier; seconds: number },
): Promise<void> {
  const { userId, tier, seconds } = purchase
  await sql`
    update credit_accounts
    set tier_until = tier_until - make_interval(secs => ${seconds}::int)
    where user_id = ${userId} and tier = ${tier} and tier_until is not null`.execute(ctx.db)
  await expireTiers(ctx, userId)
}

/** Resets accounts whose tier has ended to the free tier. The balance stays until the monthly date. */
export async function expireTiers(ctx: Context, userId: string | null = null): Promise<void> {
  await ctx.db
    .updateTable('credit_accounts')
    .set({ tier: 'free', tier_until: null })
    .where('tier_until', '<=', ctx.now())
    .$if(userId !== null, (query) => query.where('user_id', '=', userId))
    .execute()
}

/** Returns the account's tier and its end. */
export function findTier(ctx: Context, userId: string) {
  return ctx.db
    .selectFrom('credit_accounts')
    .select(['tier', 'tier_until as tierUntil'])
    .where('user_id', '=', userId)
    .executeTakeFirst()
}

/** Sets the tier without an end. */
export async function setTier(ctx: Context, userId: string, tier: Tier): Promise<void> {
  await ctx.db
    .updateTable('credit_accounts')
    .set({ tier, tier_until: null })
    .where('user_id', '=', userId)
    .execute()
}
