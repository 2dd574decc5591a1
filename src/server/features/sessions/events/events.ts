/**
 * Events of a session for its listeners. Events are numbered rows, so a listener can resume on any node
 * after the last event it saw. A notification only says that there are more.
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
import type { SessionEvent } from './event-queries.ts'
import { findLastSeq, insertEvent } from './event-queries.ts'
import { frameOf } from './event-stream.ts'

/** These events contain data that only the owner may see. */
const ownersOnly: ReadonlySet<string> = new Set<keyof typeof importEvents>(['media', 'skipped'])

/** The time within which the server notices a closed page and frees its stream. */
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

/** Inserts an event in the caller's transaction. Listeners on every node receive it after the commit. */
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
  const claimed = lastSeen !== null && /^\d{1,9}$/.test(lastSeen) ? Number(lastSeen) : null
  // Read the number before the session, so that no event between the two reads is lost.
  const last = (await findLastSeq(ctx, call.params.id)) ?? 0
  // After a restore a listener may have seen a higher number than exists. It starts like a new
  // listener.
  const resumeAfter = claimed !== null && claimed <= last ? claimed : null
  const seen = resumeAfter ?? last
  const { session, share } = await requireReading(ctx, call, call.params.id)
  const signInHash = signInHashOf(ctx, call.visitor)
  if (!signInHash) throw problem.unauthorized()
  const content = await ctx.eventHub.open({
    grant: { sessionId: session.id, signInHash, share },
    userId: call.user.id,
    dataFor: session.userId === call.user.id ? ({ data }) => data : dataForOthers,
    seen,
    // A reconnecting stream resumes after the last event it saw. A new one starts with the current
    // session.
    greeting: resumeAfter === null ? frameOf(seen, 'session', session) : '',
  })
  if (!content) throw tooManyStreams()
  return new EventStream(content)
}

function dataForOthers({ type, data }: SessionEvent): unknown {
  if (ownersOnly.has(type)) return null
  // The error names the feeds that failed, which may be private.
  return type === 'fill' ? Object.assign({}, data, { error: null }) : data
}

function tooManyStreams(): Problem {
  return new Problem(
    problems.tooManyRequests,
    { message: 'Too many event streams are open', retryAfter: retryAfterSeconds },
    { 'Retry-After': String(retryAfterSeconds) },
  )
}
