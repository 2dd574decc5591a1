/** The SQL of slides that show vault files. */
import { sql } from 'kysely'
import type { Context } from '../../../context.ts'

/** Locks sessions until the transaction ends, always in id order to avoid deadlocks. */
export async function lockSessionsShowing(
  ctx: Context,
  mediaIds: readonly number[],
): Promise<number[]> {
  const { rows } = await sql<{ id: number }>`
    select id from sessions
    where id in (
      select session_id from session_media where vault_media_id = any(${[...mediaIds]}::int[]))
    order by id for update`.execute(ctx.db)
  return rows.map(({ id }) => id)
}

/** Returns the latest sessions that show the file, and the count of all of them. */
export async function findSessionsShowing(
  ctx: Context,
  mediaId: number,
  max: number,
): Promise<{ sessions: { id: number; title: string }[]; count: number }> {
  const { rows } = await sql<{ id: number; title: string; count: number }>`
    select id, title, (count(*) over ())::int as count from live_sessions
    where id in (select session_id from session_media where vault_media_id = ${mediaId})
    order by id desc limit ${max}`.execute(ctx.db)
  return {
    sessions: rows.map(({ id, title }) => ({ id, title })),
    count: rows[0]?.count ?? 0,
  }
}

/** Returns the addresses of the deleted slides. */
export async function deleteSlidesShowing(
  ctx: Context,
  sessionId: number,
  mediaIds: readonly number[],
): Promise<string[]> {
  const { rows } = await sql<{ urls: string[] }>`
    delete from session_media
    where session_id = ${sessionId} and vault_media_id = any(${[...mediaIds]}::int[])
    returning array_remove(array[media_url, thumbnail], null) as urls`.execute(ctx.db)
  return rows.flatMap(({ urls }) => urls)
}

/** Returns the addresses of the slides that were not marked before. */
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

/** Returns the addresses of the changed slides. */
export async function setTrashed(
  ctx: Context,
  sessionId: number,
  mediaId: number,
  inTrash: boolean,
): Promise<string[]> {
  const { rows } = await sql<{ urls: string[] }>`
    update session_media set in_trash = ${inTrash}
    where session_id = ${sessionId} and vault_media_id = ${mediaId} and in_trash <> ${inTrash}
    returning array_remove(array[media_url, thumbnail], null) as urls`.execute(ctx.db)
  return rows.flatMap(({ urls }) => urls)
}

/** Remembers the cover that the owner chose, if it is one of `urls`. */
export async function keepTrashedCover(
  ctx: Context,
  sessionId: number,
  mediaId: number,
  urls: readonly string[],
): Promise<void> {
  await sql`
    insert into trashed_covers (session_id, media_id, thumbnail)
    select id, ${mediaId}::int, thumbnail from sessions
    where id = ${sessionId} and thumbnail_given and thumbnail = any(${[...urls]}::text[])
    on conflict (session_id) do update
      set media_id = excluded.media_id, thumbnail = excluded.thumbnail`.execute(ctx.db)
}

/** Restores the cover, unless the owner has chosen another one since. */
export async function restoreCover(
  ctx: Context,
  sessionId: number,
  mediaId: number,
): Promise<void> {
  await sql`
    with kept as (
      delete from trashed_covers where session_id = ${sessionId} and media_id = ${mediaId}
      returning thumbnail
    )
    update sessions set thumbnail = kept.thumbnail, thumbnail_given = true
    from kept where id = ${sessionId} and not thumbnail_given`.execute(ctx.db)
}

/** Renumbers positions from 0 without gaps. */
export async function renumberSlides(ctx: Context, sessionId: number): Promise<void> {
  await sql`
    update session_media set position = ordered.rank
    from (
      select id, row_number() over (order by position)::int - 1 as rank
      from session_media where session_id = ${sessionId}
    ) ordered
    where session_media.id = ordered.id and position <> ordered.rank`.execute(ctx.db)
}

/** Removes the session's thumbnail if its picture was deleted or is adult, even if the owner chose it. */
export async function dropThumbnail(
  ctx: Context,
  sessionId: number,
  urls: readonly string[],
): Promise<void> {
  await sql`update sessions set thumbnail = null, thumbnail_given = false
    where id = ${sessionId} and thumbnail = any(${[...urls]}::text[])`.execute(ctx.db)
}
