/** Makes of a file of ours the one that others may see (contract 4.4). */
import type { Context } from '../../context.ts'
import { FairSemaphore } from '../../platform/concurrency/fair-semaphore.ts'
import type { FileAddress } from '../../platform/storage/storage.ts'
import { FileMissing } from '../../platform/storage/storage.ts'
import type { VideoSource } from '../../media/video.ts'
import { remuxVideo } from '../../media/video.ts'
import { storeUnclaimed } from '../files/unclaimed-files.ts'
import { makeDisplayable } from '../../media/displayable-picture.ts'
import type { VideoKind } from '../../media/media-kind.ts'
import { mediaKindOf } from '../../media/media-kind.ts'
import { UnfitPicture } from '../../media/picture.ts'
import { readRange } from '../../media/stored-range.ts'

// No upload is larger, unless an administrator has moved the limit far.
const maxPictureBytes = 256 * 1024 * 1024

const picturesInMemory = new FairSemaphore({ atOnce: 1, reserve: 3, capacity: maxPictureBytes })

/**
 * Keeps it, unclaimed, where `place` says. Null where the file itself, a picture, has nothing private
 * in it. Fails with UnfitPicture or UnfitVideo where nobody can tell.
 */
export async function storeDisplayable(
  ctx: Context,
  original: FileAddress,
  place: (extension: string) => FileAddress,
): Promise<FileAddress | null> {
  const kind = await mediaKindOf(ctx, original)
  const target = place(kind.extension)
  if (kind.is === 'video') {
    await storeCleanVideo(ctx, original, kind, target)
    return target
  }
  const cleaned = await withPictureBytes(ctx, original, makeDisplayable)
  if (!cleaned) return null
  await storeUnclaimed(ctx, target, cleaned)
  return target
}

/** A picture in memory. Each may be large: an account has one at a time, and all are bounded together. */
export async function withPictureBytes<T>(
  ctx: Context,
  file: FileAddress,
  work: (bytes: Buffer) => Promise<T>,
): Promise<T> {
  const stored = await ctx.storage.stat(file.bucket, file.key)
  if (!stored) throw new FileMissing(file)
  if (stored.size > maxPictureBytes) throw new UnfitPicture('too-many-pixels')
  return picturesInMemory.run(async () => work(await readWhole(ctx, file)), { weight: stored.size })
}

/**
 * Keeps a video's pictures and sound alone, unclaimed; the target may be the file itself. Nobody can
 * tell whether the rest of it is private, so it never comes along. Fails with UnfitVideo.
 */
export async function storeCleanVideo(
  ctx: Context,
  file: FileAddress,
  { extension }: VideoKind,
  target: FileAddress,
): Promise<void> {
  await remuxVideo(await videoSourceOf(ctx, file), extension, (content) =>
    storeUnclaimed(ctx, target, content),
  )
}

/** A stored video, to be looked into. */
export async function videoSourceOf(ctx: Context, file: FileAddress): Promise<VideoSource> {
  const stored = await ctx.storage.stat(file.bucket, file.key)
  if (!stored) throw new FileMissing(file)
  return { size: stored.size, read: (start, end) => readRange(ctx, file, start, end - 1) }
}

async function readWhole(ctx: Context, { bucket, key }: FileAddress): Promise<Buffer> {
  const chunks: Buffer[] = []
  for await (const chunk of await ctx.storage.read(bucket, key)) chunks.push(chunk)
  return Buffer.concat(chunks)
}
