/** SQL queries of accounts and their transactions. */
import { sql } from 'kysely'
import type { Context } from '../../../context.ts'

export async function insertAccount(
  ctx: Context,
  account: { userId: string; nextAllocationAt: Date },
): Promise<void> {
  await ctx.db
    .insertInto('credit_accounts')
    .values({
      user_id: account.userId,
      balance: 0,
      anchored_at: ctx.now(),
      next_allocation_at: account.nextAllocationAt,
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

const transactionColumns = [
  'id',
  'user_id as userId',
  'amount',
  'type',
  'description',
  'feature_key as featureKey',
  'metadata',
  'balance_after as balanceAfter',
  'created_at as createdAt',
] as const

type TransactionType = 'purchase' | 'spend' | 'referral' | 'bonus' | 'refund' | 'grant'

export async function findTransactions(
  ctx: Context,
  userId: string,
  page: { page: number; limit: number; type: TransactionType | undefined },
) {
  const own = ctx.db
    .selectFrom('credit_transactions')
    .where('user_id', '=', userId)
    .$if(page.type !== undefined, (query) => query.where('type', '=', page.type ?? 'spend'))
  const { total } = await own
    .select((query) => query.fn.countAll<number>().as('total'))
    .executeTakeFirstOrThrow()
  const rows = await own
    .select(transactionColumns)
    .orderBy('id', 'desc')
    .limit(page.limit)
    .offset((page.page - 1) * page.limit)
    .execute()
  return { total, rows }
}

/** Returns the debit's owner; undefined when the transaction took no credits. */
export function findDebit(ctx: Context, id: number) {
  return ctx.db
    .selectFrom('credit_transactions')
    .select('user_id as userId')
    .where('id', '=', id)
    .where('type', '=', 'spend')
    .where('amount', '<', 0)
    .executeTakeFirst()
}

/** Sums spends by feature, minus refunds. Fully refunded spends are left out. */
export async function sumSpendsByFeature(ctx: Context, userId: string) {
  const { rows } = await sql<{ feature: string; count: number; totalCredits: number }>`
    select spend.feature_key as feature, count(*) as count,
      sum(-spend.amount - coalesce(refund.amount, 0)) as "totalCredits"
    from credit_transactions spend
    left join credit_transactions refund on refund.refund_of = spend.id
    where spend.user_id = ${userId} and spend.type = 'spend'
      and -spend.amount > coalesce(refund.amount, 0)
    group by spend.feature_key
    order by count desc, feature`.execute(ctx.db)
  return rows
}

/**
 * Sums spends by UTC day and feature since a day, in order of days. The subselect hides the day from the
 * planner: otherwise PostgreSQL would expect a better plan for each day and plan every request again.
 */
export async function sumSpendsByDay(ctx: Context, userId: string, fromDay: string) {
  const { rows } = await sql<{ day: string; feature: string; credits: number }>`
    select to_char(spend.created_at at time zone 'UTC', 'YYYY-MM-DD') as day,
      spend.feature_key as feature,
      sum(-spend.amount - coalesce(refund.amount, 0)) as credits
    from credit_transactions spend
    left join credit_transactions refund on refund.refund_of = spend.id
    where spend.user_id = ${userId} and spend.type = 'spend'
      and -spend.amount > coalesce(refund.amount, 0)
      and spend.created_at >= (select ${`${fromDay}T00:00:00Z`}::timestamptz)
    group by 1, 2
    order by 1, 2`.execute(ctx.db)
  return rows
}

export async function sumEarnings(ctx: Context, userId: string): Promise<number> {
  const { rows } = await sql<{ total: number }>`
    select coalesce(sum(amount), 0) as total from credit_transactions
    where user_id = ${userId} and amount > 0 and type <> 'refund'`.execute(ctx.db)
  return rows[0]?.total ?? 0
}

/** Returns accounts whose transactions do not add up to the balance. There must be none. */
export async function findUnbalanced(ctx: Context): Promise<string[]> {
  const { rows } = await sql<{ userId: string }>`
    select account.user_id as "userId"
    from credit_accounts account
    left join credit_transactions entry on entry.user_id = account.user_id
    group by account.user_id, account.balance
    having account.balance <> coalesce(sum(entry.amount), 0)`.execute(ctx.db)
  return rows.map(({ userId }) => userId)
}

/**
 * Returns the accounts of the latest transactions, each with its balance and the sum of its transactions.
 */
export async function sumLatestAccounts(ctx: Context, transactions: number) {
  const { rows } = await sql<{ userId: string; balance: number; sum: number }>`
    select account.user_id as "userId", account.balance, coalesce((
      select sum(amount) from credit_transactions where user_id = account.user_id
    ), 0)::bigint as sum
    from credit_accounts account
    where account.user_id in (
      select user_id from (
        select user_id from credit_transactions order by id desc limit ${transactions}
      ) latest
    )
    order by account.user_id`.execute(ctx.db)
  return rows
}
