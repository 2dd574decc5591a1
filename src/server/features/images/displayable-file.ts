/** Makes of a file of ours the one that others may see (contract 4.4). */
import type { Context } from '../../context.ts'
import { FairSemaphore } from '../../platform/fair-semaphore.ts'
import type { FileAddress } from '../../platform/storage.ts'
import { FileMissing } from '../../platform/storage.ts'
import { storeUnclaimed } from '../files/unclaimed-files.ts'
import { windowOn } from './byte-window.ts'
import { makeDisplayable } from './displayable-picture.ts'
import { hideBytes } from './hidden-bytes.ts'
import type { VideoKind } from './media-kind.ts'
import { mediaKindOf } from './media-kind.ts'
import { findPrivateBoxes } from './mp4-privacy.ts'
import { UnfitPicture } from './picture.ts'
import { findPrivateElements } from './webm-privacy.ts'

// No upload is larger, unless an administrator has moved the limit far.
const maxPictureBytes = 256 * 1024 * 1024

const picturesInMemory = new FairSemaphore({ atOnce: 1, reserve: 3, capacity: maxPictureBytes })

/**
 * Keeps it, unclaimed, where `place` says. Null where the file itself has nothing private in it.
 * Fails with UnfitPicture or UnfitVideo where nobody can tell.
 */
export async function storeDisplayable(
  ctx: Context,
  original: FileAddress,
  place: (extension: string) => FileAddress,
): Promise<FileAddress | null> {
  const kind = await mediaKindOf(ctx, original)
  const target = place(kind.extension)
  const cleaned = await (kind.is === 'video'
    ? cleanVideo(ctx, original, kind)
    : withPictureBytes(ctx, original, (bytes) => makeDisplayable(bytes, kind.format)))
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

/** The video without what is private in it; null where there is nothing. Fails with UnfitVideo. */
export async function cleanVideo(
  ctx: Context,
  file: FileAddress,
  kind: VideoKind,
): Promise<AsyncIterable<Uint8Array> | null> {
  const search = kind.container === 'mp4' ? findPrivateBoxes : findPrivateElements
  const hidden = await search(await windowOn(ctx, file))
  if (hidden.length === 0) return null
  return hideBytes(await ctx.storage.read(file.bucket, file.key), hidden)
}

async function readWhole(ctx: Context, { bucket, key }: FileAddress): Promise<Buffer> {
  const chunks: Buffer[] = []
  for await (const chunk of await ctx.storage.read(bucket, key)) chunks.push(chunk)
  return Buffer.concat(chunks)
}
