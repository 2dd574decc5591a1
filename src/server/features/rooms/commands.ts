/**
 * Commands of a room. A command computes the next state from the state that it read. The update changes
 * exactly that state or nothing. A command that was overtaken starts again.
 */
import type { api } from '../../../contract/api.ts'
import { problems } from '../../../contract/problems.ts'
import type { Context } from '../../context.ts'
import type { SignedInUser } from '../../http/caller.ts'
import { Problem, problem, unavailable } from '../../http/problem.ts'
import type { Call } from '../../http/route.ts'
import { findSlideTimes } from '../sessions/sessions.ts'
import { nextState, swappedState, withNextSequence } from './next-state.ts'
import type { Playable, Room } from './queries.ts'
import { changeRoom, findPlayable, isAgeVerified } from './queries.ts'
import { adultsOnly, findHost, refuseUnreadable, requireRoom } from './room-access.ts'

/** Commands on one node run in turn, so only other nodes can overtake one. */
const tries = 20

type Command = Call<typeof api.rooms.command>

export async function commandRoom(ctx: Context, call: Call<typeof api.rooms.command>) {
  const { params, body } = call
  return ctx.turns.inTurn(`room:${params.code}`, async () => {
    for (let tried = 0; tried < tries; tried += 1) {
      const room = await requireRoom(ctx, params.code)
      const { state } = room
      if (body.ifSequence !== undefined && body.ifSequence !== state.sequence)
        throw problem.staleRoom({ message: 'Someone else was faster', state })
      const next = await workOut(ctx, room, call)
      if (await changeRoom(ctx, room, next)) return { state: next.state }
    }
    throw unavailable('The room is too busy')
  })
}

async function workOut(ctx: Context, room: Room, call: Command) {
  const command = call.body
  const nowMs = ctx.now().getTime()
  const { sessionId } = room
  if (command.command === 'swap') {
    const host = await findHost(room, call)
    if (!host) refuseUnlisted(room, command.sessionId)
    const found = await findPlayable(ctx, [command.sessionId], room.hostId)
    const session = await requirePlayable(ctx, room, found.get(command.sessionId), host)
    return { state: swappedState(room.state, session, nowMs), sessionId: session.id }
  }
  const slides = await findSlideTimes(ctx, sessionId)
  if (command.command === 'sessions') {
    const host = await findHost(room, call)
    if (!host) throw problem.forbidden()
    const sessionIds = [...new Set(command.sessionIds)]
    const found = await findPlayable(ctx, sessionIds, room.hostId)
    for (const id of sessionIds) await requirePlayable(ctx, room, found.get(id), host)
    return { state: withNextSequence(room.state, { slides, nowMs }), sessionId, sessionIds }
  }
  if (command.command === 'seek' && command.slide >= slides.length)
    throw invalid(`slide must be below ${slides.length}`)
  if (command.command === 'settings') refuseDisordered(command.settings)
  return { state: nextState(room.state, command, { slides, nowMs }), sessionId }
}

/**
 * Lets a remote play only listed sessions. It may be anyone's phone, so it must not reveal other
 * sessions.
 */
function refuseUnlisted({ sessions }: Room, sessionId: number): void {
  if (!sessions.some(({ id }) => id === sessionId)) throw problem.forbidden()
}

/** Returns a session that the host may play, for the host or a remote. */
async function requirePlayable(
  ctx: Context,
  { hostId }: Room,
  found: Playable | undefined,
  /** Null if a remote sends the command. */
  host: SignedInUser | null,
) {
  if (!found) throw problem.sessionNotFound()
  if (!found.mayPlay) throw problem.sessionForbidden()
  if (host) refuseUnreadable(host, found.session)
  const isOfAge = async () => host?.ageVerified ?? isAgeVerified(ctx, hostId)
  if (found.session.nsfw && !(await isOfAge())) throw adultsOnly()
  return found.session
}

function refuseDisordered(given: {
  readonly intervalMin?: number | undefined
  readonly intervalMax?: number | undefined
}): void {
  const { intervalMin, intervalMax } = given
  if (intervalMin !== undefined && intervalMax !== undefined && intervalMin > intervalMax)
    throw invalid('intervalMin must be at most intervalMax')
}

function invalid(what: string): Problem {
  return new Problem(problems.validationFailed, { message: `Validation failed: ${what}` })
}
