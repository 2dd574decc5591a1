/** Shows administrators an account's transactions: why it was charged. */
import type { api } from '../../../contract/api.ts'
import type { Context } from '../../context.ts'
import { problem } from '../../http/problem.ts'
import type { Call } from '../../http/route.ts'
import { logActivity } from '../activity/activity.ts'
import { readTransactions } from './account.ts'
import { summariseCredits } from './credit-accounts.ts'

export async function listAccountTransactions(
  ctx: Context,
  { user, visitor, params, query }: Call<typeof api.credits.accountTransactions>,
) {
  if (!(await summariseCredits(ctx, params.id))) throw problem.notFound()
  await logActivity(ctx, visitor, {
    userId: user.id,
    action: 'admin_changed',
    feature: 'administration',
    targetUserId: params.id,
    details: { transactionsRead: query },
  })
  return readTransactions(ctx, params.id, query)
}
