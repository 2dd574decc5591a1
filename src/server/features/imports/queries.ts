/** SQL queries of imports whose media are being copied. */
import { sql } from 'kysely'
import { hlsEnding } from '../../../contract/hls.ts'
import type { Context } from '../../context.ts'
import type { Lease, LeaseKind } from '../../leases/lease.ts'
import { leaseHasEnded, heldCondition } from '../../leases/lease.ts'

export type Copying = {
  readonly sessionId: number
  readonly userId: string
  readonly total: number
  /** The number of the job's run, a fence: an overtaken run finishes nothing. */
  readonly number: number
}

/** The lease of the job's newest run. It is longer than a run and than the queue's wait between tries. */
const copyingLease: LeaseKind = {
  table: 'session_imports',
  holder: 'copying',
  time: { renewedAt: 'touched_at' },
  durationMs: 15 * 60 * 1000,
  unfinished: sql`true`,
}

export function leaseOf({ sessionId, number }: Copying): Lease {
  return { kind: copyingLease, key: { session_id: sessionId }, holder: number }
}

/** Records every slide with a remote file for copying, except HLS playlists, and returns their number. */
export async function insertMediaToCopy(ctx: Context, sessionId: number): Promise<number> {
  const { rows } = await sql<{ total: number }>`
    with slides as (
      select id from session_media
      where session_id = ${sessionId} and own_file_key is null and vault_media_id is null
        and not (type = 'video' and media_url ~* ${hlsEnding}::text)
    ), import as (
      insert into session_imports (session_id, total, touched_at)
      select ${sessionId}, count(*), ${ctx.now()} from slides having count(*) > 0
      returning total
    ), copies as (
      insert into media_to_copy (media_id, session_id) select id, ${sessionId} from slides
    )
    select total from import`.execute(ctx.db)
  return rows[0]?.total ?? 0
}

/** Starts a new run. Returns undefined when the import has ended or its session no longer exists. */
export async function beginCopying(ctx: Context, sessionId: number): Promise<Copying | undefined> {
  const { rows } = await sql<Copying>`
    update session_imports i set copying = i.copying + 1, touched_at = ${ctx.now()}
    from live_sessions s where i.session_id = ${sessionId} and s.id = i.session_id
    returning i.session_id as "sessionId", s.user_id as "userId", i.total, i.copying as number`.execute(
    ctx.db,
  )
  return rows[0]
}

export async function findMediaToCopy(
  ctx: Context,
  { sessionId }: Copying,
  max: number,
): Promise<number[]> {
  const rows = await ctx.db
    .selectFrom('media_to_copy')
    .select('media_id')
    .where('session_id', '=', sessionId)
    .orderBy('media_id')
    .limit(max)
    .execute()
  return rows.map(({ media_id }) => media_id)
}

export type SlideToCopy = {
  readonly mediaId: number
  readonly mediaUrl: string
  readonly thumbnail: string | null
  readonly tries: number
}

/** Starts a try. Returns undefined when the slide no longer exists or the run was overtaken. */
export async function beginSlide(
  ctx: Context,
  copying: Copying,
  mediaId: number,
): Promise<SlideToCopy | undefined> {
  const { rows } = await sql<SlideToCopy>`
    with run as (
      update session_imports set touched_at = ${ctx.now()}
      where ${heldCondition(leaseOf(copying))} returning session_id
    )
    update media_to_copy c set tries = c.tries + 1
    from run, session_media m
    where c.media_id = ${mediaId} and c.session_id = run.session_id and m.id = c.media_id
    returning m.id as "mediaId", m.media_url as "mediaUrl", m.thumbnail, c.tries`.execute(ctx.db)
  return rows[0]
}

/** Does not count a try that failed for a reason unrelated to the slide. */
export async function uncountTry(ctx: Context, mediaId: number): Promise<void> {
  await sql`update media_to_copy set tries = tries - 1 where media_id = ${mediaId}`.execute(ctx.db)
}

/** Ends a slide and returns the number left. Returns null when another run or an edit has ended it. */
export async function endSlide(
  ctx: Context,
  copying: Copying,
  mediaId: number,
): Promise<number | null> {
  const { rows } = await sql`
    delete from media_to_copy
    where media_id = ${mediaId} and exists (
      select from session_imports where ${heldCondition(leaseOf(copying))})
    returning media_id`.execute(ctx.db)
  return rows.length === 0 ? null : countMediaToCopy(ctx, copying.sessionId)
}

export async function countMediaToCopy(ctx: Context, sessionId: number): Promise<number> {
  const { count } = await ctx.db
    .selectFrom('media_to_copy')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('session_id', '=', sessionId)
    .executeTakeFirstOrThrow()
  return count
}

/** Returns false when a later run has overtaken this one or has ended the import. */
export async function isNewestRun(ctx: Context, copying: Copying): Promise<boolean> {
  const newest = await ctx.db
    .selectFrom('session_imports')
    .select('session_id')
    .where(heldCondition(leaseOf(copying)))
    .executeTakeFirst()
  return newest !== undefined
}

/**
 * Returns imports that no run continues, and marks them as touched now, so that no other call takes them.
 */
export async function takeAbandonedImports(
  ctx: Context,
): Promise<{ sessionId: number; userId: string }[]> {
  const { rows } = await sql<{ sessionId: number; userId: string }>`
    update session_imports i set touched_at = ${ctx.now()}
    from live_sessions s
    where s.id = i.session_id and i.session_id in (
      select session_id from session_imports where ${leaseHasEnded(ctx, copyingLease)}
        and session_id in (select id from live_sessions)
      order by touched_at limit 500 for update skip locked)
    returning i.session_id as "sessionId", s.user_id as "userId"`.execute(ctx.db)
  return rows
}
