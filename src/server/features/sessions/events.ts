/**
 * What happens to a session, told to whoever listens. Events are rows with a number, so a listener
 * on any node can go on after the last one it saw; a message between nodes only says "look now".
 */
import type { api } from '../../../contract/api.ts'
import type { importEvents } from '../../../contract/imports.ts'
import type { Context } from '../../context.ts'
import { EventStream } from '../../http/reply.ts'
import type { Call } from '../../http/route.ts'
import { Problem } from '../../problem.ts'
import { requireReadable } from './access.ts'
import { findEventsAfter, findLastSeq, insertEvent } from './event-queries.ts'
import type { SessionView } from './queries.ts'
import { findSession } from './queries.ts'

/** How often a listener looks without being told: what a lost message costs at most. */
const lookAgainMs = 1000
const keepAliveMs = 15_000

/** They name what not everyone who listens may see. */
const ownersOnly: ReadonlySet<string> = new Set<keyof typeof importEvents>(['media', 'skipped'])

type EventType =
  | 'fill'
  | 'caption'
  | 'done'
  | 'publishing'
  | 'published'
  | 'publish_failed'
  | 'links_checked'
  | keyof typeof importEvents

/** Part of the caller's transaction; listeners look once it has committed, or a second later. */
export async function tell(
  ctx: Context,
  sessionId: number,
  type: EventType,
  data: Record<string, unknown>,
): Promise<void> {
  await insertEvent(ctx, sessionId, { type, data })
}

/** To be called after the transaction that told something. */
export async function wakeListeners(ctx: Context, sessionId: number): Promise<void> {
  await ctx.messages.publish(channelOf(sessionId), '')
}

export async function followSession(ctx: Context, call: Call<typeof api.sessions.events>) {
  const session = await requireReadable(ctx, call, call.params.id)
  const lastSeen = call.visitor.header('last-event-id')
  const resumeAfter = lastSeen !== null && /^\d{1,9}$/.test(lastSeen) ? Number(lastSeen) : null
  const look = () =>
    requireReadable(ctx, call, session.id).catch((error: unknown) => {
      if (!(error instanceof Problem)) throw error
      return null
    })
  const isOwner = session.userId === call.user.id
  return new EventStream((closed) =>
    eventsOf(ctx, session.id, { resumeAfter, look, isOwner }, closed),
  )
}

async function* eventsOf(
  ctx: Context,
  sessionId: number,
  listener: {
    resumeAfter: number | null
    /** The session as it is given to the listener; null once it is closed to them. */
    look: () => Promise<SessionView | null>
    isOwner: boolean
  },
  closed: AbortSignal,
): AsyncGenerator<string> {
  const stop = AbortSignal.any([closed, ctx.stopping])
  let wake = nothing
  const unsubscribe = await ctx.messages.subscribe(channelOf(sessionId), () => wake())
  try {
    let seen = listener.resumeAfter
    if (seen === null) {
      seen = (await findLastSeq(ctx, sessionId)) ?? 0
      const session = await listener.look()
      if (!session) return
      yield frame(seen, 'session', session)
    }
    let quietSinceMs = performance.now()
    while (!stop.aborted) {
      const woken = new Promise<void>((resolve) => (wake = resolve))
      const events = await findEventsAfter(ctx, sessionId, seen)
      // It may have been closed since they came.
      if (events.length > 0 && !(await listener.look())) return
      for (const { seq, type, data } of events) {
        if (listener.isOwner || !ownersOnly.has(type)) yield frame(seq, type, data)
        seen = seq
      }
      if (events.length > 0) quietSinceMs = performance.now()
      else if (performance.now() - quietSinceMs > keepAliveMs) {
        // Deleted, alone or with its owner's account: nothing more will happen to it.
        if (!(await findSession(ctx, sessionId))) return
        yield ': still here\n\n'
        quietSinceMs = performance.now()
      } else await Promise.race([woken, pause(lookAgainMs, stop)])
    }
  } finally {
    await unsubscribe()
  }
}

function nothing(): void {}

function frame(seq: number, type: string, data: unknown): string {
  return `id: ${seq}\nevent: ${type}\ndata: ${JSON.stringify(data)}\n\n`
}

function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, ms)
    signal.addEventListener(
      'abort',
      () => {
        clearTimeout(timer)
        resolve()
      },
      { once: true },
    )
  })
}

function channelOf(sessionId: number): string {
  return `session:${sessionId}`
}
