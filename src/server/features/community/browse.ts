/** Browsing publications. Adult ones are visible only to viewers with a verified age. */
import type { api } from '../../../contract/api.ts'
import type { Context } from '../../context.ts'
import { mediaUrlOf } from '../../http/media/media-url.ts'
import { problem } from '../../http/problem.ts'
import { JsonText } from '../../http/reply.ts'
import type { Call } from '../../http/route.ts'
import { withPublicNames } from '../files/files.ts'
import { refuseUnverified } from './adult-publications.ts'
import type { Place, Sort } from './browse-cursor.ts'
import { cursorAt, placeAt } from './browse-cursor.ts'
import type { FoundItem } from './queries.ts'
import { findItems, findOpened } from './queries.ts'

export async function browseCommunity(
  ctx: Context,
  { user, query }: Call<typeof api.community.browse>,
) {
  const { sort, limit, cursor, tagMode } = query
  const filter = {
    kinds: kindsOf(query),
    tags: query.tags ?? [],
    tagMode,
    categorySlug: query.categorySlug || undefined,
    words: [...new Set((query.q ?? '').split(/\s+/).filter((word) => word !== ''))],
    withNsfw: user.ageVerified,
    ownerId: null,
    sort,
    after: placeAt(sort, cursor),
    // One extra row tells whether there is another page.
    limit: limit + 1,
  }
  const found = filter.kinds.length > 0 ? await findItems(ctx, filter) : []
  return pageOf(ctx, found, { sort, limit })
}

/**
 * Lists the caller's publications. Adult ones are included so that they can be withdrawn, but without
 * pictures if the caller's age is no longer verified.
 */
export async function listPublished(
  ctx: Context,
  { user, query: { limit, cursor } }: Call<typeof api.community.published>,
) {
  const sort = 'recent'
  const found = await findItems(ctx, {
    kinds: ['session', 'media'],
    tags: [],
    tagMode: 'or',
    categorySlug: undefined,
    words: [],
    withNsfw: true,
    ownerId: user.id,
    sort,
    after: placeAt(sort, cursor),
    limit: limit + 1,
  })
  const shown = found.map((item) =>
    item.nsfw && !user.ageVerified
      ? { ...item, fileKey: null, thumbnailKey: null, cover: null }
      : item,
  )
  return pageOf(ctx, shown, { sort, limit })
}

export async function openCommunitySession(
  ctx: Context,
  { user, params }: Call<typeof api.community.open>,
) {
  const found = await findOpened(ctx, params.id, { withNsfw: user.ageVerified })
  if (!found) throw problem.notPublic()
  refuseUnverified(user, found)
  const media = found.slides.map(([slide, fileKey, thumbnailKey]) => ({
    ...withPublicNames(ctx, slide),
    mediaUrl: publishedUrl(ctx, fileKey),
    thumbnail: publishedUrl(ctx, thumbnailKey),
  }))
  const session = withAddresses(ctx, { ...found, fileKey: null })
  return new JsonText(`{"session":${session},"media":${JSON.stringify(media)}}`)
}

function pageOf(
  ctx: Context,
  found: readonly FoundItem[],
  { sort, limit }: { sort: Sort; limit: number },
): JsonText {
  const items = found.slice(0, limit)
  const last = items.at(-1)
  const nextCursor = found.length > limit && last ? cursorAt(sort, last) : null
  const texts = items.map((item) => withAddresses(ctx, item))
  return new JsonText(`{"items":[${texts.join(',')}],"nextCursor":${JSON.stringify(nextCursor)}}`)
}

/** Returns the kinds to list. Media have no category, so a category filter excludes them. */
function kindsOf(query: Call<typeof api.community.browse>['query']): Place['kind'][] {
  const sessions = query.kind === 'media' ? [] : (['session'] as const)
  const media = query.kind === 'sessions' || query.categorySlug ? [] : (['media'] as const)
  return [...sessions, ...media]
}

/** Inserts the addresses before the end of the JSON object that the database wrote. */
function withAddresses(ctx: Context, item: Omit<FoundItem, keyof Place>): string {
  const { json, fileKey, thumbnailKey, cover } = item
  const addresses = {
    thumbnail: publishedUrl(ctx, thumbnailKey) ?? cover,
    ...(fileKey === null ? {} : { url: publishedUrl(ctx, fileKey) }),
  }
  return `${json.slice(0, -1)},${JSON.stringify(addresses).slice(1)}`
}

function publishedUrl(ctx: Context, key: string | null): string | null {
  return key === null ? null : mediaUrlOf(ctx, { bucket: 'general', key })
}
