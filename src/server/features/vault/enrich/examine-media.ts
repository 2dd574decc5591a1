/** The data that is read from the bytes of a picture or a video. */
import { webcrypto } from 'node:crypto'
import type { Context } from '../../../context.ts'
import { plainTitle, readEmbeddedTitle } from '../../../media/embedded-title.ts'
import { mediaKindOf } from '../../../media/media-kind.ts'
import { hashPicture } from '../../../media/perceptual-hash.ts'
import { inTurn } from '../../../media/picture-turns.ts'
import type { Picture } from '../../../media/picture.ts'
import { inspectPicture } from '../../../media/picture.ts'
import { videoSourceOf, withPictureBytes } from '../../../media/stored-media.ts'
import type { Thumbnail } from '../../../media/thumbnails.ts'
import { makeThumbnails } from '../../../media/thumbnails.ts'
import { examineVideo } from '../../../media/video.ts'
import type { FileAddress } from '../../../platform/storage/storage.ts'
import { FileMissing } from '../../../platform/storage/storage.ts'
import { thumbnailWidths } from '../media-files.ts'

export type Examined = {
  readonly mimeType: string
  readonly fileSize: number
  /** The displayed size. */
  readonly width: number
  readonly height: number
  readonly durationMs: number | null
  readonly title: string | null
  readonly thumbnails: readonly Thumbnail[]
  readonly perceptualHashes: readonly string[]
  /** In hexadecimal. Null for a video, which is never read whole. */
  readonly contentSha256: string | null
  /** The reason why a video has no poster, in a few words. */
  readonly posterMissing: string | null
}

/** Examines a file. Fails with UnfitPicture or UnfitVideo. */
export async function examineMedia(ctx: Context, file: FileAddress): Promise<Examined> {
  const stored = await ctx.storage.stat(file.bucket, file.key)
  if (!stored) throw new FileMissing(file)
  const kind = await mediaKindOf(ctx, file)
  const seen =
    kind.is === 'video'
      ? await examineFilm(ctx, file)
      : await withPictureBytes(ctx, file, examineStill)
  return { ...seen, mimeType: kind.mimeType, fileSize: stored.size }
}

type Seen = Omit<Examined, 'mimeType' | 'fileSize'>

async function examineStill(bytes: Uint8Array): Promise<Seen> {
  const picture = await inspectPicture(bytes)
  const { width, height } = picture
  const title = await readEmbeddedTitle(picture)
  const contentSha256 = await sha256Of(bytes)
  const still = { width, height, durationMs: null, title, contentSha256, posterMissing: null }
  return { ...still, ...(await draw(picture)) }
}

/** Hashes on another thread: a large picture would block all other requests. */
async function sha256Of(bytes: Uint8Array): Promise<string> {
  return Buffer.from(await webcrypto.subtle.digest('SHA-256', bytes)).toString('hex')
}

async function examineFilm(ctx: Context, file: FileAddress): Promise<Seen> {
  const { poster, ...seen } = await examineVideo(await videoSourceOf(ctx, file))
  const drawn = poster
    ? await draw(await inspectPicture(poster))
    : { thumbnails: [], perceptualHashes: [] }
  return { ...seen, title: plainTitle(seen.title), contentSha256: null, ...drawn }
}

async function draw(picture: Picture) {
  return inTurn(async () => ({
    thumbnails: await makeThumbnails(picture, thumbnailWidths),
    perceptualHashes: await hashPicture(picture),
  }))
}
