/**
 * Files without a row that names them. A file is announced before it is written, claimed in the
 * transaction that names it, and abandoned in the one that forgets it: whatever dies in between, a
 * sweep finds it and nothing is left behind.
 */
import { z } from 'zod'
import type { Context } from '../../context.ts'
import { atomically } from '../../database/atomically.ts'
import { defineJob } from '../../jobs/job.ts'
import { forEachLimit } from '../../platform/concurrency/semaphore.ts'
import type { FileAddress, PutOptions } from '../../platform/storage/storage.ts'
import { FileMissing } from '../../platform/storage/storage.ts'
import { countFiles, forgetFiles, ownerOfCounted, withinQuota } from '../quota/quota.ts'
import {
  beginRemoval,
  deleteRemoved,
  deleteRenditions,
  deleteUnclaimed,
  endOldestWaiting,
  endRemoval,
  findDueFiles,
  forgetOrigins,
  insertUnclaimed,
  insertUnclaimedOnce,
} from './queries.ts'

// Longer than any job takes from writing a file to naming it; what comes in slowly is announced anew.
const namingTimeMs = 60 * 60 * 1000
const addressTimeMs = 24 * 60 * 60 * 1000
const mostWaiting = 5
// Longer than any storage takes to remove a file.
const removalLeaseMs = 2 * 60 * 1000
const sweepBatch = 500
const copiesAtOnce = 4
const looksAtOnce = 16

export type FileCopy = { readonly from: FileAddress; readonly to: FileAddress }

/** Keeps a file that nothing names yet; what cannot be kept whole is not kept at all. */
export async function storeUnclaimed(
  ctx: Context,
  file: FileAddress,
  content: AsyncIterable<Uint8Array> | Uint8Array,
  options: PutOptions & { removeAfter?: Date } = {},
): Promise<{ size: number }> {
  const { removeAfter = namingDeadline(ctx), ...put } = options
  await insertUnclaimed(ctx, [file], removeAfter)
  return writeAnnounced(ctx, file, content, put)
}

/** Announces a file under an address of its own; false where another file is on its way there. */
export function announceFile(ctx: Context, file: FileAddress): Promise<boolean> {
  return insertUnclaimedOnce(ctx, file, namingDeadline(ctx))
}

/**
 * The content of an announced file, which is announced anew while it comes in: a large one may take
 * longer than files wait for their names.
 */
export async function* announcedAnew(
  ctx: Context,
  file: FileAddress,
  content: AsyncIterable<Uint8Array>,
  keptMs = namingTimeMs,
): AsyncGenerator<Uint8Array> {
  let announcedMs = ctx.now().getTime()
  for await (const chunk of content) {
    const nowMs = ctx.now().getTime()
    if (nowMs - announcedMs > keptMs / 4) {
      await insertUnclaimed(ctx, [file], new Date(nowMs + keptMs))
      announcedMs = nowMs
    }
    yield chunk
  }
}

/** As `storeUnclaimed`, for a file that has been announced. What does not fit the quota is not kept. */
export async function writeAnnounced(
  ctx: Context,
  file: FileAddress,
  content: AsyncIterable<Uint8Array> | Uint8Array,
  options: PutOptions = {},
): Promise<{ size: number }> {
  try {
    if (content instanceof Uint8Array) {
      await countFiles(ctx, [{ file, size: content.length }])
      return await ctx.storage.put(file.bucket, file.key, content, options)
    }
    const coming = withinQuota(ctx, file, content)
    const stored = await ctx.storage.put(file.bucket, file.key, coming, options)
    await countFiles(ctx, [{ file, size: stored.size }])
    return stored
  } catch (error) {
    await removeFiles(ctx, [file])
    throw error
  }
}

export async function copyUnclaimed(
  ctx: Context,
  from: FileAddress,
  to: FileAddress,
): Promise<void> {
  await copyAllUnclaimed(ctx, [{ from, to }])
}

/** Copies a file to where another was announced, which counts instead of it. */
export async function moveAnnounced(
  ctx: Context,
  from: FileAddress,
  to: FileAddress,
  size: number,
): Promise<void> {
  await ctx.storage.copy(from, to)
  await atomically(ctx, async (ctx) => {
    await forgetFiles(ctx, [from])
    await countFiles(ctx, [{ file: to, size }])
  })
  await removeFiles(ctx, [from])
}

/** Copies all of the files, or leaves none behind. */
export async function copyAllUnclaimed(ctx: Context, copies: readonly FileCopy[]): Promise<void> {
  const made = copies.map(({ to }) => to)
  await insertUnclaimed(ctx, made, namingDeadline(ctx))
  try {
    await countFiles(ctx, await measureCopies(ctx, copies))
    await forEachLimit(copies, copiesAtOnce, ({ from, to }) => ctx.storage.copy(from, to))
  } catch (error) {
    await removeFiles(ctx, made)
    throw error
  }
}

/** How large those of the copies will be that count. */
export async function measureCopies(
  ctx: Context,
  copies: readonly FileCopy[],
): Promise<{ file: FileAddress; size: number }[]> {
  const sized: { file: FileAddress; size: number }[] = []
  const counted = copies.filter(({ to }) => ownerOfCounted(to) !== null)
  await forEachLimit(counted, looksAtOnce, async ({ from, to }) => {
    const stored = await ctx.storage.stat(from.bucket, from.key)
    if (!stored) throw new FileMissing(from)
    sized.push({ file: to, size: stored.size })
  })
  return sized
}

/** In the transaction that names the files. Fails where a sweep was faster. */
export async function claimFiles(ctx: Context, files: readonly FileAddress[]): Promise<void> {
  const claimed = await deleteUnclaimed(ctx, files)
  if (claimed !== files.length) throw new Error('A file was swept before it was named')
}

/**
 * Keeps a file for a day, until a row holds its address: a trigger claims it then. Of those that wait
 * in its folder, the oldest are abandoned once there are too many. They are for `removeFiles`.
 */
export async function awaitAddress(ctx: Context, file: FileAddress): Promise<FileAddress[]> {
  await insertUnclaimed(ctx, [file], new Date(ctx.now().getTime() + addressTimeMs))
  const folder = file.key.slice(0, file.key.lastIndexOf('/') + 1)
  const waitingAfter = namingDeadline(ctx)
  return endOldestWaiting(ctx, { bucket: file.bucket, folder, waitingAfter, most: mostWaiting })
}

/**
 * In the transaction that forgets the files, and with them what was made of them for slides. All that
 * go are for `removeFiles` once it has been committed.
 */
export async function abandonFiles(
  ctx: Context,
  files: readonly FileAddress[],
): Promise<FileAddress[]> {
  const made = await deleteRenditions(ctx, files)
  await insertUnclaimed(ctx, files, ctx.now())
  await forgetFiles(ctx, files)
  return [...files, ...made]
}

/** Removes unclaimed files now; what cannot be removed is left to the sweep. */
export async function removeFiles(ctx: Context, files: readonly FileAddress[]): Promise<void> {
  for (const file of files) {
    await removeFile(ctx, file).catch((error: unknown) =>
      ctx.log.warn(
        { event: 'file_left', err: error, file: file.key },
        'a file is left to the sweep',
      ),
    )
  }
}

export async function sweepUnclaimedFiles(ctx: Context): Promise<void> {
  for (let isMore = true; isMore && !ctx.stopping.aborted;) {
    const due = await findDueFiles(ctx, ctx.now(), sweepBatch)
    for (const file of due) await removeFile(ctx, file)
    // A vault that was deleted whole does not have to wait for the next sweep.
    isMore = due.length === sweepBatch
  }
}

/**
 * From the first statement on nobody can claim the file. No transaction waits for the storage: where
 * it hangs, the database goes on, and a removal that was cut short is taken up by the sweep.
 */
async function removeFile(ctx: Context, file: FileAddress): Promise<void> {
  const until = new Date(ctx.now().getTime() + removalLeaseMs)
  if (!(await beginRemoval(ctx, file, until))) return
  try {
    await ctx.storage.remove(file.bucket, file.key)
  } catch (error) {
    await endRemoval(ctx, file, until)
    throw error
  }
  await atomically(ctx, async (ctx) => {
    await forgetOrigins(ctx, file)
    await forgetFiles(ctx, [file])
    await deleteRemoved(ctx, file)
  })
}

function namingDeadline(ctx: Context): Date {
  return new Date(ctx.now().getTime() + namingTimeMs)
}

export const sweepFiles = defineJob({
  name: 'sweep-files',
  payload: z.object({}),
  retries: 0,
  timeLimitSeconds: 300,
  schedule: '*/5 * * * *',
  run: sweepUnclaimedFiles,
})
