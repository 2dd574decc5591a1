/** What a deleted account may have left behind. */
import { z } from 'zod'
import { defineJob } from '../../jobs/job.ts'
import { removeLeft } from './left-files.ts'

export const removeLeftFiles = defineJob({
  name: 'remove-left-files',
  payload: z.object({ userId: z.string() }),
  retries: 5,
  timeLimitSeconds: 600,
  run: (ctx, { userId }) => removeLeft(ctx, userId),
})
