/** Background jobs of captions. */
import { z } from 'zod'
import { enqueue } from '../../jobs/enqueue.ts'
import { defineJob } from '../../jobs/job.ts'
import { runCaptions, sweepCaptionJobs } from './batch/caption-run.ts'
import { captionQueue } from './batch/job-queries.ts'
import { sweepCaptions } from './playback/caption-cache.ts'
import { runPrewarm } from './playback/prewarm-run.ts'

export const captionSlides = defineJob({
  name: captionQueue,
  payload: z.object({ jobId: z.uuid() }),
  retries: 3,
  // Five slides, each with half a minute for the picture and half a minute for the caption.
  timeLimitSeconds: 420,
  atOnce: 4,
  run: async (ctx, { jobId }) => {
    if (await runCaptions(ctx, jobId)) await enqueue(ctx, captionSlides, { jobId })
  },
})

export const prewarmSlides = defineJob({
  name: 'prewarm-captions',
  payload: z.object({
    sessionId: z.int(),
    ownerId: z.string(),
    mediaIds: z.array(z.int()),
  }),
  retries: 1,
  timeLimitSeconds: 300,
  atOnce: 4,
  run: (ctx, wanted) => runPrewarm(ctx, wanted),
})

export const sweepCaptionWork = defineJob({
  name: 'sweep-captions',
  payload: z.object({}),
  retries: 0,
  timeLimitSeconds: 240,
  schedule: '*/5 * * * *',
  run: async (ctx) => {
    await sweepCaptionJobs(ctx)
    await sweepCaptions(ctx)
  },
})
