/** The SQL of captioning a session's slides. */
import { sql } from 'kysely'
import type { Context } from '../../../context.ts'
import { runStatement } from '../../../database/statement.ts'
import type { SlideView } from '../queries.ts'
import { slideJson } from '../session-json.ts'

export type SlideToCaption = SlideView & { readonly title: string | null }

const findStatement = `
  select ${slideJson} as json, m.title
  from session_media m where m.session_id = $1 order by m.position`

/** Returns the slides in their order. */
export async function listSlidesToCaption(
  ctx: Context,
  sessionId: number,
): Promise<SlideToCaption[]> {
  type Row = { json: SlideView; title: string | null }
  const rows = await runStatement<Row>(ctx, findStatement, [sessionId])
  return rows.map(({ json, title }) => ({ ...json, title }))
}

/**
 * Returns false if the slide was deleted. Updates the session's version, so that an edit of an older
 * version is refused.
 */
export async function storeAiCaption(
  ctx: Context,
  slide: { sessionId: number; mediaId: number },
  caption: string,
): Promise<boolean> {
  const { rows } = await sql`
    with written as (
      update session_media set caption = ${caption}, caption_is_ai = true
      where id = ${slide.mediaId} and session_id = ${slide.sessionId} returning session_id
    )
    update sessions set updated_at = ${ctx.now()}
    from written where sessions.id = written.session_id returning sessions.id`.execute(ctx.db)
  return rows.length > 0
}

/**
 * Returns the still picture from which to caption a slide, or null. For a moving slide that is its
 * thumbnail.
 */
export function stillOf({ type, mediaUrl, thumbnail }: SlideToCaption): string | null {
  return type === 'image' ? mediaUrl : thumbnail
}
