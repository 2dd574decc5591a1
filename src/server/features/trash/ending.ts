/**
 * Ends the items in the trash permanently: on the owner's request, or after 30 days. Each batch is one
 * transaction, which also abandons the files. The sweep of files removes them.
 */
import { z } from 'zod'
import type { Context } from '../../context.ts'
import { atomically } from '../../database/atomically.ts'
import { defineJob } from '../../jobs/job.ts'
import { abandonFiles } from '../files/files.ts'
import { forgetVaultSlides, lockShowingSessions } from '../sessions/sessions.ts'
import { ownFile, ownFilesOf } from '../vault/vault.ts'
import type { Ending, TrashKind } from './queries.ts'
import { deleteEnded, findEndedRecords, findEnding, findOwnKeys, lockEnding } from './queries.ts'

export const keptMs = 30 * 24 * 3600 * 1000
const batchSize = 500

/** Returns the number of deleted items. */
export async function endAll(ctx: Context, kind: TrashKind, ending: Ending): Promise<number> {
  let ended = 0
  for (let isMore = true; isMore && !ctx.stopping.aborted;) {
    const ids = await findEnding(ctx, kind, ending, batchSize)
    const gone = await atomically(ctx, (ctx) => endBatch(ctx, kind, ids))
    ended += gone
    // Another process may end or restore the same items. The next query sees that.
    isMore = ids.length === batchSize && gone > 0
  }
  return ended
}

async function endBatch(ctx: Context, kind: TrashKind, ids: readonly number[]): Promise<number> {
  if (ids.length === 0) return 0
  if (kind === 'session') {
    const held = await lockEnding(ctx, kind, ids)
    await abandonFiles(ctx, (await findOwnKeys(ctx, held)).map(ownFile))
    await deleteEnded(ctx, kind, held)
    return held.length
  }
  // Lock sessions before records, as slide edits do. No new slide can show a file in the trash.
  await lockShowingSessions(ctx, ids)
  const held = await lockEnding(ctx, kind, ids)
  await forgetVaultSlides(ctx, held)
  await abandonFiles(ctx, (await findEndedRecords(ctx, held)).flatMap(ownFilesOf))
  await deleteEnded(ctx, kind, held)
  return held.length
}

/** Ends the items that have been in the trash for 30 days. */
export async function purgeOldTrash(ctx: Context): Promise<void> {
  const before = new Date(ctx.now().getTime() - keptMs)
  await endAll(ctx, 'session', { before })
  await endAll(ctx, 'media', { before })
}

export const purgeTrash = defineJob({
  name: 'purge-trash',
  payload: z.object({}),
  retries: 0,
  timeLimitSeconds: 900,
  schedule: '17 * * * *',
  run: purgeOldTrash,
})
