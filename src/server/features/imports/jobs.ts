/** Background jobs of imports. */
import { z } from 'zod'
import type { Context } from '../../context.ts'
import { atomically } from '../../database/atomically.ts'
import { enqueue, enqueueForOwners } from '../../jobs/enqueue.ts'
import { defineJob } from '../../jobs/job.ts'
import { emitEvent } from '../sessions/sessions.ts'
import { runCopying, emitImported } from './copying.ts'
import { insertMediaToCopy, takeAbandonedImports } from './queries.ts'

const payload = z.object({ sessionId: z.int() })

export const copyImported = defineJob({
  name: 'copy-imported',
  payload,
  retries: 5,
  timeLimitSeconds: 1800,
  atOnce: 4,
  async run(ctx, { sessionId }) {
    const { isDone } = await runCopying(ctx, sessionId)
    // A worker that dies before this line has not completed its job, so the job runs again.
    if (!isDone) await enqueue(ctx, copyImported, { sessionId })
  },
})

export const resumeImports = defineJob({
  name: 'resume-imports',
  payload: z.object({}),
  retries: 3,
  timeLimitSeconds: 120,
  schedule: '*/5 * * * *',
  async run(ctx) {
    await atomically(ctx, async (ctx) => {
      const abandoned = await takeAbandonedImports(ctx)
      await enqueueForOwners(
        ctx,
        copyImported,
        abandoned.map(({ sessionId, userId }) => ({ userId, payload: { sessionId } })),
      )
    })
  },
})

/** Enqueues the copies. Call it in the transaction that creates the session. */
export async function promiseCopies(
  ctx: Context,
  session: { readonly id: number; readonly mediaCount: number },
): Promise<void> {
  const total = await insertMediaToCopy(ctx, session.id)
  if (total === 0) return emitImported(ctx, session)
  await emitEvent(ctx, session.id, 'importing', { done: 0, total })
  await enqueue(ctx, copyImported, { sessionId: session.id })
}
