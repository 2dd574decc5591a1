/** Counts the days on which a daily refresh failed, and notifies the owner. */
import type { Context } from '../../../context.ts'
import { notify } from '../../moderation/moderation.ts'
import type { Fill } from './fill-queries.ts'
import { addFailedDay, clearFailedDays } from './refresh-queries.ts'

const daysUntilNotice = 3

/** Runs in the transaction in which any fill ends. */
export async function settleRefresh(
  ctx: Context,
  fill: Fill,
  status: 'ready' | 'failed',
): Promise<void> {
  if (status === 'ready') await clearFailedDays(ctx, fill.sessionId)
  else await countFailedDay(ctx, fill)
}

export async function countFailedDay(
  ctx: Context,
  fill: { sessionId: number; fillNumber: number | null },
): Promise<void> {
  const failed = await addFailedDay(ctx, fill)
  if (failed?.days !== daysUntilNotice) return
  await notify(
    ctx,
    failed.userId,
    `Your session “${failed.title}” could not be kept fresh for three days. What it shows stays as it is.`,
  )
}
