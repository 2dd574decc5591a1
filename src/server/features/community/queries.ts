/** The SQL of browsing the community. */
import type { Context } from '../../context.ts'
import { isoTime, runStatement } from '../../database/statement.ts'
import { ownerName } from '../accounts/accounts.ts'
import { renditionFields, renditionOf } from '../renditions/renditions.ts'
import { publishedSlideColumns, responseColumns } from '../sessions/sessions.ts'
import {
  fileIsHidden,
  isForGuests,
  publishedIsAdult,
  sessionIsHidden,
} from '../visibility/visibility.ts'
import type { ItemPosition, Sort } from './browse-cursor.ts'

export type BrowseFilter = {
  readonly kinds: readonly ItemPosition['kind'][]
  readonly tags: readonly string[]
  readonly tagMode: 'and' | 'or'
  readonly categorySlug: string | undefined
  readonly words: readonly string[]
  readonly withNsfw: boolean
  /** True for a caller without an account. */
  readonly isForGuest: boolean
  /** Limits the list to publications of this user, with the ids of their originals. */
  readonly ownerId: string | null
  readonly sort: Sort
  readonly after: ItemPosition | null
  readonly limit: number
}

export type FoundItem = ItemPosition & {
  readonly nsfw: boolean
  /** The item's JSON without its addresses, which only the service can sign. */
  readonly json: string
  readonly fileKey: string | null
  readonly thumbnailKey: string | null
  /** A drawn cover if there is no thumbnail. */
  readonly cover: string | null
}

/** Fields of rows of `community_sessions s`, `users u` and `categories c`. */
const sessionFields = `
  'id', s.id, 'title', s.title, 'nsfw', s.nsfw, 'mediaCount', s.media_count,
  'transition', s.transition, 'intervalMin', s.interval_min, 'intervalMax', s.interval_max,
  'captionTheme', s.caption_theme, 'tags', s.tags, 'category', c.slug, 'ownerName', ${ownerName},
  'savedCount', s.saved_count, 'publishedAt', ${isoTime('s.published_at')}`

/** Fields of rows of `community_media m` and `users u`. */
const mediaFields = `
  'id', m.id, 'width', m.width, 'height', m.height, 'type', m.type, 'tags', m.tags, 'nsfw', m.nsfw,
  'ownerName', ${ownerName}, 'publishedAt', ${isoTime('m.published_at')}`

const hiddenOf: Readonly<Record<ItemPosition['kind'], string>> = {
  session: sessionIsHidden('s.session_id'),
  media: fileIsHidden('general', 'm.file_key'),
}

const guestsSee: Readonly<Record<ItemPosition['kind'], string>> = {
  session: isForGuests.community_sessions('s'),
  media: isForGuests.community_media('m'),
}

/**
 * Returns a page in one statement. Each kind is read along the index of its order, so that a page costs
 * the same at any position. JSON is built only for the items on the page.
 */
export async function findItems(ctx: Context, filter: BrowseFilter): Promise<FoundItem[]> {
  const parameters: unknown[] = []
  const given = (value: unknown) => `$${parameters.push(value)}`
  const limit = limitOf(filter, given)
  const words = `${given(filter.words)}::text[]`
  const source = (column: string) => (filter.ownerId === null ? '' : `'sourceId', ${column},`)
  const branches = filter.kinds.map((kind) => branchOf(kind, filter, given, limit))
  const text = `
    with wanted as materialized (
      select array(select slug from tags where position(lower(word) in lower(label)) > 0) as slugs
      from unnest(${words}) word
    ),
    page as (
      select * from (${branches.map((branch) => `(${branch})`).join(' union all ')}) found
      order by ${filter.sort === 'popular' ? 'saved_count desc, ' : ''}published_at desc, kind desc,
        id desc
      limit ${limit}
    )
    select page.kind, page.id, page.saved_count as "savedCount",
      ${isoTime('page.published_at', 'US')} as "publishedAt",
      case page.kind
        when 'session' then json_build_object('kind', page.kind, ${source('s.session_id')} ${sessionFields})
        else json_build_object('kind', page.kind, ${source('m.media_id')} ${mediaFields})
        end::text as json,
      coalesce(s.nsfw, m.nsfw) as nsfw, m.file_key as "fileKey",
      coalesce(s.cover_key, s.thumbnail_key, m.thumbnail_key) as "thumbnailKey",
      s.thumbnail as cover
    from page
    left join community_sessions s on page.kind = 'session' and s.id = page.id
    left join community_media m on page.kind = 'media' and m.id = page.id
    left join categories c on c.id = s.category_id
    join users u on u.id = coalesce(s.owner_id, m.owner_id)
    order by ${filter.sort === 'popular' ? 'page.saved_count desc, ' : ''}page.published_at desc,
      page.kind desc, page.id desc`
  return (await runStatement<FoundItem>(ctx, text, parameters)).slice(0, filter.limit)
}

/** The limits that get a statement text of their own: page sizes plus one. */
const pageLimits = [11, 31, 61, 101]

/**
 * Writes the limit into the statement text if possible. PostgreSQL does not know the value of a
 * parameter, so a generic plan looks expensive and it plans the statement each time. That costs more
 * than the page. With tags or an owner, planning each time is better.
 */
function limitOf(
  { tags, ownerId, limit }: BrowseFilter,
  given: (value: unknown) => string,
): string {
  const kept = pageLimits.find((length) => length >= limit)
  return tags.length > 0 || ownerId !== null || kept === undefined
    ? `${given(limit)}::int`
    : String(kept)
}

function branchOf(
  kind: ItemPosition['kind'],
  filter: BrowseFilter,
  given: (value: unknown) => string,
  limit: string,
): string {
  const row = kind === 'session' ? 's' : 'm'
  const counts = kind === 'session' && filter.sort === 'popular'
  const membersSee = [
    ...(kind === 'session' ? [`s.status = 'published'`] : []),
    `not ${hiddenOf[kind]}`,
    ...(filter.withNsfw ? [] : [`not ${row}.nsfw`]),
  ]
  const conditions = [
    ...(filter.isForGuest ? [guestsSee[kind]] : membersSee),
    ...(filter.ownerId === null ? [] : [`${row}.owner_id = ${given(filter.ownerId)}`]),
    ...tagCondition(row, filter, given),
    ...wordConditions(kind, filter, given),
    ...(filter.categorySlug === undefined
      ? []
      : [`s.category_id = (select id from categories where slug = ${given(filter.categorySlug)})`]),
    ...positionCondition(kind, filter, given, counts),
  ]
  return `
    select '${kind}' as kind, ${row}.id, ${kind === 'session' ? 's.saved_count' : '0'} as saved_count,
      ${row}.published_at
    from ${kind === 'session' ? 'community_sessions s' : 'community_media m'}
    where ${conditions.join(' and ')}
    order by ${counts ? 's.saved_count desc, ' : ''}${row}.published_at desc, ${row}.id desc
    limit ${limit}`
}

/** Requires every word in the title, or for media in the label of one of its tags. */
function wordConditions(
  kind: ItemPosition['kind'],
  { words }: BrowseFilter,
  given: (value: unknown) => string,
): string[] {
  if (words.length === 0) return []
  if (kind === 'session')
    return words.map((word) => `position(lower(${given(word)}) in lower(s.title)) > 0`)
  // The first condition is evaluated once: if no tag contains one of the words, no media is read.
  return [
    'not exists (select from wanted where cardinality(slugs) = 0)',
    'not exists (select from wanted where not m.tags && slugs)',
  ]
}

function tagCondition(
  row: 's' | 'm',
  { tags, tagMode }: BrowseFilter,
  given: (value: unknown) => string,
): string[] {
  if (tags.length === 0) return []
  return [`${row}.tags ${tagMode === 'and' ? '@>' : '&&'} ${given(tags)}::text[]`]
}

/** Continues strictly after a position. Of two items published at the same moment, the session is first. */
function positionCondition(
  kind: ItemPosition['kind'],
  { sort, after }: BrowseFilter,
  given: (value: unknown) => string,
  counts: boolean,
): string[] {
  if (!after) return []
  // Media count as never saved, so all of them follow saved sessions.
  if (sort === 'popular' && kind === 'media' && after.savedCount > 0) return []
  // An id that no item has: it includes all items of that moment, or none.
  const beyondKind = kind === 'media' ? 2 ** 31 : 0
  const id = after.kind === kind ? after.id : beyondKind
  const row = kind === 'session' ? 's' : 'm'
  const columns = `${counts ? 's.saved_count, ' : ''}${row}.published_at, ${row}.id`
  const values = `${counts ? `${given(after.savedCount)}::int, ` : ''}${given(after.publishedAt)}::timestamptz, ${given(id)}::bigint`
  return [`(${columns}) < (${values})`]
}

/** The fields of a slide that are changed before it is sent. */
type Slide = {
  readonly subfeed: string | null
  /** Addresses of smaller sizes of a picture, by width. */
  readonly sizes: Readonly<Record<string, string>> | null
}

export type OpenedSession = Omit<FoundItem, keyof ItemPosition | 'fileKey'> & {
  readonly isAdult: boolean
  /** Each slide as JSON, with the keys of its file and its thumbnail. */
  readonly slides: readonly (readonly [
    slide: Slide,
    fileKey: string,
    thumbnailKey: string | null,
  ])[]
}

/** Fields of a row `community_session_media m`, without addresses, which only the service can sign. */
const slideFields = responseColumns(publishedSlideColumns, {
  id: 'm.id',
  sessionId: 'null',
  order: 'm.position',
  isBroken: 'false',
  ...renditionFields,
})

const openStatement = (condition: string) => `
  select json_build_object(${sessionFields})::text as json, s.nsfw,
    ${publishedIsAdult('s')} as "isAdult",
    coalesce(s.cover_key, s.thumbnail_key) as "thumbnailKey", s.thumbnail as cover,
    coalesce((
      select json_agg(json_build_array(
        (select row_to_json(v) from (select ${slideFields}) v), m.file_key, m.thumbnail_key
      ) order by m.position)
      from community_session_media m ${renditionOf('general', 'm.file_key')}
      where m.community_session_id = s.id and ($2::boolean or not m.nsfw)
    ), '[]') as slides
  from community_sessions s
  join users u on u.id = s.owner_id
  join categories c on c.id = s.category_id
  where s.id = $1 and ${condition}`

const openForMembers = openStatement(`s.status = 'published' and not ${hiddenOf.session}`)
const openForGuests = openStatement(guestsSee.session)

/** Opens a publication for a member, or for a caller without an account. */
export async function findOpened(
  ctx: Context,
  id: number,
  { withNsfw, isForGuest }: Pick<BrowseFilter, 'withNsfw' | 'isForGuest'>,
): Promise<OpenedSession | undefined> {
  const statement = isForGuest ? openForGuests : openForMembers
  const [found] = await runStatement<OpenedSession>(ctx, statement, [id, withNsfw])
  return found
}
