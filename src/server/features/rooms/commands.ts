/**
 * Leading a room. A command is worked out from the state that was read and written by one statement,
 * which changes that very state or nothing; who was overtaken begins again.
 */
import type { api } from '../../../contract/api.ts'
import { problems } from '../../../contract/problems.ts'
import type { Context } from '../../context.ts'
import { Problem, problem, unavailable } from '../../http/problem.ts'
import type { Call } from '../../http/route.ts'
import { findSlideTimes } from '../sessions/sessions.ts'
import { nextState, swappedState } from './next-state.ts'
import type { Room } from './queries.ts'
import { changeRoom, findPlayable, isAgeVerified } from './queries.ts'
import { adultsOnly, requireRoom } from './room-access.ts'

/** Those of one node come one after the other, so that only other nodes can be faster. */
const tries = 20

type Command = Call<typeof api.rooms.command>['body']

export async function commandRoom(ctx: Context, { params, body }: Call<typeof api.rooms.command>) {
  return ctx.turns.inTurn(`room:${params.code}`, async () => {
    for (let tried = 0; tried < tries; tried += 1) {
      const room = await requireRoom(ctx, params.code)
      const { state } = room
      if (body.ifSequence !== undefined && body.ifSequence !== state.sequence)
        throw problem.staleRoom({ message: 'Somebody else was faster', state })
      const next = await workOut(ctx, room, body)
      if (await changeRoom(ctx, room, next)) return { state: next.state }
    }
    throw unavailable('The room is too busy')
  })
}

async function workOut(ctx: Context, room: Room, command: Command) {
  const nowMs = ctx.now().getTime()
  const { sessionId } = room
  if (command.command === 'swap') {
    const session = await requirePlayable(ctx, room.hostId, command.sessionId)
    return { state: swappedState(room.state, session, nowMs), sessionId: session.id }
  }
  const slides = await findSlideTimes(ctx, sessionId)
  if (command.command === 'seek' && command.slide >= slides.length)
    throw invalid(`slide must be below ${slides.length}`)
  if (command.command === 'settings') refuseDisordered(command.settings)
  return { state: nextState(room.state, command, { slides, nowMs }), sessionId }
}

/** What the host may play, whoever asks for it. */
async function requirePlayable(ctx: Context, hostId: string, sessionId: number) {
  const found = await findPlayable(ctx, sessionId, hostId)
  if (!found) throw problem.sessionNotFound()
  if (!found.mayPlay) throw problem.sessionForbidden()
  if (found.session.nsfw && !(await isAgeVerified(ctx, hostId))) throw adultsOnly()
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
