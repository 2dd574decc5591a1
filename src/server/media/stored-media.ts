/** Opens stored files for inspection. */
import type { Context } from '../context.ts'
import { Semaphore } from '../platform/concurrency/semaphore.ts'
import type { FileAddress } from '../platform/storage/storage.ts'
import { FileMissing } from '../platform/storage/storage.ts'
import { UnfitPicture } from './picture.ts'
import { readFirst, readRange } from './stored-range.ts'
import type { VideoSource } from './video.ts'

// Larger than any upload, unless an administrator has raised the limit a lot.
const maxPictureBytes = 256 * 1024 * 1024

const picturesInMemory = new Semaphore({ atOnce: 1, reserve: 3, capacity: maxPictureBytes })

/** Reads a picture into memory. Each account has one at a time, and their total size is limited. */
export async function withPictureBytes<T>(
  ctx: Context,
  file: FileAddress,
  work: (bytes: Buffer) => Promise<T>,
): Promise<T> {
  const stored = await ctx.storage.stat(file.bucket, file.key)
  if (!stored) throw new FileMissing(file)
  if (stored.size > maxPictureBytes) throw new UnfitPicture('too-many-pixels')
  return picturesInMemory.run(async () => work(await readFirst(ctx, file, stored.size)), {
    weight: stored.size,
  })
}

/** Returns a stored video as a source for inspection. */
export async function videoSourceOf(ctx: Context, file: FileAddress): Promise<VideoSource> {
  const stored = await ctx.storage.stat(file.bucket, file.key)
  if (!stored) throw new FileMissing(file)
  return { size: stored.size, read: (start, end) => readRange(ctx, file, start, end - 1) }
}
