/**
 * What happens to a session, told to whoever listens. Events are rows with a number, so a listener
 * on any node can go on after the last one it saw; a notification only says that there are more.
 */
import type { api } from '../../../../contract/api.ts'
import type { importEvents } from '../../../../contract/imports.ts'
import { problems } from '../../../../contract/problems.ts'
import type { Context } from '../../../context.ts'
import { Problem, problem } from '../../../http/problem.ts'
import { EventStream } from '../../../http/reply.ts'
import type { Call } from '../../../http/route.ts'
import { signInHashOf } from '../../accounts/accounts.ts'
import { requireReading } from '../access.ts'
import { findLastSeq, insertEvent } from './event-queries.ts'
import { frameOf } from './event-stream.ts'

/** They name what not everyone who listens may see. */
const ownersOnly: ReadonlySet<string> = new Set<keyof typeof importEvents>(['media', 'skipped'])
const nothing: ReadonlySet<string> = new Set()

/** A browser that closes a page gives its stream back within this time. */
const retryAfterSeconds = 15

type EventType =
  | 'fill'
  | 'caption'
  | 'done'
  | 'publishing'
  | 'published'
  | 'publish_failed'
  | 'links_checked'
  | keyof typeof importEvents

/** Part of the caller's transaction; listeners on every node hear of it once it has committed. */
export async function emitEvent(
  ctx: Context,
  sessionId: number,
  type: EventType,
  data: Record<string, unknown>,
): Promise<void> {
  await insertEvent(ctx, sessionId, { type, data })
}

export async function followSession(ctx: Context, call: Call<typeof api.sessions.events>) {
  const lastSeen = call.visitor.header('last-event-id')
  const resumeAfter = lastSeen !== null && /^\d{1,9}$/.test(lastSeen) ? Number(lastSeen) : null
  // Before the session is read, so that nothing that happens falls between the two.
  const seen = resumeAfter ?? (await findLastSeq(ctx, call.params.id)) ?? 0
  const { session, share } = await requireReading(ctx, call, call.params.id)
  const signInHash = signInHashOf(ctx, call.visitor)
  if (!signInHash) throw problem.unauthorized()
  const content = await ctx.eventHub.open({
    grant: { sessionId: session.id, signInHash, share },
    userId: call.user.id,
    withheld: session.userId === call.user.id ? nothing : ownersOnly,
    seen,
    // A stream that comes back goes on after what it saw; a new one begins with how things stand.
    greeting: resumeAfter === null ? frameOf(seen, 'session', session) : '',
  })
  if (!content) throw tooManyStreams()
  return new EventStream(content)
}

function tooManyStreams(): Problem {
  return new Problem(
    problems.tooManyRequests,
    { message: 'Too many event streams are open', retryAfter: retryAfterSeconds },
    { 'Retry-After': String(retryAfterSeconds) },
  )
}
