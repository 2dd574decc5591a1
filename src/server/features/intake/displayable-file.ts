/** Makes of a file of ours the one that others may see (contract 4.4). */
import type { Context } from '../../context.ts'
import { makeDisplayable } from '../../media/displayable-picture.ts'
import type { VideoKind } from '../../media/media-kind.ts'
import { mediaKindOf } from '../../media/media-kind.ts'
import { videoSourceOf, withPictureBytes } from '../../media/stored-media.ts'
import { remuxVideo } from '../../media/video.ts'
import type { FileAddress } from '../../platform/storage/storage.ts'
import { storeUnclaimed } from '../files/files.ts'

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
