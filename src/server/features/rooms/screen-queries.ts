/** The SQL of the screens in a room, counted by node under a lease, and of what they may see. */
import type { Context } from '../../context.ts'
import { runStatement } from '../../database/statement.ts'

type Db = Pick<Context, 'db' | 'query' | 'now'>

/** Three beats of a node, by the database's clock, which is the same for all nodes. */
const countedSeconds = 15

/** SQL: the number of screens on all nodes of the room in this column. */
export const countedScreens = (column: `${string}.${string}`) => `(
  select coalesce(sum(held.screens), 0)::int from room_screens held
  where held.room_id = ${column}
    and held.touched_at > now() - interval '${countedSeconds} seconds')`

export type Counted = { readonly roomId: number; readonly screens: number }

const storeStatement = `
  with counted as (
    select * from unnest((select $2::int[]), (select $3::int[])) as counted (room_id, screens)
  ), before as (
    select room_id, screens from room_screens
    where node_id = $1 and room_id in (select room_id from counted)
  ), gone as (
    delete from room_screens held using counted
    where held.node_id = $1 and held.room_id = counted.room_id and counted.screens = 0
  ), stored as (
    insert into room_screens (room_id, node_id, screens)
    select room.id, $1::uuid, counted.screens
    from counted join rooms room on room.id = counted.room_id and room.status <> 'ended'
    where counted.screens > 0
    on conflict (room_id, node_id)
      do update set screens = excluded.screens, touched_at = now()
  )
  select pg_notify('lanternist', 'room:' || counted.room_id)
  from counted left join before on before.room_id = counted.room_id
  where counted.screens <> coalesce(before.screens, 0)`

/** Stores the node's screen counts and renews its lease. Notifies all nodes if a count has changed. */
export async function storeScreens(
  ctx: Db,
  nodeId: string,
  counted: readonly Counted[],
): Promise<void> {
  const roomIds = counted.map(({ roomId }) => roomId)
  const screens = counted.map(({ screens }) => screens)
  await runStatement(ctx, storeStatement, [nodeId, roomIds, screens])
}

const forgetStatement = `
  with gone as (delete from room_screens where node_id = $1 returning room_id)
  select pg_notify('lanternist', 'room:' || room_id) from gone`

export async function forgetScreens(ctx: Db, nodeId: string): Promise<void> {
  await runStatement(ctx, forgetStatement, [nodeId])
}

/** Deletes the counts of nodes that died more than a minute ago. */
export async function deleteUncountedScreens(ctx: Context): Promise<void> {
  await runStatement(
    ctx,
    `delete from room_screens where touched_at < now() - interval '${countedSeconds * 4} seconds'`,
  )
}

const adultsStatement = `
  select encode(asked.secret_hash, 'hex') as hash
  from unnest((select $1::bytea[])) as asked (secret_hash)
  left join sign_ins sign_in
    on sign_in.secret_hash = asked.secret_hash and sign_in.expires_at > $2
  left join api_keys key on key.secret_hash = asked.secret_hash and 'rooms' = any(key.scopes)
    and (key.expires_at is null or key.expires_at > $2)
  join users who on who.id = coalesce(sign_in.user_id, key.user_id)
    and who.is_active and who.age_verified`

/** Returns the hashes, in hexadecimal, of sign-ins and keys whose users may see adult pictures now. */
export async function findAdultSignIns(
  ctx: Db,
  signInHashes: readonly Uint8Array[],
): Promise<ReadonlySet<string>> {
  if (signInHashes.length === 0) return new Set()
  const parameters = [signInHashes, ctx.now()]
  const rows = await runStatement<{ hash: string }>(ctx, adultsStatement, parameters)
  return new Set(rows.map(({ hash }) => hash))
}

/** Sends a reaction. It is not stored: screens that are not connected miss it. */
export async function notifyReaction(ctx: Context, roomId: number, emoji: string): Promise<void> {
  await runStatement(ctx, "select pg_notify('lanternist', $1)", [
    `room_reaction:${roomId}:${emoji}`,
  ])
}
