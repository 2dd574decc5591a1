/** What keeps generations from being stuck, and from being kept for nothing. */
import { z } from 'zod'
import { defineJob } from '../../jobs/job.ts'
import { failAbandoned, removeOldFailed } from './endings.ts'

export const failStuckEnhancements = defineJob({
  name: 'fail-stuck-enhancements',
  payload: z.object({}),
  retries: 0,
  timeLimitSeconds: 50,
  schedule: '* * * * *',
  run: async (ctx) => void (await failAbandoned(ctx, { userId: null })),
})

export const sweepFailedEnhancements = defineJob({
  name: 'sweep-failed-enhancements',
  payload: z.object({}),
  retries: 3,
  timeLimitSeconds: 300,
  schedule: '41 * * * *',
  run: removeOldFailed,
})
