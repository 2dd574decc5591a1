/**
 * Checks that a new file can be displayed. This runs before the file is kept: a file that cannot be decoded
 * can be neither shown nor shared later.
 */
import type { Context } from '../context.ts'
import type { FileAddress } from '../platform/storage/storage.ts'
import { FileMissing } from '../platform/storage/storage.ts'
import { mediaKindOf } from './media-kind.ts'
import type { Picture, PictureFormat } from './picture.ts'
import { developPicture, inspectPicture } from './picture.ts'
import { videoSourceOf, withPictureBytes } from './stored-media.ts'
import { readHead } from './stored-range.ts'
import { probeVideo } from './video.ts'

// A user waits for the result. Of larger files only the head is checked; the rest when it is displayed.
const decodedMaxBytes = 16 * 1024 * 1024
const headBytes = 1024 * 1024
// For other formats libvips needs the whole file, even for the size.
const knownByHead: ReadonlySet<PictureFormat> = new Set(['jpeg', 'png'])

/** Throws UnfitPicture or UnfitVideo. */
export async function requireDecodable(ctx: Context, file: FileAddress): Promise<void> {
  const kind = await mediaKindOf(ctx, file)
  if (kind.is === 'video') return probeVideo(await videoSourceOf(ctx, file))
  const stored = await ctx.storage.stat(file.bucket, file.key)
  if (!stored) throw new FileMissing(file)
  const isLarge = stored.size > decodedMaxBytes
  if (isLarge && knownByHead.has(kind.format)) {
    await inspectPicture(await readHead(ctx, file, headBytes))
    return
  }
  await withPictureBytes(ctx, file, async (bytes) => {
    const picture = await inspectPicture(bytes)
    if (!isLarge) await requireDecodablePicture(picture)
  })
}

/** Decodes every row and keeps a single pixel. Throws UnfitPicture. */
export async function requireDecodablePicture(picture: Picture): Promise<void> {
  await developPicture(picture, (image) => image.resize(1, 1).raw().toBuffer())
}
