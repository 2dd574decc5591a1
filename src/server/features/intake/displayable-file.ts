/** Makes the display file of a stored file (contract 4.4). */
import type { Context } from '../../context.ts'
import { makeDisplayable } from '../../media/displayable-picture.ts'
import type { VideoKind } from '../../media/media-kind.ts'
import { mediaKindOf } from '../../media/media-kind.ts'
import { videoSourceOf, withPictureBytes } from '../../media/stored-media.ts'
import { remuxVideo } from '../../media/video.ts'
import type { FileAddress } from '../../platform/storage/storage.ts'
import { storeUnclaimed } from '../files/files.ts'

/**
 * Stores the display file, unclaimed, at the address that `addressOf` returns. Returns null for a picture
 * without private metadata: it is its own display file. Fails with UnfitPicture or UnfitVideo if the
 * file cannot be decoded.
 */
export async function storeDisplayable(
  ctx: Context,
  original: FileAddress,
  addressOf: (extension: string) => FileAddress,
): Promise<FileAddress | null> {
  const kind = await mediaKindOf(ctx, original)
  const target = addressOf(kind.extension)
  if (kind.is === 'video') {
    await storeCleanVideo(ctx, original, kind, target)
    return target
  }
  const cleaned = await withPictureBytes(ctx, original, makeDisplayable)
  if (!cleaned) return null
  await storeUnclaimed(ctx, target, cleaned)
  return target
}

/**
 * Stores only the picture and sound of a video, unclaimed. The target may be the same file. Other data
 * could be private and cannot be checked, so it is never copied. Fails with UnfitVideo.
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
