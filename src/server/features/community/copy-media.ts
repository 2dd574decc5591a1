/**
 * Media copied to where it stays: judged by its bytes, whatever its address says, and without what a
 * camera wrote into it. What cannot be had, or is nothing that we show, gives null.
 */
import type { Context } from '../../context.ts'
import type { FileAddress } from '../../platform/storage.ts'
import { StorageUnreachable } from '../../platform/storage.ts'
import type { MediaSource } from '../files/media-source.ts'
import { openMediaSource, SourceRefused } from '../files/media-source.ts'
import { peek } from '../files/peeked-content.ts'
import { removeFiles, storeUnclaimed } from '../files/unclaimed-files.ts'
import { windowOn } from '../images/byte-window.ts'
import { makeDisplayable } from '../images/displayable-picture.ts'
import { hideBytes } from '../images/hidden-bytes.ts'
import { findPrivateBoxes } from '../images/mp4-privacy.ts'
import { hashPicture } from '../images/perceptual-hash.ts'
import { readPictureSource } from '../images/picture-source.ts'
import type { PictureFormat } from '../images/picture.ts'
import { inspectPicture, UnfitPicture } from '../images/picture.ts'
import { makeThumbnail } from '../images/thumbnails.ts'
import { findPrivateElements } from '../images/webm-privacy.ts'
import { isBlockedHash } from '../moderation/blocked-pictures.ts'

export type CopiedMedia = {
  readonly file: FileAddress
  readonly thumbnail: FileAddress | null
  /** The file of ours that it was copied from. */
  readonly origin: FileAddress | null
  readonly type: 'image' | 'gif' | 'video'
  readonly width: number | null
  readonly height: number | null
  readonly perceptualHashes: readonly string[]
}

const mediaMaxBytes = 100 * 1_048_576
const posterMaxBytes = 20 * 1_048_576
const thumbnailWidth = 640

const pictureTypes: ReadonlySet<string> = new Set([
  'image/jpeg',
  'image/png',
  'image/apng',
  'image/gif',
  'image/webp',
])
const videoExtensions: ReadonlyMap<string, string> = new Map([
  ['video/mp4', 'mp4'],
  ['video/x-m4v', 'mp4'],
  ['video/quicktime', 'mov'],
  ['video/webm', 'webm'],
])
const pictureExtensions: Readonly<Record<PictureFormat, string>> = {
  jpeg: 'jpg',
  png: 'png',
  webp: 'webp',
  gif: 'gif',
}

const unmeasured = { width: null, height: null, perceptualHashes: [] } as const

/** `base` is the key without an extension, which only the bytes decide. */
export function copyMedia(
  ctx: Context,
  slide: { readonly mediaUrl: string; readonly thumbnail: string | null },
  base: string,
): Promise<CopiedMedia | null> {
  return unlessRefused(ctx, base, async () => {
    const source = await openMediaSource(ctx, slide.mediaUrl, { maxBytes: mediaMaxBytes })
    const { mimeType, content } = await peek(source.content)
    const extension = videoExtensions.get(mimeType ?? '')
    if (extension !== undefined)
      return copyVideo(ctx, { ...source, content }, slide.thumbnail, `${base}.${extension}`, base)
    const bytes = pictureTypes.has(mimeType ?? '') ? await readAll(content) : await discard(content)
    return bytes && copyPicture(ctx, bytes, source.file, base)
  })
}

/** A picture of a session that its owner chose, in the size of a thumbnail. */
export function copyCover(
  ctx: Context,
  address: string,
  base: string,
): Promise<CopiedMedia | null> {
  return unlessRefused(ctx, base, async () => {
    const { bytes, file: origin } = await readPictureSource(ctx, address, {
      maxBytes: posterMaxBytes,
    })
    const small = await makeThumbnail(await inspectPicture(bytes), thumbnailWidth)
    const file = await store(ctx, `${base}.webp`, small)
    return { ...unmeasured, file, thumbnail: null, origin, type: 'image' }
  })
}

async function copyPicture(
  ctx: Context,
  bytes: Uint8Array,
  origin: FileAddress | null,
  base: string,
): Promise<CopiedMedia | null> {
  const picture = await inspectPicture(bytes)
  const perceptualHashes = await hashPicture(picture)
  if (await isBlockedHash(ctx, perceptualHashes)) return null
  const small = await makeThumbnail(picture, thumbnailWidth)
  const shown = (await makeDisplayable(bytes, picture.format)) ?? bytes
  const file = await store(ctx, `${base}.${pictureExtensions[picture.format]}`, shown)
  const thumbnail = await orRemove(ctx, file, () =>
    store(ctx, `${base}-${thumbnailWidth}.webp`, small),
  )
  const type = picture.format === 'gif' ? 'gif' : 'image'
  const { width, height } = picture
  return { file, thumbnail, origin, type, width, height, perceptualHashes }
}

/** Kept first, as it may be too large for the memory, and then written over where it tells too much. */
async function copyVideo(
  ctx: Context,
  source: MediaSource,
  poster: string | null,
  key: string,
  base: string,
): Promise<CopiedMedia> {
  const file = await store(ctx, key, source.content)
  return orRemove(ctx, file, async () => {
    const hidden = await findPrivateParts(ctx, file)
    if (hidden.length > 0)
      await store(ctx, key, hideBytes(await ctx.storage.read(file.bucket, file.key), hidden))
    const cover = poster === null ? null : await copyCover(ctx, poster, `${base}-${thumbnailWidth}`)
    const thumbnail = cover?.file ?? null
    return { ...unmeasured, file, thumbnail, origin: source.file, type: 'video' }
  })
}

/** What the file was kept for has failed, and so it goes. */
async function orRemove<T>(ctx: Context, file: FileAddress, next: () => Promise<T>): Promise<T> {
  try {
    return await next()
  } catch (error) {
    await removeFiles(ctx, [file])
    throw error
  }
}

class BrokenVideo extends Error {}

async function findPrivateParts(ctx: Context, file: FileAddress) {
  const video = await windowOn(ctx, file)
  try {
    return await (file.key.endsWith('.webm') ? findPrivateElements(video) : findPrivateBoxes(video))
  } catch (error) {
    if (error instanceof StorageUnreachable) throw error
    throw new BrokenVideo('The video cannot be read', { cause: error })
  }
}

async function store(
  ctx: Context,
  key: string,
  content: AsyncIterable<Uint8Array> | Uint8Array,
): Promise<FileAddress> {
  const file: FileAddress = { bucket: 'general', key }
  await storeUnclaimed(ctx, file, content)
  return file
}

async function unlessRefused<T>(
  ctx: Context,
  base: string,
  copy: () => Promise<T>,
): Promise<T | null> {
  try {
    return await copy()
  } catch (error) {
    const isRefusal = [SourceRefused, UnfitPicture, BrokenVideo].some(
      (kind) => error instanceof kind,
    )
    if (!(error instanceof Error) || !isRefusal) throw error
    ctx.log.info({ place: base, reason: error.message }, 'media left out')
    return null
  }
}

async function readAll(content: AsyncIterable<Uint8Array>): Promise<Buffer> {
  const chunks: Uint8Array[] = []
  for await (const chunk of content) chunks.push(chunk)
  return Buffer.concat(chunks)
}

async function discard(content: AsyncIterable<Uint8Array>): Promise<null> {
  await content[Symbol.asyncIterator]().return?.()
  return null
}
