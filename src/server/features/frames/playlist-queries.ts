/** SQL queries of playlists. */
import type { z } from 'zod'
import type { api } from '../../../contract/api.ts'
import type { Context } from '../../context.ts'
import { runStatement } from '../../database/statement.ts'
import { slideJson } from '../sessions/sessions.ts'
import { fileIsHidden, sessionIsHidden, slideIsForAdults } from '../visibility/visibility.ts'

const maxSlides = 500

export type Playlist = {
  readonly grantId: number
  readonly version: string
  readonly name: string
  readonly settings: z.output<typeof api.frames.playlist.answer.body>['settings']
  /** The slides as JSON; null when the screen already has this version. */
  readonly media: string | null
}

/**
 * The playlist in one statement, whether or not it has changed. The version is a hash of the response, so
 * it changes exactly with the response, for any reason: an edit, a picture's new size, a takedown, the
 * owner's age. When there are too many slides, sessions share the limit fairly, with their first slides.
 * No row is returned when the owner is disabled, when no visible session remains, or when a takedown
 * removed the last slide.
 */
const statement = `
  with frame as (
    select f.id, f.name, f.settings, f.grant_id, f.nsfw and u.age_verified as with_nsfw
    from frames f join users u on u.id = f.user_id
    where f.token_hash = $1 and u.is_active
  ), visible as (
    select s.id, t.position as turn, frame.with_nsfw,
      s.nsfw_given, s.caption_theme
    from frame join frame_sessions t on t.frame_id = frame.id
    join live_sessions s on s.id = t.session_id
    where not ${sessionIsHidden('s.id')}
  ), shown as (
    select m.id, s.turn, m.position,
      row_number() over (partition by m.session_id order by m.position) as rank,
      ${fileIsHidden('user-media', 'file.key')} as is_hidden
    from visible s join session_media m on m.session_id = s.id
    cross join lateral (select
      split_part(substr(m.media_url, length('/media/user-media/') + 1), '?', 1) as key) file
    where not m.is_broken and not m.in_trash and (s.with_nsfw or not ${slideIsForAdults})
  ), chosen as (
    select * from shown where not is_hidden order by rank, turn limit ${maxSlides}
  ), playlist as (
    select coalesce(json_agg(${slideJson} order by c.turn, c.position), '[]')::text as media
    from chosen c join session_media m on m.id = c.id
  ), versioned as (
    select frame.*, playlist.media,
      md5(concat_ws(' ', frame.grant_id, frame.name, frame.settings, playlist.media)) as version
    from frame cross join playlist
    where exists (select from visible)
      and (playlist.media <> '[]' or not exists (select from shown where is_hidden))
  )
  select grant_id as "grantId", version, name, settings,
    case when version = any($2::text[]) then null else media end as media
  from versioned`

export async function findPlaylist(
  ctx: Context,
  tokenHash: Uint8Array,
  knownVersions: readonly string[],
): Promise<Playlist | undefined> {
  const [found] = await runStatement<Playlist>(ctx, statement, [tokenHash, knownVersions])
  return found
}
