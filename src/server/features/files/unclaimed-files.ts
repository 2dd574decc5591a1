/**
 * The file ledger: files that no other row names. A file is announced before it is written, claimed in
 * the transaction that inserts its row, and abandoned in the transaction that deletes the row. If a
 * process dies in between, the sweep removes the file.
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

// Longer than any job needs between writing a file and claiming it. A slow upload is announced
// repeatedly.
const namingTimeMs = 60 * 60 * 1000
const addressTimeMs = 24 * 60 * 60 * 1000
const maxWaiting = 5
// Longer than any storage needs to remove a file.
const removalLeaseMs = 2 * 60 * 1000
const sweepBatch = 500
const copiesAtOnce = 4
const looksAtOnce = 16

export type FileCopy = { readonly from: FileAddress; readonly to: FileAddress }
type SizedCopy = { readonly file: FileAddress; readonly size: number }

/** Announces and writes a file. If it cannot be written whole, nothing remains. */
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

/** Announces a file under an unused address. Returns false if the address is already announced. */
export function announceFile(ctx: Context, file: FileAddress): Promise<boolean> {
  return insertUnclaimedOnce(ctx, file, namingDeadline(ctx))
}

/**
 * Passes the content of an announced file on, and renews the announcement meanwhile: a large upload can
 * take longer than an announcement lasts.
 */
export async function* renewAnnouncement(
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

/** Writes a file that is already announced. Refuses content that exceeds the quota. */
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

/** Copies a file to another announced address. The copy counts in the quota instead of the original. */
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

/** Copies all files, or leaves no copy behind. Without sizes of `measureCopies`, it measures first. */
export async function copyAllUnclaimed(
  ctx: Context,
  copies: readonly FileCopy[],
  sizes?: readonly SizedCopy[],
): Promise<void> {
  const made = copies.map(({ to }) => to)
  await insertUnclaimed(ctx, made, namingDeadline(ctx))
  try {
    await countFiles(ctx, sizes ?? (await measureCopies(ctx, copies)))
    await forEachLimit(copies, copiesAtOnce, ({ from, to }) => ctx.storage.copy(from, to))
  } catch (error) {
    await removeFiles(ctx, made)
    throw error
  }
}

/** Returns the sizes of those copies that count in a quota. */
export async function measureCopies(
  ctx: Context,
  copies: readonly FileCopy[],
): Promise<SizedCopy[]> {
  const sized: SizedCopy[] = []
  const counted = copies.filter(({ to }) => ownerOfCounted(to) !== null)
  await forEachLimit(counted, looksAtOnce, async ({ from, to }) => {
    const stored = await ctx.storage.stat(from.bucket, from.key)
    if (!stored) throw new FileMissing(from)
    sized.push({ file: to, size: stored.size })
  })
  return sized
}

/** Claims the files in the transaction that inserts their row. Fails if the sweep has already removed one. */
export async function claimFiles(ctx: Context, files: readonly FileAddress[]): Promise<void> {
  const claimed = await deleteUnclaimed(ctx, files)
  if (claimed !== files.length) throw new Error('The sweep deleted a file before a row named it')
}

/**
 * Keeps a file for a day, until a row contains its address. Then a trigger claims it. If too many files
 * wait in its folder, the oldest are abandoned. Pass the returned files to `removeFiles`.
 */
export async function keepUntilClaimed(ctx: Context, file: FileAddress): Promise<FileAddress[]> {
  await insertUnclaimed(ctx, [file], new Date(ctx.now().getTime() + addressTimeMs))
  const folder = file.key.slice(0, file.key.lastIndexOf('/') + 1)
  const waitingAfter = namingDeadline(ctx)
  return endOldestWaiting(ctx, { bucket: file.bucket, folder, waitingAfter, max: maxWaiting })
}

/**
 * Abandons files and their renditions, in the transaction that deletes their row. Pass the returned
 * files to `removeFiles` after the commit.
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

/** Removes unclaimed files now. The sweep retries those that cannot be removed. */
export async function removeFiles(ctx: Context, files: readonly FileAddress[]): Promise<void> {
  for (const file of files) {
    await removeFile(ctx, file).catch((error: unknown) =>
      ctx.log.warn(
        { event: 'file_left', err: error, file: file.key },
        'failed to delete a file, the sweep will delete it',
      ),
    )
  }
}

export async function sweepUnclaimedFiles(ctx: Context): Promise<void> {
  for (let isMore = true; isMore && !ctx.stopping.aborted;) {
    const due = await findDueFiles(ctx, ctx.now(), sweepBatch)
    for (const file of due) await removeFile(ctx, file)
    // Continue after a full batch: a deleted vault should not wait for the next sweep.
    isMore = due.length === sweepBatch
  }
}

/**
 * Removes an unclaimed file. From the first statement on it cannot be claimed. No transaction waits for
 * the storage, so a hanging storage does not block the database. The sweep resumes an interrupted
 * removal.
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
