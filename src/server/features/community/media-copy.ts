/** The community copy of a file: without private metadata, and with a watermark if required. */
import type { Context } from '../../context.ts'
import { isAnimated } from '../../media/displayable-picture.ts'
import type { MediaKind } from '../../media/media-kind.ts'
import { mediaKindOf } from '../../media/media-kind.ts'
import { inspectPicture } from '../../media/picture.ts'
import { withPictureBytes } from '../../media/stored-media.ts'
import { makeThumbnails } from '../../media/thumbnails.ts'
import { watermark } from '../../media/watermark.ts'
import type { FileAddress } from '../../platform/storage/storage.ts'
import type { FileCopy } from '../files/files.ts'
import { copyUnclaimed, removeFiles, storeUnclaimed } from '../files/files.ts'
import { displayFile, mediaTypeOf, ownFile, thumbnailKey, thumbnailWidths } from '../vault/vault.ts'
import type { MediaType, StoredMedia } from '../vault/vault.ts'
import { deleteCommunityRecord } from './media-queries.ts'

/** The files of a copy, not claimed yet. */
export type CommunityCopy = {
  readonly file: FileAddress
  readonly thumbnail: FileAddress | null
  readonly copies: readonly FileCopy[]
  readonly type: MediaType
  readonly width: number
  readonly height: number
}

const widestThumbnail = 640

export async function makeCommunityCopy(ctx: Context, media: StoredMedia): Promise<CommunityCopy> {
  const display = await displayFile(ctx, media)
  const kind = await mediaKindOf(ctx, display)
  const name = `community/media/${ctx.newId()}`
  const file: FileAddress = { bucket: 'general', key: `${name}.${kind.extension}` }
  const thumbnail: FileAddress = { bucket: 'general', key: `${name}-thumbnail.webp` }
  const type = mediaTypeOf({ mimeType: kind.mimeType, fileName: media.fileName })
  const copies: FileCopy[] = [{ from: display, to: file }]
  try {
    const marked = await markPicture(ctx, media, kind, display)
    if (marked) await storeUnclaimed(ctx, file, marked.bytes)
    else await copyUnclaimed(ctx, display, file)
    const small = smallPictureOf(media)
    if (marked?.thumbnail) {
      await storeUnclaimed(ctx, thumbnail, marked.thumbnail)
      copies.push({ from: file, to: thumbnail })
    } else if (!marked && small) {
      await copyUnclaimed(ctx, small, thumbnail)
      copies.push({ from: small, to: thumbnail })
    }
    const { width, height } = marked?.size ?? media
    return { file, thumbnail: copies.length > 1 ? thumbnail : null, copies, type, width, height }
  } catch (error) {
    await removeFiles(ctx, [file, thumbnail])
    throw error
  }
}

/** Withdraws the publication of a file with its tags. Returns the files to abandon. */
export async function abandonCommunityCopy(ctx: Context, mediaId: number): Promise<FileAddress[]> {
  const keys = await deleteCommunityRecord(ctx, mediaId)
  return keys.map((key) => ({ bucket: 'general', key }))
}

/** Adds the watermark. Returns null for pictures without one: other categories, videos and animations. */
async function markPicture(
  ctx: Context,
  media: StoredMedia,
  kind: MediaKind,
  display: FileAddress,
) {
  if (media.category !== 'upload' || kind.is !== 'picture' || kind.format === 'gif') return null
  return withPictureBytes(ctx, display, async (bytes) => {
    const shown = await inspectPicture(bytes)
    if (isAnimated(shown)) return null
    const marked = await watermark(shown)
    const picture = await inspectPicture(marked)
    const widths = thumbnailWidths.filter((width) => width <= widestThumbnail)
    const [largest] = (await makeThumbnails(picture, widths)).toReversed()
    const { width, height } = picture
    return { bytes: marked, thumbnail: largest?.bytes ?? null, size: { width, height } }
  })
}

/** Returns the largest thumbnail that a community page uses. */
function smallPictureOf(media: StoredMedia): FileAddress | null {
  const widths = media.thumbnailWidths.filter((width) => width <= widestThumbnail)
  return widths.length === 0 ? null : ownFile(thumbnailKey(media, Math.max(...widths)))
}
