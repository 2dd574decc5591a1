/** Vault files as slides, for other features: only one's own files, and only their display files. */
import type { Context } from '../../context.ts'
import { mediaUrlOf } from '../../http/media/media-url.ts'
import { Problem, problem } from '../../http/problem.ts'
import { forEachLimit } from '../../platform/concurrency/semaphore.ts'
import { ownFileAt } from '../files/files.ts'
import { displayFile, refuseUnshowable } from './enrich/display-file.ts'
import type { StoredMedia } from './enrich/enrich-queries.ts'
import { findMedia } from './enrich/enrich-queries.ts'
import { enrichNow } from './enrich/enrichment-jobs.ts'
import type { MediaType } from './media-files.ts'
import { mediaTypeOf, ownFile, thumbnailKey } from './media-files.ts'
import { findOwnIdsByPath, lockMedia } from './queries.ts'

export type VaultSlide = {
  readonly vaultMediaId: number
  readonly mediaUrl: string
  readonly thumbnail: string | null
  readonly type: MediaType
  readonly width: number | null
  readonly height: number | null
}

const widestThumbnail = 640
const atOnce = 2

/**
 * Returns the slides of the items. Call it outside a transaction: it examines files that were not
 * examined yet.
 */
export async function findVaultSlides(
  ctx: Context,
  userId: string,
  mediaIds: readonly number[],
): Promise<ReadonlyMap<number, VaultSlide>> {
  const ids = [...new Set(mediaIds)]
  const owned = await findOwn(ctx, userId, ids)
  const waiting = owned.filter(
    ({ enrichmentStatus: status }) => status === 'pending' || status === 'processing',
  )
  await forEachLimit(waiting, atOnce, ({ id }) => enrichNow(ctx, id))
  const media = waiting.length > 0 ? await findOwn(ctx, userId, ids) : owned
  const slides = new Map<number, VaultSlide>()
  await forEachLimit(
    media,
    atOnce,
    async (item) => void slides.set(item.id, await slideOf(ctx, item)),
  )
  return slides
}

/** Returns the slides of the items, without items that were deleted or that others cannot be shown. */
export async function findShowableSlides(
  ctx: Context,
  userId: string,
  mediaIds: readonly number[],
): Promise<ReadonlyMap<number, VaultSlide>> {
  const slides = new Map<number, VaultSlide>()
  await forEachLimit(mediaIds, atOnce, async (id) => {
    try {
      for (const [found, slide] of await findVaultSlides(ctx, userId, [id]))
        slides.set(found, slide)
    } catch (error) {
      if (!(error instanceof Problem)) throw error
    }
  })
  return slides
}

/**
 * Returns the ids of the caller's own items by their address. Slides show the display file of these
 * items.
 */
export async function findOwnMediaAt(
  ctx: Context,
  userId: string,
  addresses: readonly string[],
): Promise<ReadonlyMap<string, number>> {
  const files = addresses.flatMap((address) => {
    const file = ownFileAt(ctx, address)
    return file?.bucket === 'user-media' ? [{ address, path: file.key }] : []
  })
  const paths = [...new Set(files.map(({ path }) => path))]
  const idOf = await findOwnIdsByPath(ctx, userId, paths)
  return new Map(
    files.flatMap(({ address, path }) => {
      const id = idOf.get(path)
      return id === undefined ? [] : [[address, id] as const]
    }),
  )
}

/** Runs in the transaction that makes the slides. The items cannot be deleted until it ends. */
export async function lockVaultMedia(
  ctx: Context,
  userId: string,
  mediaIds: readonly number[],
): Promise<void> {
  const left = await lockExistingVaultMedia(ctx, userId, mediaIds)
  if (mediaIds.some((id) => !left.has(id))) throw problem.mediaNotFound()
}

/** Does the same, but returns the items that still exist instead of failing. */
export async function lockExistingVaultMedia(
  ctx: Context,
  userId: string,
  mediaIds: readonly number[],
): Promise<ReadonlySet<number>> {
  return new Set(await lockMedia(ctx, userId, [...new Set(mediaIds)]))
}

async function findOwn(
  ctx: Context,
  userId: string,
  ids: readonly number[],
): Promise<StoredMedia[]> {
  const found = await findMedia(ctx, ids)
  if (found.length !== ids.length || found.some((media) => media.userId !== userId))
    throw problem.mediaNotFound()
  return found
}

async function slideOf(ctx: Context, media: StoredMedia): Promise<VaultSlide> {
  const file = await displayFile(ctx, media).catch(refuseUnshowable)
  const small = thumbnailWidthOf(media)
  return {
    vaultMediaId: media.id,
    mediaUrl: mediaUrlOf(ctx, file),
    thumbnail: small === null ? null : mediaUrlOf(ctx, ownFile(thumbnailKey(media, small))),
    type: mediaTypeOf(media),
    width: media.width || null,
    height: media.height || null,
  }
}

function thumbnailWidthOf({ thumbnailWidths }: StoredMedia): number | null {
  const fitting = thumbnailWidths.filter((width) => width <= widestThumbnail)
  return fitting.length === 0 ? null : Math.max(...fitting)
}
