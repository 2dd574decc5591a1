/**
 * Sessions and slides as JSON that PostgreSQL writes itself: the answers that are asked for most.
 * Made of records, which takes PostgreSQL half the time of json_build_object; kept as text, to be
 * part of statements that are.
 */
import { isoTime } from '../../database/statement.ts'
import type { Lacking } from './slides/slide-columns.ts'
import { slideColumns, toldList } from './slides/slide-columns.ts'

/** An adult theme makes a session adult, whatever was said of it. */
const isNsfw = `(s.nsfw_given or s.nsfw_media
  or (s.caption_theme is not null and s.caption_theme <> 'custom'))`

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
  ${isoTime('s.created_at')} as "createdAt", ${isoTime('s.updated_at')} as "updatedAt"`

/** Of a row of `session_media m`. */
export const slideFields = toldList(slideColumns, {
  id: 'm.id',
  sessionId: 'm.session_id',
  order: 'm.position',
  isBroken: 'm.is_broken',
  lengthMs: 'null::int',
  sizes: 'null::json',
  focus: 'null::json',
} satisfies Lacking<typeof slideColumns>)

export const sessionJson = `(select row_to_json(v) from (select ${sessionColumns}) v)`

export const slideJson = `(select row_to_json(v) from (select ${slideFields}) v)`
