/**
 * Copies media into the storage. The bytes decide the type, whatever the address says, and private
 * metadata is removed. Media that cannot be read or shown is refused with a reason.
 */
import { problems } from '../../../contract/problems.ts'
import type { Context } from '../../context.ts'
import { Problem } from '../../http/problem.ts'
import { makeDisplayable } from '../../media/displayable-picture.ts'
import type { MediaKind, VideoKind } from '../../media/media-kind.ts'
import { kindOfType, typeOfKind } from '../../media/media-kind.ts'
import { hashPicture } from '../../media/perceptual-hash.ts'
import { inTurn } from '../../media/picture-turns.ts'
import { inspectPicture, UnfitPicture, withPictureBudget } from '../../media/picture.ts'
import { withPictureBytes } from '../../media/stored-media.ts'
import { makeThumbnail } from '../../media/thumbnails.ts'
import { UnfitVideo } from '../../media/video.ts'
import { Semaphore } from '../../platform/concurrency/semaphore.ts'
import { freeBytes } from '../../platform/storage/free-bytes.ts'
import type { FileAddress } from '../../platform/storage/storage.ts'
import type { MediaSource, SourceFault } from '../files/files.ts'
import {
  openMediaSource,
  peek,
  readPictureSource,
  removeFiles,
  SourceRefused,
  storeUnclaimed,
} from '../files/files.ts'
import { isBlockedHash } from '../moderation/moderation.ts'
import { storeCleanVideo } from './displayable-file.ts'

export type CopiedMedia = {
  readonly file: FileAddress
  readonly thumbnail: FileAddress | null
  /** The stored file that it was copied from. */
  readonly origin: FileAddress | null
  readonly type: 'image' | 'gif' | 'video'
  readonly width: number | null
  readonly height: number | null
  readonly perceptualHashes: readonly string[]
}

/** The reason why media cannot be copied. */
export type CopyFault = SourceFault | 'not-media' | 'unreadable' | 'blocked' | 'over-quota'

export class CopyRefused extends Error {
  override name = 'CopyRefused'
  readonly fault: CopyFault

  constructor(fault: CopyFault, options?: ErrorOptions) {
    super(`The media cannot be copied: ${fault}`, options)
    this.fault = fault
  }
}

const mediaMaxBytes = 100 * 1_048_576
// Limits copies that run at once, in turns of their accounts: each keeps a whole picture in memory.
const copies = new Semaphore({ atOnce: 3, reserve: 3 })
const pictureMaxBytes = 30 * 1_048_576
const posterMaxBytes = 20 * 1_048_576
const thumbnailWidth = 640

const unmeasured = { width: null, height: null } as const

/**
 * Copies a slide's media. The key of `base` has no extension: the bytes decide it. Fails with
 * CopyRefused.
 */
export function copyMedia(
  ctx: Context,
  slide: { readonly mediaUrl: string; readonly thumbnail: string | null },
  base: FileAddress,
): Promise<CopiedMedia> {
  return copies.run(() => explained(() => copyAny(ctx, slide, base)))
}

async function copyAny(
  ctx: Context,
  slide: { readonly mediaUrl: string; readonly thumbnail: string | null },
  base: FileAddress,
): Promise<CopiedMedia> {
  const source = await openMediaSource(ctx, slide.mediaUrl, { maxBytes: mediaMaxBytes })
  const { mimeType, content } = await peek(source.content)
  const kind = kindOfType(mimeType)
  if (kind?.is === 'video')
    return copyVideo(ctx, { ...source, content }, kind, slide.thumbnail, base)
  if (kind) return copyHeldPicture(ctx, { ...source, content }, kind, base)
  await content[Symbol.asyncIterator]().return?.()
  throw new CopyRefused('not-media')
}

/** Copies the thumbnail that an owner chose for a session, in thumbnail size. Fails with CopyRefused. */
export function copyCover(ctx: Context, address: string, base: FileAddress): Promise<CopiedMedia> {
  return explained(async () => {
    const { bytes, file: origin } = await readPictureSource(ctx, address, {
      maxBytes: posterMaxBytes,
    })
    const picture = await inspectPicture(bytes)
    const perceptualHashes = await hashPicture(picture)
    if (await isBlockedHash(ctx, perceptualHashes)) throw new CopyRefused('blocked')
    const small = await makeThumbnail(picture, thumbnailWidth)
    const file = await store(ctx, named(base, '.webp'), small)
    return { ...unmeasured, file, thumbnail: null, origin, type: 'image', perceptualHashes }
  })
}

/**
 * Copies a picture. Every picture that could be uploaded can be published, so a large stored file is
 * not refused: it waits until there is memory for it.
 */
async function copyHeldPicture(
  ctx: Context,
  { content, file }: MediaSource,
  kind: MediaKind,
  base: FileAddress,
): Promise<CopiedMedia> {
  const copy = (bytes: Uint8Array) => copyPicture(ctx, bytes, kind, file, base)
  const bytes = await readAtMost(content, pictureMaxBytes)
  if (bytes) return copy(bytes)
  if (!file) throw new CopyRefused('too-large')
  return withPictureBytes(ctx, file, copy)
}

async function copyPicture(
  ctx: Context,
  bytes: Uint8Array,
  kind: MediaKind,
  origin: FileAddress | null,
  base: FileAddress,
): Promise<CopiedMedia> {
  const picture = await inspectPicture(bytes)
  const { perceptualHashes, small, shown } = await withPictureBudget(() =>
    inTurn(async () => ({
      perceptualHashes: await hashPicture(picture),
      small: await makeThumbnail(picture, thumbnailWidth),
      shown: (await makeDisplayable(bytes)) ?? bytes,
    })),
  )
  if (await isBlockedHash(ctx, perceptualHashes)) throw new CopyRefused('blocked')
  const file = await store(ctx, named(base, `.${kind.extension}`), shown)
  const thumbnail = await orRemove(ctx, file, () =>
    store(ctx, named(base, `-${thumbnailWidth}.webp`), small),
  )
  const { width, height } = picture
  return { file, thumbnail, origin, type: typeOfKind(kind), width, height, perceptualHashes }
}

/**
 * Stores the video first, because it may be too large for the memory. Then overwrites it without
 * metadata.
 */
async function copyVideo(
  ctx: Context,
  source: MediaSource,
  kind: VideoKind,
  poster: string | null,
  base: FileAddress,
): Promise<CopiedMedia> {
  const file = await store(ctx, named(base, `.${kind.extension}`), source.content)
  return orRemove(ctx, file, async () => {
    await storeCleanVideo(ctx, file, kind, file)
    const shown =
      poster === null ? null : await copyPoster(ctx, poster, named(base, `-${thumbnailWidth}`))
    const { file: thumbnail, perceptualHashes } = shown ?? { file: null, perceptualHashes: [] }
    return {
      ...unmeasured,
      file,
      thumbnail,
      origin: source.file,
      type: 'video',
      perceptualHashes,
    }
  })
}

/** Returns null if the poster cannot be copied: a video needs none. */
async function copyPoster(ctx: Context, address: string, base: FileAddress) {
  try {
    return await copyCover(ctx, address, base)
  } catch (error) {
    if (error instanceof CopyRefused) return null
    throw error
  }
}

/** Removes the file if the next step fails. */
async function orRemove<T>(ctx: Context, file: FileAddress, next: () => Promise<T>): Promise<T> {
  try {
    return await next()
  } catch (error) {
    await removeFiles(ctx, [file])
    throw error
  }
}

function named({ bucket, key }: FileAddress, ending: string): FileAddress {
  return { bucket, key: `${key}${ending}` }
}

async function store(
  ctx: Context,
  file: FileAddress,
  content: AsyncIterable<Uint8Array> | Uint8Array,
): Promise<FileAddress> {
  await storeUnclaimed(ctx, file, content)
  return file
}

/** Turns every refusal into CopyRefused with its reason. */
async function explained<T>(copy: () => Promise<T>): Promise<T> {
  try {
    return await copy()
  } catch (error) {
    if (error instanceof SourceRefused) throw new CopyRefused(error.fault, { cause: error })
    if (error instanceof Problem && error.failure === problems.quotaExceeded)
      throw new CopyRefused('over-quota', { cause: error })
    const isUnreadable = error instanceof UnfitPicture || error instanceof UnfitVideo
    throw isUnreadable ? new CopyRefused('unreadable', { cause: error }) : error
  }
}

/** Returns null if there is more content. */
async function readAtMost(
  content: AsyncIterable<Uint8Array>,
  maxBytes: number,
): Promise<Buffer | null> {
  const chunks: Uint8Array[] = []
  let size = 0
  for await (const chunk of content) {
    size += chunk.byteLength
    if (size > maxBytes) return null
    chunks.push(chunk)
  }
  const bytes = Buffer.concat(chunks)
  chunks.forEach(freeBytes)
  return bytes
}
