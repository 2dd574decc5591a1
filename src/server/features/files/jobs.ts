/** The sweep of files that nothing names. */
import { z } from 'zod'
import { defineJob } from '../../jobs/job.ts'
import { sweepUnclaimedFiles } from './unclaimed-files.ts'

export const sweepFiles = defineJob({
  name: 'sweep-files',
  payload: z.object({}),
  retries: 0,
  timeLimitSeconds: 300,
  schedule: '*/5 * * * *',
  run: sweepUnclaimedFiles,
})
