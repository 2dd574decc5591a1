/** Background jobs of sessions. */
import { z } from 'zod'
import type { Context } from '../../context.ts'
import { dropPartitionsBefore, makePartitions } from '../../database/partitions.ts'
import { defineJob } from '../../jobs/job.ts'
import { fillQueue } from './fill/fill-queries.ts'
import { failStuckFills, runFill } from './fill/fill.ts'
import { deleteGuestPlays } from './plays/play-queries.ts'

export const fillSession = defineJob({
  name: fillQueue,
  payload: z.object({ sessionId: z.int(), fillNumber: z.int() }),
  retries: 2,
  timeLimitSeconds: 120,
  atOnce: 4,
  run: (ctx, fill) => runFill(ctx, fill),
})

export const failStuck = defineJob({
  name: 'fail-stuck-fills',
  payload: z.object({}),
  retries: 3,
  timeLimitSeconds: 120,
  schedule: '*/2 * * * *',
  run: (ctx) => failStuckFills(ctx),
})

export const sweepOldEvents = defineJob({
  name: 'sweep-session-events',
  payload: z.object({}),
  retries: 3,
  timeLimitSeconds: 300,
  schedule: '23 * * * *',
  run: (ctx) => sweepEvents(ctx),
})

const keptMs = 24 * 3600 * 1000
const eventDays = { table: 'session_events', step: 'day', ahead: 3 } as const

/**
 * Deletes events older than a day, which clients no longer resume from, and plays by people without an
 * account.
 */
export async function sweepEvents(ctx: Context): Promise<void> {
  const before = new Date(ctx.now().getTime() - keptMs)
  await makePartitions(ctx, eventDays)
  await dropPartitionsBefore(ctx, eventDays, before)
  await deleteGuestPlays(ctx, before)
}
