/** The SQL of open event streams: their slots, and the facts that decide whether a stream may continue. */
import { sql } from 'kysely'
import type { Context } from '../../../context.ts'
import {
  sessionIsAdult,
  sessionIsHidden,
  sessionIsQuarantined,
} from '../../visibility/visibility.ts'

type Db = Pick<Context, 'db'>

/** After this time without a renewal a node counts as dead. If it still runs, it ends its streams. */
const silentSeconds = 60

export async function insertNode(ctx: Db, nodeId: string): Promise<void> {
  await ctx.db.insertInto('event_stream_nodes').values({ id: nodeId }).execute()
}

export async function deleteNode(ctx: Db, nodeId: string): Promise<void> {
  await ctx.db.deleteFrom('event_stream_nodes').where('id', '=', nodeId).execute()
}

/** Deletes dead nodes with their streams. Returns the number of nodes. */
export async function deleteSilentNodes(ctx: Db): Promise<number> {
  const { rows } = await sql`
    delete from event_stream_nodes
    where touched_at < now() - make_interval(secs => ${silentSeconds}) returning id`.execute(ctx.db)
  return rows.length
}

/**
 * Renews by the database's clock, which is the same for all nodes. Returns false if the node is not
 * registered.
 */
export async function touchNode(ctx: Db, nodeId: string): Promise<boolean> {
  const { rows } = await sql`
    update event_stream_nodes set touched_at = now() where id = ${nodeId} returning id`.execute(
    ctx.db,
  )
  return rows.length > 0
}

export type SlotAttempt = {
  /** Null if no slot was free, the node is not registered, or another stream took the slot first. */
  readonly slot: number | null
  readonly isFree: boolean
  readonly isNodeKnown: boolean
}

/** Takes a random free slot: if each stream tried the lowest one, they would all collide. */
export async function takeSlot(
  ctx: Db,
  stream: { userId: string; nodeId: string; slots: number },
): Promise<SlotAttempt> {
  const { userId, nodeId, slots } = stream
  const { rows } = await sql<SlotAttempt>`
    with node as (select id from event_stream_nodes where id = ${nodeId}),
    free as (
      select number from generate_series(1, ${slots}::int) as number
      where not exists (select from event_streams where user_id = ${userId} and slot = number)
      order by random() limit 1
    ),
    taken as (
      insert into event_streams (user_id, slot, node_id)
      select ${userId}, free.number, node.id from free cross join node
      on conflict do nothing returning slot
    )
    select (select slot from taken) as slot, exists (select from free) as "isFree",
      exists (select from node) as "isNodeKnown"`.execute(ctx.db)
  return rows[0] ?? { slot: null, isFree: false, isNodeKnown: true }
}

export type Slot = { readonly userId: string; readonly slot: number; readonly nodeId: string }

export async function deleteSlots(ctx: Db, slots: readonly Slot[]): Promise<void> {
  await sql`
    delete from event_streams held
    using unnest(${slots.map(({ userId }) => userId)}::text[],
      ${slots.map(({ slot }) => slot)}::int[], ${slots.map(({ nodeId }) => nodeId)}::uuid[])
      as ended (user_id, slot, node_id)
    where held.user_id = ended.user_id and held.slot = ended.slot
      and held.node_id = ended.node_id`.execute(ctx.db)
}

/** The access by which a stream was opened. */
export type StreamGrant = {
  readonly sessionId: number
  /** The hash of the sign-in or of the API key. */
  readonly signInHash: Uint8Array
  /** The link and the password hash it had then. Null if the stream was not opened by a link. */
  readonly share: { readonly code: string; readonly passwordHash: string | null } | null
}

export type GrantFacts = {
  readonly ordinal: number
  readonly isOwner: boolean
  readonly isAgeVerified: boolean
  /** True when the session as a whole is adult. */
  readonly isAdult: boolean
  readonly isHidden: boolean
  readonly isPublic: boolean
  readonly isOpenedByLink: boolean
  /** Null for an API key without an expiry. */
  readonly signInEndsAt: Date | null
  readonly shareEndsAt: Date | null
}

/**
 * Returns the current facts of each grant; `ordinal` is its index in `grants` plus 1. Leaves out grants
 * whose sign-in or session no longer exists, and quarantined sessions.
 */
export async function findGrantFacts(
  ctx: Pick<Context, 'db' | 'now'>,
  grants: readonly StreamGrant[],
): Promise<GrantFacts[]> {
  const now = ctx.now()
  const { rows } = await sql<GrantFacts>`
    select asked.ordinal::int as ordinal, s.user_id = u.id as "isOwner",
      u.age_verified as "isAgeVerified", ${sql.raw(sessionIsAdult('s'))} as "isAdult",
      ${sql.raw(sessionIsHidden('asked.session_id'))} as "isHidden",
      s.is_public as "isPublic", share.code is not null as "isOpenedByLink",
      coalesce(si.expires_at, key.expires_at) as "signInEndsAt", share.expires_at as "shareEndsAt"
    from unnest((select ${grants.map(({ sessionId }) => sessionId)}::int[]),
        (select ${grants.map(({ signInHash }) => signInHash)}::bytea[]),
        (select ${grants.map(({ share }) => share?.code ?? null)}::uuid[]),
        (select ${grants.map(({ share }) => share?.passwordHash ?? null)}::text[]))
      with ordinality as asked (session_id, secret_hash, code, password_hash, ordinal)
    left join sign_ins si on si.secret_hash = asked.secret_hash and si.expires_at > ${now}
    left join api_keys key on key.secret_hash = asked.secret_hash
      and (key.expires_at is null or key.expires_at > ${now})
    join users u on u.id = coalesce(si.user_id, key.user_id) and u.is_active
    join live_sessions s on s.id = asked.session_id
      and not ${sql.raw(sessionIsQuarantined('asked.session_id'))}
    left join session_shares share on share.code = asked.code and share.session_id = s.id
      and share.password_hash is not distinct from asked.password_hash
      and (share.expires_at is null or share.expires_at > ${now})`.execute(ctx.db)
  return rows
}
