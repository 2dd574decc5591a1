/** Shows people their own credit account. */
import type { api } from '../../../contract/api.ts'
import type { Context } from '../../context.ts'
import { problem } from '../../http/problem.ts'
import type { Call } from '../../http/route.ts'
import { summariseCredits } from './credit-accounts.ts'
import {
  findTransactions,
  sumEarnings,
  sumSpendsByDay,
  sumSpendsByFeature,
} from './ledger/queries.ts'

export async function readBalance(ctx: Context, { user }: Call<typeof api.credits.balance>) {
  const summary = await summariseCredits(ctx, user.id)
  if (!summary) throw problem.unauthorized()
  return summary
}

export async function readAccount(ctx: Context, call: Call<typeof api.credits.account>) {
  const { totalSpent } = await readStats(ctx, call)
  return {
    ...(await readBalance(ctx, call)),
    lifetimeSpent: totalSpent,
    lifetimeEarned: await sumEarnings(ctx, call.user.id),
  }
}

export function listTransactions(
  ctx: Context,
  { user, query }: Call<typeof api.credits.transactions>,
) {
  return readTransactions(ctx, user.id, query)
}

export async function readTransactions(
  ctx: Context,
  userId: string,
  { page, limit, type }: Call<typeof api.credits.transactions>['query'],
) {
  const { total, rows } = await findTransactions(ctx, userId, { page, limit, type })
  return {
    transactions: rows.map((row) => ({
      ...row,
      userId,
      createdAt: row.createdAt.toISOString(),
    })),
    pagination: { page, limit, total, pages: Math.ceil(total / limit) },
  }
}

export async function readStats(ctx: Context, { user }: Call<typeof api.credits.stats>) {
  const mostUsedFeatures = await sumSpendsByFeature(ctx, user.id)
  const totalSpent = mostUsedFeatures.reduce((sum, { totalCredits }) => sum + totalCredits, 0)
  return { totalSpent, mostUsedFeatures }
}

const dayMs = 24 * 3600 * 1000

export async function readSpending(
  ctx: Context,
  { user, query }: Call<typeof api.credits.spending>,
) {
  const dayBefore = (days: number) =>
    new Date(ctx.now().getTime() - days * dayMs).toISOString().slice(0, 10)
  const from = dayBefore(query.days - 1)
  return { from, to: dayBefore(0), spent: await sumSpendsByDay(ctx, user.id, from) }
}
