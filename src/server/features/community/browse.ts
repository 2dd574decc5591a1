/**
 * Browsing publications, for members and for guests, who have no account. Adult ones are visible only to
 * members with a verified age. Guests get media addresses that end when the publication, or the setting
 * that lets guests in, ends.
 */
import type { api } from '../../../contract/api.ts'
import type { Context } from '../../context.ts'
import type { Grant } from '../../http/media/media-url.ts'
import { mediaUrlOf } from '../../http/media/media-url.ts'
import { problem } from '../../http/problem.ts'
import { JsonText } from '../../http/reply.ts'
import type { Call } from '../../http/route.ts'
import { grantedSizes, grantOf, withPublicNames } from '../files/files.ts'
import { refuseUnverified } from './adult-publications.ts'
import type { ItemPosition, Sort } from './browse-cursor.ts'
import { cursorAt, positionAt } from './browse-cursor.ts'
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
    ...audienceOf(user),
    ownerId: null,
    sort,
    after: positionAt(sort, cursor),
    // One extra row tells whether there is another page.
    limit: limit + 1,
  }
  const found = filter.kinds.length > 0 ? await findItems(ctx, filter) : []
  return pageOf(ctx, found, { sort, limit, isForGuest: user === null })
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
    isForGuest: false,
    ownerId: user.id,
    sort,
    after: positionAt(sort, cursor),
    limit: limit + 1,
  })
  const shown = found.map((item) =>
    item.nsfw && !user.ageVerified
      ? { ...item, fileKey: null, thumbnailKey: null, cover: null }
      : item,
  )
  return pageOf(ctx, shown, { sort, limit, isForGuest: false })
}

export async function openCommunitySession(
  ctx: Context,
  { user, params }: Call<typeof api.community.open>,
) {
  const found = await findOpened(ctx, params.id, audienceOf(user))
  if (!found) throw problem.notPublic()
  if (user) refuseUnverified(user, found)
  const grant = user ? null : guestGrant({ kind: 'session', id: params.id })
  const media = found.slides.map(([slide, fileKey, thumbnailKey]) => ({
    ...withPublicNames(ctx, slide),
    ...(grant && { sizes: grantedSizes(ctx, grant, slide.sizes) }),
    mediaUrl: publishedUrl(ctx, fileKey, grant),
    thumbnail: publishedUrl(ctx, thumbnailKey, grant),
  }))
  const session = withAddresses(ctx, { ...found, fileKey: null }, grant)
  return new JsonText(`{"session":${session},"media":${JSON.stringify(media)}}`)
}

/** Returns which publications a caller may see. The user is null for a guest. */
function audienceOf(user: { readonly ageVerified: boolean } | null) {
  return { withNsfw: user?.ageVerified ?? false, isForGuest: user === null }
}

function pageOf(
  ctx: Context,
  found: readonly FoundItem[],
  { sort, limit, isForGuest }: { sort: Sort; limit: number; isForGuest: boolean },
): JsonText {
  const items = found.slice(0, limit)
  const last = items.at(-1)
  const nextCursor = found.length > limit && last ? cursorAt(sort, last) : null
  const texts = items.map((item) => withAddresses(ctx, item, isForGuest ? guestGrant(item) : null))
  return new JsonText(`{"items":[${texts.join(',')}],"nextCursor":${JSON.stringify(nextCursor)}}`)
}

/** Returns the kinds to list. Media have no category, so a category filter excludes them. */
function kindsOf(query: Call<typeof api.community.browse>['query']): ItemPosition['kind'][] {
  const sessions = query.kind === 'media' ? [] : (['session'] as const)
  const media = query.kind === 'sessions' || query.categorySlug ? [] : (['media'] as const)
  return [...sessions, ...media]
}

/** Inserts the addresses before the end of the JSON object that the database wrote. */
function withAddresses(
  ctx: Context,
  item: Omit<FoundItem, keyof ItemPosition>,
  grant: Grant | null,
): string {
  const { json, fileKey, thumbnailKey, cover } = item
  const addresses = {
    thumbnail: publishedUrl(ctx, thumbnailKey, grant) ?? cover,
    ...(fileKey === null ? {} : { url: publishedUrl(ctx, fileKey, grant) }),
  }
  return `${json.slice(0, -1)},${JSON.stringify(addresses).slice(1)}`
}

/** Returns the access grant of guests for a publication. Members need none. */
function guestGrant({ kind, id }: Pick<ItemPosition, 'kind' | 'id'>): Grant {
  return grantOf(kind === 'session' ? 'publication' : 'communitymedia', id)
}

function publishedUrl(ctx: Context, key: string | null, grant: Grant | null): string | null {
  return key === null ? null : mediaUrlOf(ctx, { bucket: 'general', key }, grant)
}
