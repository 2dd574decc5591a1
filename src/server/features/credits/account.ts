/** What people see of their own account. */
import type { api } from '../../../contract/api.ts'
import type { Context } from '../../context.ts'
import { problem } from '../../http/problem.ts'
import type { Call } from '../../http/route.ts'
import { summariseCredits } from './credit-accounts.ts'
import { findTransactions, sumEarnings, sumSpendsByFeature } from './ledger/queries.ts'

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

export async function listTransactions(
  ctx: Context,
  { user, query }: Call<typeof api.credits.transactions>,
) {
  const { page, limit, type } = query
  const { total, rows } = await findTransactions(ctx, user.id, { page, limit, type })
  return {
    transactions: rows.map((row) => ({
      ...row,
      userId: user.id,
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
