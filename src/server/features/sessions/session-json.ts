/** Sessions and slides as JSON that PostgreSQL writes itself: the answers that are asked for most. */
import { sql } from 'kysely'

/** ISO 8601 in UTC with milliseconds, as JavaScript writes it. */
const iso = (column: string) =>
  sql.raw(`to_char(${column} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`)

/** An adult theme makes a session adult, whatever was said of it. */
const isNsfw = sql.raw(
  `(s.nsfw_given or s.nsfw_media or (s.caption_theme is not null and s.caption_theme <> 'custom'))`,
)

/** Of a row of `sessions s`. */
export const sessionJson = sql`json_build_object(
  'id', s.id, 'title', s.title, 'userId', s.user_id, 'subfeeds', s.subfeeds,
  'categoryId', s.category_id, 'categorySource', s.category_source,
  'intervalMin', s.interval_min, 'intervalMax', s.interval_max, 'transition', s.transition,
  'thumbnail', s.thumbnail, 'aiPrompt', s.ai_prompt, 'captionTheme', s.caption_theme,
  'isPublic', s.is_public, 'shareToCommunity', s.share_to_community,
  'isFavorite', s.is_favorite, 'isManualMode', s.is_manual_mode, 'isImported', s.is_imported,
  'importSource', s.import_source, 'importUrl', s.import_url, 'tags', s.tags, 'nsfw', ${isNsfw},
  'mediaCount', s.media_count, 'fillStatus', s.fill_status, 'fillError', s.fill_error,
  'createdAt', ${iso('s.created_at')}, 'updatedAt', ${iso('s.updated_at')}
)`

/** Of a row of `session_media m`. */
export const slideJson = sql`json_build_object(
  'id', m.id, 'sessionId', m.session_id, 'mediaUrl', m.media_url, 'thumbnail', m.thumbnail,
  'caption', m.caption, 'type', m.type, 'feedPostId', m.feed_post_id,
  'feedPostUrl', m.feed_post_url, 'subfeed', m.subfeed, 'order', m.position, 'width', m.width,
  'height', m.height, 'durationMs', m.duration_ms, 'nsfw', m.nsfw
)`
