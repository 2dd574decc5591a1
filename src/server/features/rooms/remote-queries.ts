/** The SQL of remotes, which are identified by the hash of their token. */
import type { Context } from '../../context.ts'
import { isoTime, runStatement } from '../../database/statement.ts'

const insertStatement = `
  with made as (
    insert into room_remotes (room_id, token_hash, created_at) values ($1, $2, $3) returning id
  ), ended as (
    delete from room_remotes where id in (
      select id from room_remotes where room_id = $1 order by id desc offset $4::int - 1
    )
  )
  select id from made`

/** Inserts a remote. Deletes the oldest remotes above the limit of the room. */
export async function insertRemote(
  ctx: Context,
  remote: { roomId: number; tokenHash: Uint8Array },
  maxPerRoom: number,
): Promise<number> {
  const parameters = [remote.roomId, remote.tokenHash, ctx.now(), maxPerRoom]
  const [made] = await runStatement<{ id: number }>(ctx, insertStatement, parameters)
  if (!made) throw new Error('the remote was not inserted')
  return made.id
}

/** True when the token belongs to a remote of this room. Updates its time of last use. */
export async function useRemote(
  ctx: Context,
  roomId: number,
  tokenHash: Uint8Array,
): Promise<boolean> {
  const used = await runStatement(
    ctx,
    'update room_remotes set last_used_at = $3 where room_id = $1 and token_hash = $2 returning id',
    [roomId, tokenHash, ctx.now()],
  )
  return used.length > 0
}

type Remote = {
  readonly id: number
  readonly createdAt: string
  readonly lastUsedAt: string | null
}

const listStatement = `
  select id, ${isoTime('created_at')} as "createdAt", ${isoTime('last_used_at')} as "lastUsedAt"
  from room_remotes where room_id = $1 order by id`

export function findRemotes(ctx: Context, roomId: number): Promise<Remote[]> {
  return runStatement<Remote>(ctx, listStatement, [roomId])
}

export async function deleteRemote(ctx: Context, roomId: number, id: number): Promise<boolean> {
  const gone = await runStatement(
    ctx,
    'delete from room_remotes where room_id = $1 and id = $2 returning id',
    [roomId, id],
  )
  return gone.length > 0
}
