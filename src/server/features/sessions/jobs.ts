/** What sessions do in the background. */
import { z } from 'zod'
import { defineJob } from '../../jobs/job.ts'
import { sweepEvents } from './events/event-sweep.ts'
import { failStuckFills, runFill } from './fill/fill.ts'

export const fillSession = defineJob({
  name: 'fill-session',
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
