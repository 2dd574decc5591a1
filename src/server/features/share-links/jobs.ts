/** Background jobs of share links. */
import { z } from 'zod'
import { defineJob } from '../../jobs/job.ts'
import { deleteForgottenCodes } from './media-link-queries.ts'

export const sweepStoppedLinks = defineJob({
  name: 'sweep-stopped-links',
  payload: z.object({}),
  retries: 3,
  timeLimitSeconds: 300,
  schedule: '41 3 * * *',
  run: (ctx) => deleteForgottenCodes(ctx),
})
