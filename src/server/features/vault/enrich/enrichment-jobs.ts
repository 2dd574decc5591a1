/** The jobs that examine files in the vault. */
import { setTimeout } from 'node:timers/promises'
import { z } from 'zod'
import type { Context } from '../../../context.ts'
import { atomically } from '../../../database/atomically.ts'
import { enqueue, enqueueForOwners } from '../../../jobs/enqueue.ts'
import type { Job } from '../../../jobs/job.ts'
import { defineJob } from '../../../jobs/job.ts'
import { findMedia, releaseDeadTries } from './enrich-queries.ts'
import { enrich, maxTries } from './enrich.ts'

const payload = z.object({ mediaId: z.int() })
const storageRestMs = 60 * 1000
const lookEveryMs = 100
const maxLooks = 150

export const enrichMedia: Job<typeof payload> = defineJob({
  name: 'enrich-media',
  payload,
  retries: 2,
  timeLimitSeconds: 240,
  atOnce: 4,
  async run(ctx, { mediaId }) {
    if ((await enrich(ctx, mediaId)) === 'postponed') await enrichLater(ctx, mediaId)
  },
})

export const releaseEnrichments = defineJob({
  name: 'release-dead-enrichments',
  payload: z.object({}),
  retries: 0,
  timeLimitSeconds: 60,
  schedule: '* * * * *',
  run: (ctx) =>
    atomically(ctx, async (ctx) => {
      const waiting = await releaseDeadTries(ctx, maxTries)
      await enqueueForOwners(
        ctx,
        enrichMedia,
        waiting.map(({ id, userId }) => ({ userId, payload: { mediaId: id } })),
      )
    }),
})

/**
 * Examines the item now, for callers that cannot wait for its job. The item stays unexamined if the
 * file or the storage fails.
 */
export async function enrichNow(ctx: Context, mediaId: number): Promise<void> {
  const outcome = await enrich(ctx, mediaId).catch((error: unknown) => {
    ctx.log.warn(
      { event: 'enrichment_retried', err: error, mediaId },
      'failed to enrich a vault file, trying again',
    )
    return 'postponed'
  })
  // The item's own job may have run meanwhile, and ended because the item was taken.
  if (outcome === 'postponed') await enrichLater(ctx, mediaId)
  else await othersTry(ctx, mediaId)
}

/** Waits while another worker examines the item, usually its own job and only for a moment. */
async function othersTry(ctx: Context, mediaId: number): Promise<void> {
  for (let looks = 0; looks < maxLooks; looks += 1) {
    const [media] = await findMedia(ctx, [mediaId])
    if (media?.enrichmentStatus !== 'processing') return
    await setTimeout(lookEveryMs)
  }
}

function enrichLater(ctx: Context, mediaId: number): Promise<void> {
  const startAfter = new Date(ctx.now().getTime() + storageRestMs)
  return enqueue(ctx, enrichMedia, { mediaId }, { startAfter })
}
