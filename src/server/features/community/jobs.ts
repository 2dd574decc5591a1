/** Background jobs of the community. */
import { z } from 'zod'
import { defineJob } from '../../jobs/job.ts'
import { copyingQueue } from './copying-queries.ts'
import { failStuckCopyings, runCopying } from './copying.ts'

export const copyPublication = defineJob({
  name: copyingQueue,
  payload: z.object({ publicationId: z.int() }),
  retries: 5,
  timeLimitSeconds: 1800,
  atOnce: 8,
  run: (ctx, { publicationId }) => runCopying(ctx, publicationId),
})

export const failStuckPublications = defineJob({
  name: 'fail-stuck-publications',
  payload: z.object({}),
  retries: 3,
  timeLimitSeconds: 120,
  schedule: '*/5 * * * *',
  run: (ctx) => failStuckCopyings(ctx),
})
