/**
 * The daily refresh of sessions: a free fill by the same rules as any refill. A session whose first
 * fill is not paid gets no free refresh, and the day counts as failed.
 */
import { z } from 'zod'
import type { Context } from '../../../context.ts'
import { atomically } from '../../../database/atomically.ts'
import { defineJob } from '../../../jobs/job.ts'
import { promiseFreeFill } from './refill.ts'
import { countFailedDay } from './refresh-days.ts'
import { setRefreshFill, takeDueSession } from './refresh-queries.ts'

/** The most sessions in one run. The next run continues. */
const maxConcurrent = 500

export const refreshSessions = defineJob({
  name: 'refresh-sessions',
  payload: z.object({}),
  retries: 1,
  timeLimitSeconds: 300,
  schedule: '*/10 * * * *',
  run: (ctx) => refreshDueSessions(ctx),
})

export async function refreshDueSessions(ctx: Context): Promise<void> {
  for (let done = 0; done < maxConcurrent && !ctx.stopping.aborted; done += 1)
    if (!(await atomically(ctx, refreshOne))) return
}

/** Returns false if no session is due. */
async function refreshOne(ctx: Context): Promise<boolean> {
  const due = await takeDueSession(ctx)
  if (!due) return false
  if (due.isPaid) await setRefreshFill(ctx, await promiseFreeFill(ctx, due.id))
  else await countFailedDay(ctx, { sessionId: due.id, fillNumber: null })
  return true
}
