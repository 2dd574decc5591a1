/** Opening a room, and the data that a holder of its code gets. */
import { randomInt } from 'node:crypto'
import type { api } from '../../../contract/api.ts'
import type { RoomState } from '../../../contract/rooms.ts'
import { roomCodeLength, roomCodeLetters } from '../../../contract/room-codes.ts'
import type { Context } from '../../context.ts'
import type { Grant } from '../../http/media/media-url.ts'
import { problem, unavailable } from '../../http/problem.ts'
import { JsonText } from '../../http/reply.ts'
import type { Call } from '../../http/route.ts'
import { grantedJson, grantedView, grantOf } from '../files/files.ts'
import { refuseUnshareable } from '../moderation/moderation.ts'
import type { SessionView } from '../sessions/sessions.ts'
import { findSession, requireReading } from '../sessions/sessions.ts'
import { openShare } from '../share-links/share-links.ts'
import type { Room } from './queries.ts'
import { countRooms, insertRoom, readMediaJson } from './queries.ts'
import {
  adultsOnly,
  isLeading,
  refuseUnreadable,
  requireRoom,
  requireSeeing,
} from './room-access.ts'

/** The most open rooms of a host. A room ends by itself half a day after its last use. */
const roomsOfHost = 100
/** A new code may be taken now and then, but not twenty times in a row. */
const codeTries = 20

type Open = Call<typeof api.rooms.open>

export async function openRoom(ctx: Context, call: Open) {
  const { user, body } = call
  const { session, shareGrantId } = await playableOf(ctx, call)
  if (session.nsfw && !user.ageVerified) throw adultsOnly()
  await refuseUnshareable(ctx, session.id)
  const state = beginningOf(ctx, session, body)
  const { id: sessionId } = session
  for (let tries = 0; tries < codeTries; tries += 1) {
    const code = newCode()
    const room = { code, hostId: user.id, sessionId, shareGrantId, state }
    if (await insertRoom(ctx, room, roomsOfHost)) return opened(ctx, await requireRoom(ctx, code))
    if ((await countRooms(ctx, user.id)) >= roomsOfHost)
      throw problem.tooManyRequests({ message: 'Too many rooms are open', retryAfter: 60 })
  }
  throw unavailable('No room could be opened')
}

export async function readRoom(ctx: Context, call: Call<typeof api.rooms.read>) {
  const { params, findUser } = call
  const room = await requireSeeing(ctx, params.code, findUser)
  const isLeader = await isLeading(ctx, room, call)
  const media = grantedJson(ctx, grantOfRoom(room), await readMediaJson(ctx, room.sessionId))
  return new JsonText(
    `{"room":${JSON.stringify(presentRoom(ctx, room, { isLeader }))},"media":${media}}`,
  )
}

export async function readTime(ctx: Context) {
  return { now: ctx.now().getTime() }
}

/** Finds the session by a link, or as the caller's readable session. */
async function playableOf(ctx: Context, call: Open) {
  const { sessionId, shareCode } = call.body
  if (shareCode !== undefined) {
    const share = await openShare(ctx, call.visitor, shareCode)
    const session = await findSession(ctx, share.sessionId)
    if (!session) throw problem.shareNotFound()
    return { session, shareGrantId: share.grantId }
  }
  const { session, share } = await requireReading(ctx, call, sessionId ?? 0)
  refuseUnreadable(call.user, session)
  return { session, shareGrantId: share?.grantId ?? null }
}

function beginningOf(ctx: Context, session: SessionView, { loop }: Open['body']): RoomState {
  const { intervalMin, intervalMax, transition, isManualMode } = session
  return {
    sequence: 1,
    status: isManualMode ? 'paused' : 'waiting',
    slide: 0,
    slideStartedAt: ctx.now().getTime(),
    positionMs: 0,
    seed: ctx.newId(),
    speed: 1,
    settings: { intervalMin, intervalMax, transition, captions: true, loop },
    blackout: false,
  }
}

function newCode(): string {
  return Array.from({ length: roomCodeLength }, randomLetter).join('')
}

function randomLetter(): string {
  return roomCodeLetters[randomInt(roomCodeLetters.length)] ?? ''
}

function opened(ctx: Context, room: Room) {
  const { baseUrl } = ctx.config
  return {
    room: presentRoom(ctx, room, { isLeader: true }),
    hostUrl: `${baseUrl}/rooms/${room.code}/host`,
    joinUrl: `${baseUrl}/rooms/${room.code}`,
    tvUrl: `${baseUrl}/tv/${room.code}`,
  }
}

/**
 * Returns the access grant of a room. The grant of an adult room opens adult slides, because only
 * people with a verified age get in.
 */
function grantOfRoom({ id, session }: Room): Grant {
  return grantOf('room', id, { isForAdults: session.nsfw })
}

function presentRoom(ctx: Context, room: Room, { isLeader }: { isLeader: boolean }) {
  const { code, state, screens, createdAt, endsAt } = room
  const { title, thumbnail, mediaCount, nsfw } = grantedView(ctx, grantOfRoom(room), room.session)
  return {
    code,
    session: { title, thumbnail, mediaCount, nsfw },
    ...(isLeader && { sessions: [...room.sessions] }),
    state,
    screens,
    createdAt,
    endsAt,
  }
}
