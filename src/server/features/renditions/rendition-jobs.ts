/** The jobs that make renditions: soon after a file is stored, and gradually for files from before. */
import { z } from 'zod'
import type { Context } from '../../context.ts'
import { atomically } from '../../database/atomically.ts'
import { enqueue, enqueueAll, enqueueForOwners } from '../../jobs/enqueue.ts'
import type { Job } from '../../jobs/job.ts'
import { defineJob } from '../../jobs/job.ts'
import { buckets } from '../../platform/storage/storage.ts'
import type { FileAddress } from '../../platform/storage/storage.ts'
import { makeRendition, maxTries } from './make-rendition.ts'
import { releaseDeadTries } from './queries.ts'
import type { PromisedFile, RenditionSource } from './source-queries.ts'
import {
  countWaiting,
  findNextIds,
  insertRenditions,
  lockBackfills,
  moveBackfill,
} from './source-queries.ts'

const payload = z.object({ bucket: z.enum(buckets), key: z.string() })
const storageRestMs = 60 * 1000
const releasesARun = 500
// For each source, in a minute. No backfill runs while `maxWaiting` renditions wait.
const backfillsARun = 200
const maxWaiting = 400

export const makeRenditionJob: Job<typeof payload> = defineJob({
  name: 'make-rendition',
  payload,
  retries: maxTries - 1,
  timeLimitSeconds: 240,
  atOnce: 2,
  async run(ctx, file) {
    if ((await makeRendition(ctx, file)) === 'done') return
    const startAfter = new Date(ctx.now().getTime() + storageRestMs)
    await enqueue(ctx, makeRenditionJob, file, { startAfter })
  },
})

/** Promises renditions in the transaction that inserts or updates the rows with these ids. */
export async function promiseRenditions(
  ctx: Context,
  source: RenditionSource,
  ids: readonly number[],
): Promise<void> {
  if (ids.length === 0) return
  await enqueueAll(ctx, makeRenditionJob, (await insertRenditions(ctx, source, ids)).map(fileOf))
}

export const sweepRenditions = defineJob({
  name: 'sweep-renditions',
  payload: z.object({}),
  retries: 0,
  timeLimitSeconds: 60,
  schedule: '* * * * *',
  async run(ctx) {
    await atomically(ctx, async (ctx) => {
      const dead = await releaseDeadTries(ctx, { maxTries, max: releasesARun })
      await enqueueForOwners(
        ctx,
        makeRenditionJob,
        dead.map((found) => ({ userId: found.userId, payload: fileOf(found) })),
      )
    })
    await atomically(ctx, backfill)
  },
})

/** Promises renditions of files from before renditions existed. Their jobs run after those of new files. */
async function backfill(ctx: Context): Promise<void> {
  const unfinished = await lockBackfills(ctx)
  if (unfinished.length === 0 || (await countWaiting(ctx, maxWaiting)) >= maxWaiting) return
  const found: PromisedFile[] = []
  for (const each of unfinished) {
    const ids = await findNextIds(ctx, each, backfillsARun)
    found.push(...(await insertRenditions(ctx, each.source, ids)))
    await moveBackfill(ctx, each, ids.length < backfillsARun ? null : (ids.at(-1) ?? null))
  }
  for (const [account, owned] of Map.groupBy(found, ({ userId }) => userId))
    await enqueueAll(ctx, makeRenditionJob, owned.map(fileOf), { scope: { account, isLast: true } })
}

function fileOf({ bucket, key }: FileAddress): FileAddress {
  return { bucket, key }
}
