/**
 * Sessions and slides as JSON that PostgreSQL writes itself: the answers that are asked for most.
 * Made of records, which takes PostgreSQL half the time of json_build_object; kept as text, to be
 * part of statements that are.
 */
import { isoTime } from '../../database/statement.ts'
import { renditionFields, renditionOf } from '../renditions/renditions.ts'
import { sessionIsAdult } from '../visibility/visibility.ts'
import type { Lacking } from './slides/slide-columns.ts'
import { slideColumns, toldList } from './slides/slide-columns.ts'

/** Adult as a whole, or by some of its slides. */
const isNsfw = `(s.nsfw_media or ${sessionIsAdult('s')})`

/** Of a row of `sessions s`, under the names that they have on the wire. */
export const sessionColumns = `
  s.id, s.title, s.user_id as "userId", s.subfeeds, s.category_id as "categoryId",
  s.category_source as "categorySource", s.interval_min as "intervalMin",
  s.interval_max as "intervalMax", s.transition, s.thumbnail, s.ai_prompt as "aiPrompt",
  s.caption_theme as "captionTheme", s.is_public as "isPublic",
  s.share_to_community as "shareToCommunity", s.is_favorite as "isFavorite",
  s.is_manual_mode as "isManualMode", s.is_imported as "isImported",
  s.import_source as "importSource", s.import_url as "importUrl", s.tags, ${isNsfw} as nsfw,
  s.media_count as "mediaCount", s.fill_status as "fillStatus", s.fill_error as "fillError",
  case when s.links_checked_at is not null then (select row_to_json(h) from (
    select ${isoTime('s.links_checked_at')} as "checkedAt", s.broken_count as "brokenCount",
      s.replaced_count as "replacedCount") h) end as "linkHealth",
  s.refresh_due_at is not null as "refreshDaily",
  ${isoTime('s.created_at')} as "createdAt", ${isoTime('s.updated_at')} as "updatedAt"`

/**
 * What is made of the file that a row of `session_media m` shows. Only of those that the service has
 * put there: an address that somebody wrote may be of anybody's file. The vault's file is read off
 * the address, which saves a look at the vault for each slide.
 */
export const slideRendition = renditionOf(
  'user-media',
  `case when m.in_trash then null when m.vault_media_id is null then m.own_file_key
    else split_part(substr(m.media_url, length('/media/user-media/') + 1), '?', 1) end`,
)

/** Of a row of `session_media m` with its `slideRendition`. */
export const slideFields = toldList(slideColumns, {
  id: 'm.id',
  sessionId: 'm.session_id',
  order: 'm.position',
  isBroken: 'm.is_broken',
  // What it shows is in the trash: the slide keeps its place.
  mediaUrl: 'case when not m.in_trash then m.media_url end',
  thumbnail: 'case when not m.in_trash then m.thumbnail end',
  ...renditionFields,
} satisfies Lacking<typeof slideColumns> & Record<'mediaUrl' | 'thumbnail', string>)

export const sessionJson = `(select row_to_json(v) from (select ${sessionColumns}) v)`

export const slideJson = `(select row_to_json(v) from (select ${slideFields} from (values (m.id)) one
  ${slideRendition}) v)`
