/** What accounts leave to be tidied. */
import { z } from 'zod'
import { defineJob } from '../../jobs/job.ts'
import { deleteExpired } from './sign-in-queries.ts'

export const sweepSignIns = defineJob({
  name: 'sweep-sign-ins',
  payload: z.object({}),
  retries: 3,
  timeLimitSeconds: 300,
  schedule: '17 * * * *',
  run: (ctx) => deleteExpired(ctx),
})
