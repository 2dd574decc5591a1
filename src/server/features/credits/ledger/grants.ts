/** Grants credits by administrators. */
import type { api } from '../../../../contract/api.ts'
import type { Context } from '../../../context.ts'
import { atomically } from '../../../database/atomically.ts'
import { problem } from '../../../http/problem.ts'
import type { Call } from '../../../http/route.ts'
import { logActivity } from '../../activity/activity.ts'
import { addCredits } from './debit-queries.ts'

export function grantCredits(
  ctx: Context,
  { user, visitor, params, body }: Call<typeof api.credits.grant>,
) {
  return atomically(ctx, async (ctx) => {
    const balance = await addCredits(ctx, {
      userId: params.id,
      amount: body.amount,
      type: 'grant',
      description: body.reason,
      metadata: { grantedBy: user.id },
    })
    if (balance === null) throw problem.notFound()
    await logActivity(ctx, visitor, {
      userId: user.id,
      action: 'admin_changed',
      feature: 'administration',
      targetUserId: params.id,
      details: { grant: body },
    })
    return { balance }
  })
}
