/** SQL queries of frames. */
import { sql } from 'kysely'
import type { z } from 'zod'
import type { api } from '../../../contract/api.ts'
import type { Context } from '../../context.ts'
import { isoTime } from '../../database/statement.ts'

export type FrameView = z.output<typeof api.frames.update.answer.body>
type FrameSettings = FrameView['settings']

const frameColumns = sql.raw(`f.id, f.name, f.settings, f.nsfw,
  array(select t.session_id from frame_sessions t join live_sessions s on s.id = t.session_id
    where t.frame_id = f.id order by t.position) as "sessionIds",
  ${isoTime('f.created_at')} as "createdAt", ${isoTime('f.updated_at')} as "updatedAt"`)

export async function listFrameRows(ctx: Context, userId: string): Promise<FrameView[]> {
  const { rows } = await sql<FrameView>`
    select ${frameColumns} from frames f where f.user_id = ${userId}
    order by f.id desc`.execute(ctx.db)
  return rows
}

export async function findFrame(
  ctx: Context,
  userId: string,
  id: number,
): Promise<FrameView | undefined> {
  const { rows } = await sql<FrameView>`
    select ${frameColumns} from frames f
    where f.id = ${id} and f.user_id = ${userId}`.execute(ctx.db)
  return rows[0]
}

/** Returns null when the account already has the maximum. */
export async function insertFrame(
  ctx: Context,
  frame: {
    readonly userId: string
    readonly name: string
    readonly settings: FrameSettings
    readonly nsfw: boolean
    readonly tokenHash: Uint8Array
  },
  max: number,
): Promise<number | null> {
  const { rows } = await sql<{ id: number }>`
    insert into frames (user_id, name, settings, nsfw, token_hash, created_at, updated_at)
    select ${frame.userId}, ${frame.name}, ${JSON.stringify(frame.settings)}::jsonb, ${frame.nsfw},
      ${frame.tokenHash}::bytea, ${ctx.now()}, ${ctx.now()}
    where (select count(*) from frames where user_id = ${frame.userId}) < ${max}
    returning id`.execute(ctx.db)
  return rows[0]?.id ?? null
}

/** Locks the frame until the transaction ends. Returns false when it is not this user's. */
export async function lockFrame(ctx: Context, userId: string, id: number): Promise<boolean> {
  const { rows } = await sql`
    select from frames where id = ${id} and user_id = ${userId} for no key update`.execute(ctx.db)
  return rows.length > 0
}

/** Locks the sessions against deletion until the transaction ends, and returns their number. */
export async function lockSessions(ctx: Context, ids: readonly number[]): Promise<number> {
  const { rows } = await sql`
    select from live_sessions where id = any(${[...ids]}::int[]) order by id for key share`.execute(
    ctx.db,
  )
  return rows.length
}

/** Locks the frame's sessions that are in the trash, in the same way, and returns them in order. */
export async function lockTrashedSessions(
  ctx: Context,
  frameId: number,
): Promise<{ readonly sessionId: number; readonly position: number }[]> {
  const { rows } = await sql<{ sessionId: number; position: number }>`
    select t.session_id as "sessionId", t.position
    from frame_sessions t join sessions s on s.id = t.session_id
    where t.frame_id = ${frameId} and s.trashed_at is not null
    order by t.position for key share of s`.execute(ctx.db)
  return rows
}

export async function putFrameSessions(
  ctx: Context,
  frameId: number,
  sessionIds: readonly number[],
): Promise<void> {
  await ctx.db.deleteFrom('frame_sessions').where('frame_id', '=', frameId).execute()
  await ctx.db
    .insertInto('frame_sessions')
    .values(
      sessionIds.map((sessionId, position) => ({
        frame_id: frameId,
        session_id: sessionId,
        position,
      })),
    )
    .execute()
}

/** Changes the given fields. A new token invalidates all URLs that the frame has issued. */
export async function updateFrame(
  ctx: Context,
  id: number,
  change: {
    readonly name?: string | undefined
    readonly settings?: object | undefined
    readonly nsfw?: boolean | undefined
    readonly tokenHash?: Uint8Array
  },
): Promise<void> {
  const { name, settings, nsfw, tokenHash } = change
  const sets = [
    sql`updated_at = ${ctx.now()}`,
    ...(name === undefined ? [] : [sql`name = ${name}`]),
    ...(nsfw === undefined ? [] : [sql`nsfw = ${nsfw}`]),
    ...(settings === undefined
      ? []
      : [sql`settings = settings || ${JSON.stringify(settings)}::jsonb`]),
    ...(tokenHash === undefined
      ? []
      : [
          sql`token_hash = ${tokenHash}::bytea`,
          sql`grant_id = nextval(pg_get_serial_sequence('frames', 'grant_id'))`,
        ]),
  ]
  await sql`update frames set ${sql.join(sets)} where id = ${id}`.execute(ctx.db)
}

export async function deleteFrame(ctx: Context, userId: string, id: number): Promise<boolean> {
  const { numDeletedRows } = await ctx.db
    .deleteFrom('frames')
    .where('id', '=', id)
    .where('user_id', '=', userId)
    .executeTakeFirst()
  return numDeletedRows > 0n
}
