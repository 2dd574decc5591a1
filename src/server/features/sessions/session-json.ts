/**
 * Sessions and slides as JSON that PostgreSQL writes, for the most frequent responses. The JSON is
 * built from records, which takes PostgreSQL half the time of json_build_object. The SQL is plain text
 * because it becomes part of text statements.
 */
import { isoTime } from '../../database/statement.ts'
import { renditionFields, renditionOf } from '../renditions/renditions.ts'
import { sessionIsAdult } from '../visibility/visibility.ts'
import type { Lacking } from './slides/slide-columns.ts'
import { slideColumns, responseColumns } from './slides/slide-columns.ts'

/** True when the session as a whole is adult, or one of its slides. */
const isNsfw = `(s.nsfw_media or ${sessionIsAdult('s')})`

/** The columns of a row `sessions s`, with their names on the wire. */
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
 * The renditions of the file that a row `session_media m` shows. Only of files that the service
 * attached to the slide: an address that a user typed may belong to another user's file. The key of a
 * vault file is read from the address, which saves a lookup in the vault for each slide.
 */
export const slideRendition = renditionOf(
  'user-media',
  `case when m.in_trash then null when m.vault_media_id is null then m.own_file_key
    else split_part(substr(m.media_url, length('/media/user-media/') + 1), '?', 1) end`,
)

/** The fields of a row `session_media m` with its `slideRendition`. */
export const slideFields = responseColumns(slideColumns, {
  id: 'm.id',
  sessionId: 'm.session_id',
  order: 'm.position',
  isBroken: 'm.is_broken',
  // If its file is in the trash, the slide keeps its position without a picture.
  mediaUrl: 'case when not m.in_trash then m.media_url end',
  thumbnail: 'case when not m.in_trash then m.thumbnail end',
  ...renditionFields,
} satisfies Lacking<typeof slideColumns> & Record<'mediaUrl' | 'thumbnail', string>)

export const sessionJson = `(select row_to_json(v) from (select ${sessionColumns}) v)`

export const slideJson = `(select row_to_json(v) from (select ${slideFields} from (values (m.id)) one
  ${slideRendition}) v)`
