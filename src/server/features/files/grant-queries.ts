/** The SQL of access grants: one statement for each kind decides whether it still opens a file. */
import type { Context } from '../../context.ts'
import { runStatement } from '../../database/statement.ts'
import type { Grant, OwnedBucket } from '../../http/media/media-url.ts'
import type { Bucket } from '../../platform/storage/storage.ts'
import { communityIsPublicSql, isCommunityPublicByDefault } from '../settings/settings.ts'
import {
  fileIsHidden,
  isForGuests,
  sessionIsAdult,
  sessionIsHidden,
  slideIsForAdults,
} from '../visibility/visibility.ts'
import { fileIsForgotten } from './queries.ts'

/** SQL: true when the slide `m` shows the requested file, or the file that it is a smaller size of. */
const slideShowsFile = `(strpos(m.media_url, asked.path) > 0 or strpos(m.thumbnail, asked.path) > 0
  or strpos(m.media_url, '/media/user-media/' || asked.whole_key || '?') > 0)`

/**
 * SQL: true when the session `s`, visible to others, shows the requested file or the file that it is a
 * smaller size of. A grant for people who may not see adult slides ends when its picture becomes adult.
 */
const sessionShowsFile = `not ${sessionIsHidden('s.id')} and (
  (strpos(s.thumbnail, asked.path) > 0 and (asked.is_for_adults or not ${sessionIsAdult('s')})) or exists (
    select from session_media m
    where m.session_id = s.id and ${slideShowsFile}
      and (asked.is_for_adults or not ${slideIsForAdults})
  ))`

/**
 * The rows of the grant with id $1, and the conditions under which it opens the file `asked`. $3 is
 * now. A new kind of grant is a new entry.
 */
const kinds = {
  /** The link of a session: its `grant_id`, which changes with its password. */
  share: `session_shares g join live_sessions s on s.id = g.session_id
    where g.grant_id = $1 and (g.expires_at is null or g.expires_at > $3) and ${sessionShowsFile}`,
  /** A public session: its id. */
  public: `live_sessions s where s.id = $1 and s.is_public and ${sessionShowsFile}`,
  /** A room: its id. */
  room: `open_rooms g join live_sessions s on s.id = g.session_id
    where g.id = $1 and g.ends_at > $3 and ${sessionShowsFile}`,
  /**
   * A frame: its `grant_id`, which changes with its link. It opens only the slides of its sessions. A
   * setting of the frame decides about adult slides, so its grants have no adult variant.
   */
  frame: `frames g join users u on u.id = g.user_id join frame_sessions t on t.frame_id = g.id
    join live_sessions s on s.id = t.session_id join session_media m on m.session_id = s.id
    where g.grant_id = $1 and u.is_active and not ${sessionIsHidden('s.id')} and ${slideShowsFile}
      and (g.nsfw and u.age_verified or not ${slideIsForAdults})`,
  /** The link to a vault file: its `grant_id`. */
  file: `media_shares g join live_media v on v.id = g.media_id
    where g.grant_id = $1 and v.display_path = asked.key
      and (asked.is_for_adults or not v.nsfw)`,
} as const

/**
 * The same for guests of the community, who get files of publications. $6 is whether the community is
 * public until an administrator changes that.
 */
const guestKinds = {
  /** A published session: its id in the community. */
  publication: `community_sessions s where s.id = $1 and ${isForGuests.community_sessions('s')}
    and (asked.key in (s.cover_key, s.thumbnail_key) or exists (
      select from community_session_media m where m.community_session_id = s.id and not m.nsfw
        and (m.file_key in (asked.key, asked.whole_key) or m.thumbnail_key = asked.key)))
    and ${communityIsPublicSql('$6::boolean')}`,
  /** Published single media: its id in the community. */
  communitymedia: `community_media m where m.id = $1 and ${isForGuests.community_media('m')}
    and asked.key in (m.file_key, m.thumbnail_key) and ${communityIsPublicSql('$6::boolean')}`,
} as const

export type GrantKind = keyof typeof kinds | keyof typeof guestKinds

const adultPrefix = 'adult'

/**
 * Returns the grant in the form that addresses contain. `isForAdults` is true if its holder may see
 * adult slides.
 */
export function grantOf(
  kind: GrantKind,
  id: number,
  { isForAdults = false }: { readonly isForAdults?: boolean } = {},
): Grant {
  return `${isForAdults ? adultPrefix : ''}${kind}.${id}`
}

function readGrant(grant: Grant) {
  const [name = '', id] = grant.split('.')
  const isForAdults = name.startsWith(adultPrefix)
  return { kind: isForAdults ? name.slice(adultPrefix.length) : name, id: Number(id), isForAdults }
}

const ownStatements = statementsOf(kinds, 'user-media')
const guestStatements = statementsOf(guestKinds, 'general')

function statementsOf(
  sources: Readonly<Record<string, string>>,
  bucket: Bucket,
): ReadonlyMap<string, string> {
  return new Map(
    Object.entries(sources).map(([kind, source]) => [
      kind,
      `select from (
         select given.key, $5::boolean as is_for_adults, '/media/' || $4::text || '/' || given.key || '?' as path,
           (select size.of_key from rendition_files size
             where size.bucket = '${bucket}' and size.key = given.key) as whole_key
         from (values ($2::text)) given (key)
       ) asked
       cross join lateral (select from ${source} limit 1) granted
       where not ${fileIsHidden(bucket, 'asked.key')}
         and not ${fileIsForgotten(bucket, 'asked.key', '$3')}`,
    ]),
  )
}

/**
 * True when the grant opens the file: one that a user owns (in the bucket of users' files, in a folder of
 * the machine or in a connected account), or for guests one of a publication.
 */
export async function grantOpensFile(
  ctx: Context,
  grant: Grant,
  key: string,
  bucket: OwnedBucket | 'general',
): Promise<boolean> {
  const { kind, id, isForAdults } = readGrant(grant)
  const isForGuest = bucket === 'general'
  const statement = (isForGuest ? guestStatements : ownStatements).get(kind)
  // Ids are 32-bit integers.
  if (statement === undefined || id > 2_147_483_647) return false
  const parameters = [id, key, ctx.now(), bucket, isForAdults]
  if (isForGuest) parameters.push(isCommunityPublicByDefault(ctx))
  return (await runStatement(ctx, statement, parameters)).length > 0
}
