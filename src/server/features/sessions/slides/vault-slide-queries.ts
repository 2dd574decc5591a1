/** The SQL of slides that show a file of the vault. */
import { sql } from 'kysely'
import type { Context } from '../../../context.ts'

/** Held until the transaction ends, in one order for everybody. */
export async function lockSessionsShowing(ctx: Context, mediaId: number): Promise<number[]> {
  const { rows } = await sql<{ id: number }>`
    select id from sessions
    where id in (select session_id from session_media where vault_media_id = ${mediaId})
    order by id for update`.execute(ctx.db)
  return rows.map(({ id }) => id)
}

/** The latest sessions that show the file, and how many there are. */
export async function findSessionsShowing(
  ctx: Context,
  mediaId: number,
  most: number,
): Promise<{ sessions: { id: number; title: string }[]; count: number }> {
  const { rows } = await sql<{ id: number; title: string; count: number }>`
    select id, title, (count(*) over ())::int as count from sessions
    where id in (select session_id from session_media where vault_media_id = ${mediaId})
    order by id desc limit ${most}`.execute(ctx.db)
  return {
    sessions: rows.map(({ id, title }) => ({ id, title })),
    count: rows[0]?.count ?? 0,
  }
}

/** Gives the addresses that the slides had. */
export async function deleteSlidesShowing(
  ctx: Context,
  sessionId: number,
  mediaId: number,
): Promise<string[]> {
  const { rows } = await sql<{ urls: string[] }>`
    delete from session_media where session_id = ${sessionId} and vault_media_id = ${mediaId}
    returning array_remove(array[media_url, thumbnail], null) as urls`.execute(ctx.db)
  return rows.flatMap(({ urls }) => urls)
}

/** Gives the addresses that the slides have which were not marked before. */
export async function markSlidesShowing(
  ctx: Context,
  sessionId: number,
  mediaId: number,
): Promise<string[]> {
  const { rows } = await sql<{ urls: string[] }>`
    update session_media set nsfw = true
    where session_id = ${sessionId} and vault_media_id = ${mediaId} and not nsfw
    returning array_remove(array[media_url, thumbnail], null) as urls`.execute(ctx.db)
  return rows.flatMap(({ urls }) => urls)
}

/** Positions count from 0 without a gap. */
export async function closeGaps(ctx: Context, sessionId: number): Promise<void> {
  await sql`
    update session_media set position = ordered.place
    from (
      select id, row_number() over (order by position)::int - 1 as place
      from session_media where session_id = ${sessionId}
    ) ordered
    where session_media.id = ordered.id and position <> ordered.place`.execute(ctx.db)
}

/** A session is not shown by a picture that is gone or adult, whoever chose it. */
export async function dropThumbnail(
  ctx: Context,
  sessionId: number,
  urls: readonly string[],
): Promise<void> {
  await sql`update sessions set thumbnail = null, thumbnail_given = false
    where id = ${sessionId} and thumbnail = any(${[...urls]}::text[])`.execute(ctx.db)
}
