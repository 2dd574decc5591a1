/** SQL queries of the monthly allocation. */
import { sql } from 'kysely'
import type { Tier } from '../../../../contract/tiers.ts'
import type { Context } from '../../../context.ts'

export type Account = {
  readonly userId: string
  readonly tier: Tier
  readonly anchoredAt: Date
}

/** Returns accounts whose monthly date has passed, by user id. */
export function findDueAccounts(ctx: Context, after: string, max: number): Promise<Account[]> {
  return accountsAfter(ctx, after, max).where('next_allocation_at', '<=', ctx.now()).execute()
}

/** Returns the account if it is still due. A tier that has ended counts as free. */
export async function findDueAccount(ctx: Context, userId: string): Promise<Account | undefined> {
  const due = await ctx.db
    .selectFrom('credit_accounts')
    .select(['user_id as userId', 'tier', 'tier_until as tierUntil', 'anchored_at as anchoredAt'])
    .where('user_id', '=', userId)
    .where('next_allocation_at', '<=', ctx.now())
    .executeTakeFirst()
  const hasEnded = due?.tierUntil && due.tierUntil <= ctx.now()
  return due && hasEnded ? { ...due, tier: 'free' } : due
}

/** Returns accounts whose date is more than a month away: a clock was ahead when it was set. */
export function findAccountsBeyond(
  ctx: Context,
  latest: Date,
  after: string,
  max: number,
): Promise<Account[]> {
  return accountsAfter(ctx, after, max).where('next_allocation_at', '>', latest).execute()
}

/**
 * Sets the balance to the allocation, plus purchased credits if these are kept, and writes the difference
 * as a grant. A month that was already allocated changes nothing. Held credits count as spent: the
 * balance is not set below them.
 */
export async function allocate(
  ctx: Context,
  allocation: { userId: string; month: string; amount: number; keepPurchased: boolean },
): Promise<void> {
  const { userId, month, amount, keepPurchased } = allocation
  await sql`
    with fresh as (
      insert into credit_allocations (user_id, month) values (${userId}, ${month}::date)
      on conflict do nothing
      returning user_id
    ),
    before as (
      select balance, held, case when ${keepPurchased}::boolean then purchased else 0 end as kept
      from credit_accounts where user_id = ${userId} for update
    ),
    moved as (
      update credit_accounts
      set balance = greatest(${amount}::int + before.kept, before.held), purchased = before.kept
      from before, fresh
      where credit_accounts.user_id = fresh.user_id
      returning credit_accounts.balance, credit_accounts.balance - before.balance as difference
    )
    insert into credit_transactions
      (user_id, amount, type, description, metadata, balance_after, created_at)
    select ${userId}, difference, 'grant', 'Monthly credits',
      jsonb_build_object('month', ${month}::text), balance, ${ctx.now()}
    from moved where difference <> 0`.execute(ctx.db)
}

export async function setNextAllocation(ctx: Context, account: Account, next: Date): Promise<void> {
  await ctx.db
    .updateTable('credit_accounts')
    .set({ next_allocation_at: next })
    .where('user_id', '=', account.userId)
    .execute()
}

function accountsAfter(ctx: Context, after: string, max: number) {
  return ctx.db
    .selectFrom('credit_accounts')
    .select(['user_id as userId', 'tier', 'anchored_at as anchoredAt'])
    .where('user_id', '>', after)
    .orderBy('user_id')
    .limit(max)
}
