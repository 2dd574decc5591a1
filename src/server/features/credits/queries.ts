/** The SQL of the credit ledger. */
import type { Context } from '../../context.ts'

export async function insertAccount(
  ctx: Context,
  account: { userId: string; balance: number; nextAllocationAt: Date },
): Promise<void> {
  await ctx.db
    .insertInto('credit_accounts')
    .values({
      user_id: account.userId,
      balance: account.balance,
      anchored_at: ctx.now(),
      next_allocation_at: account.nextAllocationAt,
    })
    .execute()
}

export async function insertGrant(
  ctx: Context,
  grant: { userId: string; amount: number; description: string; balanceAfter: number },
): Promise<void> {
  await ctx.db
    .insertInto('credit_transactions')
    .values({
      user_id: grant.userId,
      amount: grant.amount,
      type: 'grant',
      description: grant.description,
      feature_key: null,
      metadata: null,
      balance_after: grant.balanceAfter,
      created_at: ctx.now(),
    })
    .execute()
}

export function findAccount(ctx: Context, userId: string) {
  return ctx.db
    .selectFrom('credit_accounts')
    .select(['balance', 'tier', 'next_allocation_at as nextAllocationAt'])
    .where('user_id', '=', userId)
    .executeTakeFirst()
}

export async function sumOfType(ctx: Context, userId: string, type: 'referral'): Promise<number> {
  const { total } = await ctx.db
    .selectFrom('credit_transactions')
    .select((query) => query.fn.coalesce(query.fn.sum<number>('amount'), query.lit(0)).as('total'))
    .where('user_id', '=', userId)
    .where('type', '=', type)
    .executeTakeFirstOrThrow()
  return total
}
