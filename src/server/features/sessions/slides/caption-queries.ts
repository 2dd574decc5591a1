/** The SQL of captioning a session's slides, and what of a slide can be looked at for that. */
import { sql } from 'kysely'
import type { Context } from '../../../context.ts'
import { runStatement } from '../../../database/statement.ts'
import type { SlideView } from '../queries.ts'
import { slideJson } from '../session-json.ts'

export type SlideToCaption = SlideView & { readonly title: string | null }

const findStatement = `
  select ${slideJson} as json, m.title
  from session_media m where m.session_id = $1 order by m.position`

/** In their order. */
export async function listSlidesToCaption(
  ctx: Context,
  sessionId: number,
): Promise<SlideToCaption[]> {
  type Row = { json: SlideView; title: string | null }
  const rows = await runStatement<Row>(ctx, findStatement, [sessionId])
  return rows.map(({ json, title }) => ({ ...json, title }))
}

/** False where the slide is gone. An edit of an older state of the session is refused after it. */
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

/** What can be looked at to caption a slide: moving ones by their still; null where there is none. */
export function stillOf({ type, mediaUrl, thumbnail }: SlideToCaption): string | null {
  return type === 'image' ? mediaUrl : thumbnail
}
