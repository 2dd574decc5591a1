/** The SQL of plays. */
import { sql } from 'kysely'
import type { Context } from '../../../context.ts'

export async function insertPlay(
  ctx: Context,
  play: { sessionId: number; userId: string | null },
): Promise<number> {
  const { id } = await ctx.db
    .insertInto('plays')
    .values({ session_id: play.sessionId, user_id: play.userId, created_at: ctx.now() })
    .returning('id')
    .executeTakeFirstOrThrow()
  return id
}

/** Returns the play of this user, and whether its slides are charged. */
export async function findOwnPlay(ctx: Context, playId: number, userId: string) {
  const { rows } = await sql<{ sessionId: number; isCharged: boolean }>`
    select s.id as "sessionId",
      (
        s.caption_theme is not null or coalesce(s.ai_prompt, '') <> '' or exists (
          select from session_media where session_id = s.id and caption_is_ai
        )
      ) and not (
        s.user_id = p.user_id and (s.is_imported or cardinality(s.subfeeds) = 0)
      ) as "isCharged"
    from plays p join live_sessions s on s.id = p.session_id
    where p.id = ${playId} and p.user_id = ${userId}`.execute(ctx.db)
  return rows[0]
}

/** True when a person without an account started this play of the session. */
export async function isGuestPlay(
  ctx: Context,
  playId: number,
  sessionId: number,
): Promise<boolean> {
  const play = await ctx.db
    .selectFrom('plays')
    .select('id')
    .where('id', '=', playId)
    .where('session_id', '=', sessionId)
    .where('user_id', 'is', null)
    .executeTakeFirst()
  return play !== undefined
}

export async function deleteGuestPlays(ctx: Context, before: Date): Promise<void> {
  await ctx.db
    .deleteFrom('plays')
    .where('user_id', 'is', null)
    .where('created_at', '<', before)
    .execute()
}

/**
 * Returns the number of slides shown for the first time in this play. All reports insert in id order,
 * so that overlapping reports cannot deadlock.
 */
export async function insertViews(
  ctx: Context,
  view: { playId: number; sessionId: number; mediaIds: readonly number[] },
): Promise<number> {
  const { rows } = await sql`
    insert into play_views (play_id, media_id)
    select ${view.playId}, id from session_media
    where session_id = ${view.sessionId} and id = any(${[...view.mediaIds]}::int[])
    order by id
    on conflict do nothing returning media_id`.execute(ctx.db)
  return rows.length
}
