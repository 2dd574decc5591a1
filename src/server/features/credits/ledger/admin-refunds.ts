/** Refunds debits for administrators. */
import type { api } from '../../../../contract/api.ts'
import type { Context } from '../../../context.ts'
import { atomically } from '../../../database/atomically.ts'
import { problem } from '../../../http/problem.ts'
import type { Call } from '../../../http/route.ts'
import { logActivity } from '../../activity/activity.ts'
import { findDebit } from './queries.ts'
import { refund } from './spending.ts'

export function refundDebit(
  ctx: Context,
  { user, visitor, params, body }: Call<typeof api.credits.refund>,
) {
  return atomically(ctx, async (ctx) => {
    const debit = await findDebit(ctx, params.id)
    if (!debit?.userId) throw problem.notFound()
    if (debit.userId === user.id) throw problem.forbidden()
    const refunded = await refund(ctx, params.id, body.reason)
    if (!refunded) throw problem.alreadyExists({ message: 'This charge was refunded before' })
    await logActivity(ctx, visitor, {
      userId: user.id,
      action: 'admin_changed',
      feature: 'administration',
      targetUserId: debit.userId,
      details: { refund: { transactionId: params.id, amount: refunded.amount, ...body } },
    })
    return { balance: refunded.balance }
  })
}
