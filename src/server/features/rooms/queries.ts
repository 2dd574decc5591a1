/** The SQL of rooms. The view `open_rooms` decides which rooms can be entered. */
import type { RoomState } from '../../../contract/rooms.ts'
import type { Context } from '../../context.ts'
import { isoTime, runStatement } from '../../database/statement.ts'
import type { SessionView } from '../sessions/sessions.ts'
import { sessionJson, slideJson } from '../sessions/sessions.ts'
import { sessionIsHidden } from '../visibility/visibility.ts'
import { countedScreens } from './screen-queries.ts'

type Db = Pick<Context, 'db' | 'query' | 'now'>

export type Room = {
  readonly id: number
  readonly code: string
  readonly hostId: string
  readonly sessionId: number
  readonly session: SessionView
  /** The sessions on the room's list that the host may still play. */
  readonly sessions: readonly { readonly id: number; readonly title: string }[]
  readonly state: RoomState
  readonly screens: number
  readonly createdAt: string
  readonly endsAt: string
}

/** SQL: the whole state of a row of `rooms` or `open_rooms`. */
export const stateJson = (table: string) =>
  `${table}.playback || jsonb_build_object('sequence', ${table}.sequence, 'status', ${table}.status)`

/** SQL: true when the account in this column may play the session `s` without a link. */
const mayPlay = (hostId: string) =>
  `((s.user_id = ${hostId} or s.is_public) and not ${sessionIsHidden('s.id')})`

/** The sessions on the list of a row `open_rooms r`. */
const listedSessions = `
  coalesce((
    select json_agg(json_build_object('id', s.id, 'title', s.title) order by listed.ordinal)
    from rooms room
    cross join unnest(room.listed_session_ids) with ordinality as listed (session_id, ordinal)
    join live_sessions s on s.id = listed.session_id
    where room.id = r.id and ${mayPlay('r.host_id')}
  ), '[]')`

const roomFields = `
  r.id, r.code, r.host_id as "hostId", r.session_id as "sessionId", ${sessionJson} as session,
  ${listedSessions} as sessions,
  ${stateJson('r')} as state, ${countedScreens('r.id')} as screens,
  ${isoTime('r.created_at')} as "createdAt", ${isoTime('r.ends_at')} as "endsAt"
  from open_rooms r join live_sessions s on s.id = r.session_id
  where r.code = $1 and r.ends_at > $2`

const findStatement = `select ${roomFields}`

/** Returns the open room with this code. Codes are in capitals. */
export async function findRoom(ctx: Context, code: string): Promise<Room | undefined> {
  const [room] = await runStatement<Room>(ctx, findStatement, [code, ctx.now()])
  return room
}

const mediaStatement = `
  select coalesce(json_agg(${slideJson} order by m.position), '[]')::text as json
  from session_media m where m.session_id = $1 and not m.in_trash`

/** Returns the slides as JSON text, with the owner's addresses. */
export async function readMediaJson(ctx: Context, sessionId: number): Promise<string> {
  const [row] = await runStatement<{ json: string }>(ctx, mediaStatement, [sessionId])
  return row?.json ?? '[]'
}

export type NewRoom = {
  readonly code: string
  readonly hostId: string
  readonly sessionId: number
  readonly shareGrantId: number | null
  readonly state: RoomState
}

const insertStatement = `
  insert into rooms (code, host_id, session_id, share_grant_id, status, sequence, playback,
    created_at, commanded_at)
  select $1::text, $2::text, $3::int, $4::int, $5::text, $6::int, $7::jsonb, $8::timestamptz, $8
  where (select count(*) from rooms where host_id = $2 and status <> 'ended') < $9::int
  on conflict (code) where status <> 'ended' do nothing
  returning id`

/** Returns false if the code is taken, or the host has the maximum number of rooms. */
export async function insertRoom(
  ctx: Context,
  room: NewRoom,
  maxPerHost: number,
): Promise<boolean> {
  const { status, sequence, playback } = columnsOf(room.state)
  const made = await runStatement(ctx, insertStatement, [
    room.code,
    room.hostId,
    room.sessionId,
    room.shareGrantId,
    status,
    sequence,
    playback,
    ctx.now(),
    maxPerHost,
  ])
  return made.length > 0
}

export async function countRooms(ctx: Context, hostId: string): Promise<number> {
  const [row] = await runStatement<{ count: number }>(
    ctx,
    "select count(*)::int as count from rooms where host_id = $1 and status <> 'ended'",
    [hostId],
  )
  return row?.count ?? 0
}

const changeStatement = `
  update rooms set status = $3, sequence = $4, playback = $5::jsonb, commanded_at = $6,
    share_grant_id = case when session_id = $7 then share_grant_id end, session_id = $7,
    listed_session_ids = coalesce($8::int[], listed_session_ids)
  where id = $1 and sequence = $2 and status <> 'ended'
  returning pg_notify('lanternist', 'room:' || id)`

/** Returns false if another command was faster, or the room has ended. Notifies every node of the change. */
export async function changeRoom(
  ctx: Context,
  room: Pick<Room, 'id' | 'state'>,
  next: {
    readonly state: RoomState
    readonly sessionId: number
    /** The room's new list. If left out, the list stays. */
    readonly sessionIds?: readonly number[]
  },
): Promise<boolean> {
  const { status, sequence, playback } = columnsOf(next.state)
  const changed = await runStatement(ctx, changeStatement, [
    room.id,
    room.state.sequence,
    status,
    sequence,
    playback,
    ctx.now(),
    next.sessionId,
    next.sessionIds ?? null,
  ])
  return changed.length > 0
}

export type RoomNews = Pick<Room, 'id' | 'hostId' | 'sessionId' | 'state' | 'screens'> & {
  readonly isOpen: boolean
  readonly nsfw: boolean
}

const newsStatement = `
  select room.id, room.host_id as "hostId", room.session_id as "sessionId",
    ${stateJson('room')} as state, ${countedScreens('room.id')} as screens,
    open_room.id is not null as "isOpen", coalesce((
      select (${sessionJson} ->> 'nsfw')::boolean from live_sessions s where s.id = room.session_id
    ), true) as nsfw
  from rooms room
  left join open_rooms open_room on open_room.id = room.id and open_room.ends_at > $2
  where room.id = any ($1::int[])`

/** Returns the current data of rooms, ended or not. */
export function findNews(ctx: Db, ids: readonly number[]): Promise<RoomNews[]> {
  return runStatement<RoomNews>(ctx, newsStatement, [ids, ctx.now()])
}

const endStatement = `
  update rooms room set status = 'ended', sequence = room.sequence + 1
  where room.status <> 'ended'
    and ($1::int[] is null or room.id = any ($1) or room.session_id = any ($2::int[])
      or room.host_id = any ($3::text[]))
    and not exists (
      select from open_rooms open_room where open_room.id = room.id and open_room.ends_at > $4
    )
  returning pg_notify('lanternist', 'room:' || room.id)`

/** Ends rooms that can no longer be entered, so that they stay ended even if the reason disappears. */
export async function endClosedRooms(
  ctx: Db,
  among: {
    readonly ids: readonly number[]
    readonly sessionIds: readonly number[]
    readonly hostIds: readonly string[]
  } | null,
): Promise<void> {
  const { ids, sessionIds, hostIds } = among ?? { ids: null, sessionIds: [], hostIds: [] }
  await runStatement(ctx, endStatement, [ids, sessionIds, hostIds, ctx.now()])
}

export async function deleteEndedBefore(ctx: Context, time: Date): Promise<void> {
  await runStatement(ctx, "delete from rooms where status = 'ended' and commanded_at < $1", [time])
}

export type Playable = { readonly session: SessionView; readonly mayPlay: boolean }

const playableStatement = `
  select ${sessionJson} as session,
    ${mayPlay('$2')} as "mayPlay"
  from live_sessions s where s.id = any ($1::int[])`

/** Returns the sessions by id, and whether this account may play each without a link. */
export async function findPlayable(
  ctx: Context,
  sessionIds: readonly number[],
  hostId: string,
): Promise<ReadonlyMap<number, Playable>> {
  const found = await runStatement<Playable>(ctx, playableStatement, [sessionIds, hostId])
  return new Map(found.map((playable) => [playable.session.id, playable]))
}

export async function isAgeVerified(ctx: Context, userId: string): Promise<boolean> {
  const rows = await runStatement(ctx, 'select from users where id = $1 and age_verified', [userId])
  return rows.length > 0
}

function columnsOf({ sequence, status, ...playback }: RoomState) {
  return { sequence, status, playback: JSON.stringify(playback) }
}
