/** The SQL of sessions that are imported or copied whole. */
import { sql } from 'kysely'
import type { z } from 'zod'
import type { skippedMedia } from '../../../../contract/session-records.ts'
import type { Context } from '../../../context.ts'
import type { NewSession, SlideView } from '../queries.ts'
import { slideJson } from '../session-json.ts'
import type { Slide } from '../slides/slide-columns.ts'

export type ImportedSession = Omit<NewSession, 'fillStatus' | 'shareToCommunity'> & {
  readonly id: number
  /** Null for the copy of a session that was not imported. */
  readonly importSource: string | null
  readonly importUrl: string | null
  /** The key of the thumbnail's file if it belongs to the session and to no slide. */
  readonly ownThumbnailKey: string | null
}

/** Reserves an id for a new session. */
export async function takeSessionId(ctx: Context): Promise<number> {
  const { rows } = await sql<{ id: number }>`
    select nextval(pg_get_serial_sequence('sessions', 'id'))::int as id`.execute(ctx.db)
  const [row] = rows
  if (!row) throw new Error('the sequence gave no id')
  return row.id
}

export async function insertImportedSession(ctx: Context, session: ImportedSession): Promise<void> {
  await sql`
    insert into sessions (id, user_id, title, subfeeds, category_id, category_source, interval_min,
      interval_max, transition, thumbnail, thumbnail_given, ai_prompt, caption_theme, is_public,
      is_favorite, is_manual_mode, is_imported, import_source, import_url, tags, nsfw_given,
      own_thumbnail_key, fill_status, created_at, updated_at)
    overriding system value
    values (${session.id}, ${session.userId}, ${session.title}, ${[...session.subfeeds]}::text[],
      coalesce(${session.categoryId}::int, (select id from categories where is_default)),
      ${session.categorySource}, ${session.intervalMin}, ${session.intervalMax},
      ${session.transition}, ${session.thumbnail}, ${session.thumbnailGiven}, ${session.aiPrompt},
      ${session.captionTheme}, ${session.isPublic}, ${session.isFavorite}, ${session.isManualMode},
      ${session.importSource !== null}, ${session.importSource}, ${session.importUrl}, ${[...session.tags]}::text[],
      ${session.nsfw}, ${session.ownThumbnailKey}, 'ready', ${ctx.now()}, ${ctx.now()})`.execute(
    ctx.db,
  )
}

export type SkippedMedia = z.output<typeof skippedMedia>

/** Adds to the list of media that an import left out. */
export async function insertSkipped(
  ctx: Context,
  sessionId: number,
  skipped: readonly SkippedMedia[],
): Promise<void> {
  await sql`
    update sessions set skipped_media = skipped_media || ${JSON.stringify(skipped)}::jsonb
    where id = ${sessionId}`.execute(ctx.db)
}

export async function findSkipped(ctx: Context, sessionId: number): Promise<SkippedMedia[]> {
  const { rows } = await sql<{ skipped: SkippedMedia[] }>`
    select skipped_media as skipped from live_sessions where id = ${sessionId}`.execute(ctx.db)
  return rows[0]?.skipped ?? []
}

export async function isBeingCopied(ctx: Context, sessionId: number): Promise<boolean> {
  const { rows } = await sql`
    select from session_imports where session_id = ${sessionId}`.execute(ctx.db)
  return rows.length > 0
}

/** The columns that change when a slide gets a file of its own. */
export type OwnMedia = Pick<
  Slide,
  | 'mediaUrl'
  | 'thumbnail'
  | 'type'
  | 'width'
  | 'height'
  | 'ownFileKey'
  | 'ownThumbnailKey'
  | 'perceptualHashes'
>

/** Keeps the old size if the new one is unknown. Returns null if the slide was deleted. */
export async function updateSlideMedia(
  ctx: Context,
  slideId: number,
  media: OwnMedia,
): Promise<SlideView | null> {
  const { rows } = await sql<{ json: SlideView }>`
    with m as (
      update session_media set media_url = ${media.mediaUrl}, thumbnail = ${media.thumbnail},
        type = ${media.type}, width = coalesce(${media.width}, width),
        height = coalesce(${media.height}, height), own_file_key = ${media.ownFileKey},
        own_thumbnail_key = ${media.ownThumbnailKey},
        perceptual_hashes = ${[...media.perceptualHashes]}::text[], is_broken = false
      where id = ${slideId} returning *
    )
    select ${sql.raw(slideJson)} as json from m`.execute(ctx.db)
  return rows[0]?.json ?? null
}
