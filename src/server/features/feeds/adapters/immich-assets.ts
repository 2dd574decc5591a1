/**
 * Parses assets from answers of Immich's API, 1.120 to 3.x. Archived, locked and trashed assets are left
 * out.
 */
import { z } from 'zod'
import { plainText, unixSeconds } from '../normalise-media.ts'
import { lenient, shortList } from '../reading/lenient-shapes.ts'

/** A limit of several times the number that is requested. */
const maxAssets = 500
const maxAlbums = 5000

/** A picture or video in a person's library. */
export type ImmichAsset = {
  readonly id: string
  readonly type: 'image' | 'video'
  readonly description: string
  readonly width: number | null
  readonly height: number | null
  readonly takenAtUnixS: number
}

const size = lenient(z.int().positive().max(100_000))

const asset = z.object({
  id: z.string().regex(/^[\w-]{1,64}$/),
  type: z.enum(['IMAGE', 'VIDEO']),
  fileCreatedAt: lenient(z.string()),
  isTrashed: lenient(z.boolean()),
  isArchived: lenient(z.boolean()),
  isOffline: lenient(z.boolean()),
  visibility: lenient(z.string()),
  width: size,
  height: size,
  exifInfo: lenient(
    z.object({
      description: lenient(z.string()),
      exifImageWidth: size,
      exifImageHeight: size,
      orientation: lenient(z.string()),
    }),
  ),
})
type Asset = z.infer<typeof asset>

const memory = z.object({ assets: lenient(shortList(maxAssets)) })

const search = z.object({
  assets: z.object({
    items: shortList(maxAssets),
    nextPage: lenient(z.union([z.string(), z.number()])),
  }),
})

const albums = shortList(maxAlbums)
const album = z.object({
  id: z.string().regex(/^[\w-]{1,64}$/),
  albumName: z.string().transform((name) => name.slice(0, 300)),
})
const account = z.object({ name: z.string().catch(''), email: z.string().catch('') })

export type ImmichAlbum = z.infer<typeof album>

/** Parses a search result. Returns null when the answer is something else. */
export function readImmichSearch(
  answer: unknown,
): { assets: ImmichAsset[]; nextPage: number | null } | null {
  const found = search.safeParse(answer).data?.assets
  if (!found) return null
  // The API returns the page number as text, but requires it as a number.
  const next = Number(found.nextPage ?? 0)
  return {
    assets: found.items.flatMap(readImmichAsset),
    nextPage: Number.isSafeInteger(next) && next > 0 ? next : null,
  }
}

/** Parses a bare list, the format of random assets. */
export function readImmichList(answer: unknown): ImmichAsset[] | null {
  return Array.isArray(answer) ? answer.slice(0, maxAssets).flatMap(readImmichAsset) : null
}

/** Returns each asset once, even if several memories contain it. */
export function readImmichMemories(answer: unknown): ImmichAsset[] | null {
  const memories = shortList(maxAssets).pipe(z.array(memory)).safeParse(answer)
  if (!memories.success) return null
  const found = memories.data.flatMap(({ assets }) => assets ?? [])
  const assets = found.slice(0, maxAssets).flatMap(readImmichAsset)
  return [...new Map(assets.map((one) => [one.id, one])).values()]
}

export function readImmichAlbums(answer: unknown): ImmichAlbum[] | null {
  return albums.safeParse(answer).data?.flatMap((one) => album.safeParse(one).data ?? []) ?? null
}

/** Returns null when the answer is not an account. */
export function readImmichAccount(answer: unknown): { name: string; email: string } | null {
  const { name, email } = account.safeParse(answer).data ?? {}
  return name === undefined || email === undefined
    ? null
    : { name: plainText(name, 200), email: plainText(email, 200) }
}

export function readImmichAsset(value: unknown): ImmichAsset | [] {
  const found = asset.safeParse(value).data
  if (!found || isPutAway(found)) return []
  const { width, height } = shownSize(found)
  return {
    id: found.id,
    type: found.type === 'VIDEO' ? 'video' : 'image',
    description: plainText(found.exifInfo?.description ?? '', 2000),
    width,
    height,
    takenAtUnixS: unixSeconds(found.fileCreatedAt),
  }
}

/** True for assets that are trashed, archived, locked, offline or part of a live photo. */
function isPutAway({ isTrashed, isArchived, isOffline, visibility }: Asset): boolean {
  const isElsewhere = typeof visibility === 'string' && visibility !== 'timeline'
  return isTrashed === true || isArchived === true || isOffline === true || isElsewhere
}

/** Returns the size as shown. Servers before 2.5 return only the EXIF size, which may be rotated. */
function shownSize({ width, height, exifInfo }: Asset) {
  if (width && height) return { width, height }
  const [exifWidth, exifHeight] = [exifInfo?.exifImageWidth, exifInfo?.exifImageHeight]
  if (!exifWidth || !exifHeight) return { width: null, height: null }
  return /^[5-8]$/.test(exifInfo?.orientation ?? '')
    ? { width: exifHeight, height: exifWidth }
    : { width: exifWidth, height: exifHeight }
}
