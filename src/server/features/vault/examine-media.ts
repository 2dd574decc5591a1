/** Everything that the bytes of a picture or a video tell. */
import type { Context } from '../../context.ts'
import type { FileAddress } from '../../platform/storage.ts'
import { FileMissing } from '../../platform/storage.ts'
import { examineVideo } from '../../platform/video.ts'
import { readRange } from '../images/byte-window.ts'
import { withPictureBytes } from '../images/displayable-file.ts'
import { plainWords, readEmbeddedTitle } from '../images/embedded-title.ts'
import { mediaKindOf } from '../images/media-kind.ts'
import { hashPicture } from '../images/perceptual-hash.ts'
import { inspectPicture } from '../images/picture.ts'
import { inTurn } from '../images/picture-turns.ts'
import type { Thumbnail } from '../images/thumbnails.ts'
import { makeThumbnails } from '../images/thumbnails.ts'
import { thumbnailWidths } from './media-files.ts'

export type Examined = {
  readonly mimeType: string
  readonly fileSize: number
  /** As it is seen. */
  readonly width: number
  readonly height: number
  readonly durationMs: number | null
  readonly title: string | null
  readonly thumbnails: readonly Thumbnail[]
  readonly perceptualHashes: readonly string[]
  /** Why a video has no picture of its own, in a few words. */
  readonly posterMissing: string | null
}

/** Fails with UnfitPicture or UnfitVideo. */
export async function examineMedia(ctx: Context, file: FileAddress): Promise<Examined> {
  const stored = await ctx.storage.stat(file.bucket, file.key)
  if (!stored) throw new FileMissing(file)
  const kind = await mediaKindOf(ctx, file)
  const seen =
    kind.is === 'video'
      ? await examineFilm(ctx, file, stored.size)
      : await withPictureBytes(ctx, file, examineStill)
  return { ...seen, mimeType: kind.mimeType, fileSize: stored.size }
}

type Seen = Omit<Examined, 'mimeType' | 'fileSize'>

async function examineStill(bytes: Uint8Array): Promise<Seen> {
  const { width, height } = await inspectPicture(bytes)
  const title = await readEmbeddedTitle(bytes)
  return { width, height, durationMs: null, title, posterMissing: null, ...(await draw(bytes)) }
}

async function examineFilm(ctx: Context, file: FileAddress, size: number): Promise<Seen> {
  const read = (start: number, end: number) => readRange(ctx, file, start, end - 1)
  const { poster, ...seen } = await examineVideo({ size, read })
  const drawn = poster ? await draw(poster) : { thumbnails: [], perceptualHashes: [] }
  return { ...seen, title: plainWords(seen.title), ...drawn }
}

async function draw(bytes: Uint8Array) {
  const picture = await inspectPicture(bytes)
  return inTurn(async () => ({
    thumbnails: await makeThumbnails(picture, thumbnailWidths),
    perceptualHashes: await hashPicture(picture),
  }))
}
