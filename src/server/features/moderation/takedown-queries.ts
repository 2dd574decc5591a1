/** The SQL of takedowns: their rows, and the files and sessions that they hide. */
import { sql } from 'kysely'
import type { Context } from '../../context.ts'
import type { FileAddress } from '../../platform/storage/storage.ts'

/** The subject of a report, a vault file or a session but never both, and its owner. */
export type Subject = {
  readonly mediaId: number | null
  readonly sessionId: number | null
  readonly ownerId: string
}

export type Takedown = {
  readonly id: number
  readonly state: 'hidden' | 'removed' | 'lifted'
  readonly isQuarantine: boolean
}

const columns = ['id', 'state', 'is_quarantine as isQuarantine'] as const

/** Locks the subject. Returns false if it was deleted. */
export async function lockSubject(
  ctx: Context,
  { mediaId, sessionId }: Pick<Subject, 'mediaId' | 'sessionId'>,
): Promise<boolean> {
  const held = [
    await sql`select id from vault_media where id = ${mediaId} for key share`.execute(ctx.db),
    await sql`select id from sessions where id = ${sessionId} for key share`.execute(ctx.db),
  ]
  return held.some(({ rows }) => rows.length > 0)
}

/**
 * Takes the exclusive takedown lock. Until the transaction ends, other transactions cannot derive files or
 * save copies of sessions.
 */
export async function lockTakedowns(ctx: Context): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtext('takedowns'))`.execute(ctx.db)
}

export function findTakedown(
  ctx: Context,
  { mediaId, sessionId }: Pick<Subject, 'mediaId' | 'sessionId'>,
): Promise<Takedown | undefined> {
  return ctx.db
    .selectFrom('takedowns')
    .select(columns)
    .where((row) => row.or([row('media_id', '=', mediaId), row('session_id', '=', sessionId)]))
    .where('state', '<>', 'lifted')
    .executeTakeFirst()
}

export function findTakedownById(ctx: Context, id: number): Promise<Takedown | undefined> {
  return ctx.db
    .selectFrom('takedowns')
    .select(columns)
    .where('id', '=', id)
    .where('state', '<>', 'lifted')
    .executeTakeFirst()
}

export function insertTakedown(
  ctx: Context,
  { mediaId, sessionId, ownerId }: Subject,
  { state, isQuarantine }: Omit<Takedown, 'id'>,
): Promise<Takedown> {
  return ctx.db
    .insertInto('takedowns')
    .values({
      media_id: mediaId,
      session_id: sessionId,
      owner_id: ownerId,
      state,
      is_quarantine: isQuarantine,
      created_at: ctx.now(),
      decided_at: state === 'hidden' ? null : ctx.now(),
    })
    .returning(columns)
    .executeTakeFirstOrThrow()
}

export function setTakedown(
  ctx: Context,
  id: number,
  change: { state?: Takedown['state']; isQuarantine?: boolean; decidedAt?: Date },
): Promise<Takedown> {
  return ctx.db
    .updateTable('takedowns')
    .set({
      ...(change.state === undefined ? {} : { state: change.state }),
      ...(change.isQuarantine === undefined ? {} : { is_quarantine: change.isQuarantine }),
      ...(change.decidedAt === undefined ? {} : { decided_at: change.decidedAt }),
    })
    .where('id', '=', id)
    .returning(columns)
    .executeTakeFirstOrThrow()
}

/** Hides the session, the copies that others have saved of it, and the copies of those. */
export async function insertHiddenSessions(
  ctx: Context,
  takedownId: number,
  { sessionId }: Subject,
): Promise<void> {
  if (sessionId === null) return
  await sql`
    with recursive reached (session_id) as (
      values (${sessionId}::int)
      union
      select saved.session_id
      from reached
      join community_sessions published on published.session_id = reached.session_id
      join community_saves saved on saved.community_session_id = published.id
    )
    insert into hidden_sessions (session_id, takedown_id)
    select session_id, ${takedownId}::int from reached`.execute(ctx.db)
}

/** Returns the picture addresses of the session and its slides. */
export async function findShownAddresses(
  ctx: Context,
  { sessionId }: Pick<Subject, 'sessionId'>,
): Promise<string[]> {
  const { rows } = await sql<{ address: string }>`
    select address from (
      select unnest(array[media_url, thumbnail]) as address from session_media
      where session_id = ${sessionId}
      union
      select thumbnail from sessions where id = ${sessionId}
    ) shown
    where address is not null`.execute(ctx.db)
  return rows.map(({ address }) => address)
}

/**
 * Hides the files of the subject, and all files copied or derived from them. `named` are the files whose
 * addresses the session contains. The result of a picture tool that was saved to the vault still has its
 * original file outside the vault, which is hidden too.
 */
export async function insertHiddenFiles(
  ctx: Context,
  takedownId: number,
  { mediaId, sessionId }: Subject,
  named: readonly FileAddress[],
): Promise<void> {
  await sql`
    with recursive media as (
      select id, file_path from vault_media
      where id = ${mediaId}
        or id in (select vault_media_id from session_media where session_id = ${sessionId})
    ),
    reached (bucket, key) as (
      select * from (
        select 'user-media' as bucket, file_path as key from media
        union all
        select r.bucket, r.key from temporary_results r join media on media.id = r.media_id
        union all
        select 'user-media', g.result_path
        from enhancement_generations g join media on media.id = g.media_id
        union all
        select * from unnest(${named.map(({ bucket }) => bucket)}::text[],
          ${named.map(({ key }) => key)}::text[])
        union all
        select 'user-media', unnest(array[m.own_file_key, m.own_thumbnail_key])
        from hidden_sessions h join session_media m on m.session_id = h.session_id
        where h.takedown_id = ${takedownId}
        union all
        select 'user-media', s.own_thumbnail_key
        from hidden_sessions h join sessions s on s.id = h.session_id
        where h.takedown_id = ${takedownId}
        union all
        select 'general', unnest(array[m.file_key, m.thumbnail_key])
        from community_sessions c join community_session_media m on m.community_session_id = c.id
        where c.session_id = ${sessionId}
        union all
        select 'general', unnest(array[cover_key, thumbnail_key])
        from community_sessions where session_id = ${sessionId}
      ) shown
      where key is not null
      union
      select made.bucket, made.key
      from reached
      join file_origins made on made.origin_bucket = reached.bucket and made.origin_key = reached.key
    )
    insert into hidden_files (bucket, key, takedown_id)
    select bucket, key, ${takedownId}::int from reached`.execute(ctx.db)
}

export async function deleteHidden(ctx: Context, takedownId: number): Promise<void> {
  await ctx.db.deleteFrom('hidden_files').where('takedown_id', '=', takedownId).execute()
  await ctx.db.deleteFrom('hidden_sessions').where('takedown_id', '=', takedownId).execute()
}
