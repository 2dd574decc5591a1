/** The SQL of publishing and withdrawing. */
import { sql } from 'kysely'
import type { Context } from '../../context.ts'
import type { SessionSnapshot, SessionView } from '../sessions/sessions.ts'
import { publishedIsAdult } from '../visibility/visibility.ts'

export type Publication = {
  readonly id: number
  readonly communityId: number
  readonly sessionId: number
  readonly saidSafe: boolean
}

/** The frozen data of a session. `nsfw` is the rating of the publication. */
export type FrozenSession = SessionSnapshot & { readonly nsfw: boolean }

/**
 * Returns the session's row in the community, and inserts it if there is none. A session always keeps
 * the same row.
 */
export async function ensureCommunitySession(ctx: Context, session: SessionView): Promise<number> {
  const { rows } = await sql<{ id: number }>`
    insert into community_sessions (session_id, owner_id, status, title, nsfw, transition,
      interval_min, interval_max, is_manual_mode, category_id, category_source, published_at)
    values (${session.id}, ${session.userId}, 'copying', '', true, ${session.transition},
      ${session.intervalMin}, ${session.intervalMax}, ${session.isManualMode},
      ${session.categoryId}, ${session.categorySource}, ${ctx.now()})
    on conflict (session_id) do update set session_id = excluded.session_id
    returning id`.execute(ctx.db)
  const [row] = rows
  if (!row) throw new Error('the community session was not made')
  return row.id
}

/** Replaces a publication that is still in progress. */
export async function replacePublication(
  ctx: Context,
  communityId: number,
  saidSafe: boolean,
): Promise<number> {
  await ctx.db
    .deleteFrom('community_publications')
    .where('community_session_id', '=', communityId)
    .execute()
  const { id } = await ctx.db
    .insertInto('community_publications')
    .values({
      community_session_id: communityId,
      said_safe: saidSafe,
      snapshot: null,
      copying: null,
      touched_at: ctx.now(),
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  return id
}

/** Returns the publication that waits for the session's fill. */
export async function findWaiting(
  ctx: Context,
  sessionId: number,
): Promise<Publication | undefined> {
  const { rows } = await sql<Publication>`
    select p.id, c.id as "communityId", c.session_id as "sessionId", p.said_safe as "saidSafe"
    from community_sessions c
    join community_publications p on p.community_session_id = c.id
    where c.session_id = ${sessionId} and p.snapshot is null`.execute(ctx.db)
  return rows[0]
}

/** Marks a safe publication as adult if its owner has marked the session. */
export async function markPublishedAdult(ctx: Context, sessionId: number): Promise<void> {
  await sql`
    update community_sessions set nsfw = true
    where session_id = ${sessionId} and not nsfw
      and ${sql.raw(publishedIsAdult('community_sessions'))}`.execute(ctx.db)
}

export async function freezePublication(
  ctx: Context,
  id: number,
  frozen: FrozenSession,
): Promise<void> {
  await sql`
    update community_publications
    set snapshot = ${JSON.stringify(frozen)}::jsonb, touched_at = ${ctx.now()}
    where id = ${id}`.execute(ctx.db)
}

/**
 * Cancels a publication in progress and empties the published one, which stays as a tombstone. A row
 * that was never published is deleted.
 */
export async function withdrawCommunitySession(ctx: Context, sessionId: number): Promise<string[]> {
  const held = await ctx.db
    .selectFrom('community_sessions')
    .select(['id', 'status'])
    .where('session_id', '=', sessionId)
    .forUpdate()
    .executeTakeFirst()
  if (!held) return []
  if (held.status === 'copying') {
    await deleteCommunitySession(ctx, held.id)
    return []
  }
  await ctx.db
    .deleteFrom('community_publications')
    .where('community_session_id', '=', held.id)
    .execute()
  const keys = await takeFileKeys(ctx, held.id)
  await sql`
    update community_sessions set status = 'withdrawn', title = '', thumbnail = null,
      thumbnail_key = null, cover_key = null, media_count = 0, caption_theme = null,
      ai_prompt = null, subfeeds = '{}', tags = '{}'
    where id = ${held.id}`.execute(ctx.db)
  return keys
}

export async function deleteCommunitySession(ctx: Context, id: number): Promise<void> {
  await ctx.db.deleteFrom('community_sessions').where('id', '=', id).execute()
}

/** Deletes the published slides. Returns the keys of their files and of the cover. */
export async function takeFileKeys(ctx: Context, communityId: number): Promise<string[]> {
  const { rows } = await sql<{ key: string }>`
    with gone as (
      delete from community_session_media where community_session_id = ${communityId}
      returning file_key, thumbnail_key
    )
    select key from (
      select unnest(array[file_key, thumbnail_key]) as key from gone
      union all
      select cover_key from community_sessions where id = ${communityId}
    ) keys
    where key is not null`.execute(ctx.db)
  return rows.map(({ key }) => key)
}
