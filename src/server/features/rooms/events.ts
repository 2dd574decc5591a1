/** The events of a room, and reactions, which all its screens show. */
import type { api } from '../../../contract/api.ts'
import { problems } from '../../../contract/problems.ts'
import type { Context } from '../../context.ts'
import { limitHeaders } from '../../http/limits/rate-limit.ts'
import { refusalOf } from '../../http/limits/request-limit.ts'
import { Problem } from '../../http/problem.ts'
import { EventStream } from '../../http/reply.ts'
import type { Call } from '../../http/route.ts'
import { limitAddress } from '../../platform/client-ip.ts'
import { signInHashOf } from '../accounts/accounts.ts'
import { requireSeeing } from './room-access.ts'
import { notifyReaction } from './screen-queries.ts'

const retryAfterSeconds = 15
const reactionRule = { requests: 1, windowMs: 1000 }

export async function followRoom(ctx: Context, call: Call<typeof api.rooms.events>) {
  const { visitor, params, findUser } = call
  const room = await requireSeeing(ctx, params.code, findUser)
  const lastSeen = visitor.header('last-event-id')
  const content = ctx.roomHub.open({
    room,
    signInHash: signInHashOf(ctx, visitor),
    address: limitAddress(visitor.ip),
    seen: lastSeen !== null && /^\d{1,9}$/.test(lastSeen) ? Number(lastSeen) : null,
  })
  if (!content) throw tooManyStreams()
  return new EventStream(content)
}

export async function react(ctx: Context, call: Call<typeof api.rooms.react>) {
  const { visitor, params, body, findUser } = call
  const room = await requireSeeing(ctx, params.code, findUser)
  const user = await findUser()
  const who = user ? `user:${user.id}` : `ip:${limitAddress(visitor.ip)}`
  const taken = await ctx.limits.take(`room-reaction:${who}`, reactionRule)
  if (!taken.allowed)
    throw new Problem(problems.tooManyRequests, refusalOf(taken), limitHeaders(taken, reactionRule))
  await notifyReaction(ctx, room.id, body.emoji)
  return { message: 'Sent' }
}

function tooManyStreams(): Problem {
  return new Problem(
    problems.tooManyRequests,
    { message: 'Too many screens are open', retryAfter: retryAfterSeconds },
    { 'Retry-After': String(retryAfterSeconds) },
  )
}
