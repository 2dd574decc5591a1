/**
 * All open event streams of this node. A notification names a session with new events, or the streams
 * whose access to check again. Then one statement reads events for all of them and one checks access.
 * Without notifications, the same two statements run for every stream each fifteen seconds.
 */
import type { Readable } from 'node:stream'
import type { Context } from '../../../context.ts'
import { createStreamRounds } from '../../../http/stream-rounds.ts'
import { isOfAgeFor } from '../../visibility/visibility.ts'
import { mayEnter } from '../access.ts'
import { findEventsAfter, pageOfAll, pageOfSession } from './event-queries.ts'
import { createStreamSlots } from './event-slots.ts'
import type { GrantFacts, Slot } from './event-stream-queries.ts'
import { findGrantFacts } from './event-stream-queries.ts'
import { createStreamSets } from './event-stream-sets.ts'
import type { EventListener, OpenStream } from './event-stream.ts'
import { openEventStream } from './event-stream.ts'

declare module '../../../context.ts' {
  interface Context {
    /** The open event streams of this node. */
    readonly eventHub: EventHub
  }
}

export type EventHub = {
  /** Opens a stream. Returns null if the account already has the maximum. */
  open(listener: EventListener): Promise<Readable | null>
  /** The number of open streams on this node. */
  readonly size: number
  close(): Promise<void>
}

type HubContext = Pick<Context, 'db' | 'now' | 'newId' | 'log' | 'stopping' | 'notifications'>

/**
 * The interval at which the hub sends keep-alive comments, ends slow streams, renews leases, reads
 * events and checks access.
 */
const beatMs = 15_000

export function createEventHub(ctx: HubContext, options: { beatMs?: number } = {}): EventHub {
  const intervalMs = options.beatMs ?? beatMs
  const streams = createStreamSets()
  const slots = createStreamSlots(ctx, {
    onLost: (nodeId) => endWhere(({ slot }) => slot.nodeId === nodeId),
  })
  const unread = new Set<number>()
  const unjudged = new Set<OpenStream>()
  const unreleased: Slot[] = []
  let ending: { readonly timer: NodeJS.Timeout; readonly atMs: number } | undefined
  const rounds = createStreamRounds(ctx, {
    beatMs: intervalMs,
    onBeat: () => void keepUp(),
    hasWork: () => unread.size + unjudged.size + unreleased.length > 0,
    run: work,
    endAll: () => endWhere(() => true),
    subscriber: {
      topics: {
        session_event: (key) => {
          if (streams.ofSession(Number(key)).size > 0) lookAt([Number(key)], [])
        },
        session_access: (key) => lookAt([], streams.ofSession(Number(key))),
        user_access: (key) => lookAt([], streams.ofUser(key)),
      },
      onGap: lookAtAll,
    },
    leave: () => slots.close(),
    events: { waiting: 'event_streams_waiting', left: 'event_slots_left' },
  })

  function endWhere(isMeant: (stream: OpenStream) => boolean): void {
    for (const stream of streams.all()) if (isMeant(stream)) stream.end()
  }

  function lookAtAll(): void {
    lookAt(streams.sessionIds(), streams.all())
  }

  function lookAt(sessionIds: Iterable<number>, judged: Iterable<OpenStream>): void {
    for (const id of sessionIds) unread.add(id)
    for (const stream of judged) unjudged.add(stream)
    rounds.wake()
  }

  async function work(): Promise<void> {
    const asked = takeUnread()
    const judged = new Set(unjudged)
    unjudged.clear()
    try {
      const events = asked.length > 0 ? await findEventsAfter(ctx, asked) : []
      const news = Map.groupBy(events, ({ sessionId }) => sessionId)
      for (const { sessionId, readers } of asked)
        if (news.has(sessionId)) for (const reader of readers) judged.add(reader)
      // Check access after reading: a reader who lost access before an event must not receive it.
      await endRefused(judged)
      for (const { sessionId, readers } of asked) {
        const own = news.get(sessionId) ?? []
        for (const reader of readers) reader.deliver(own)
        if (own.length === pageOfSession || events.length === pageOfAll) unread.add(sessionId)
      }
      await releaseEnded()
    } catch (error) {
      for (const { sessionId } of asked) unread.add(sessionId)
      for (const stream of judged) unjudged.add(stream)
      throw error
    }
  }

  /** Leaves out streams whose buffer is full. They ask again when it has drained. */
  function takeUnread() {
    const asked = [...unread].flatMap((sessionId) => {
      const readers = [...streams.ofSession(sessionId)].filter(({ hasRoom }) => hasRoom)
      if (readers.length === 0) return []
      return { sessionId, readers, after: Math.min(...readers.map(({ seen }) => seen)) }
    })
    unread.clear()
    return asked
  }

  async function endRefused(judged: ReadonlySet<OpenStream>): Promise<void> {
    const open = [...judged].filter((stream) => streams.has(stream))
    if (open.length === 0) return
    const grants = open.map(({ listener }) => listener.grant)
    const facts = new Map<number, GrantFacts>()
    for (const known of await findGrantFacts(ctx, grants)) facts.set(known.ordinal, known)
    for (const [index, stream] of open.entries()) {
      const known = facts.get(index + 1)
      if (!known || !mayEnter(known) || !isOfAgeFor(known)) stream.end()
      else judgeAgainAt(known)
    }
  }

  /** Checks again when a link or sign-in expires: no notification is sent for that. */
  function judgeAgainAt({ isOpenedByLink, signInEndsAt, shareEndsAt }: GrantFacts): void {
    const ends = [signInEndsAt, isOpenedByLink ? shareEndsAt : null]
    const inMs = Math.min(...ends.map((end) => (end?.getTime() ?? Infinity) - ctx.now().getTime()))
    const atMs = performance.now() + inMs
    if (inMs > intervalMs || (ending && ending.atMs <= atMs)) return
    clearTimeout(ending?.timer)
    const timer = setTimeout(() => {
      ending = undefined
      lookAt([], streams.all())
    }, inMs + 1)
    ending = { timer, atMs }
  }

  async function releaseEnded(): Promise<void> {
    const ended = [...unreleased]
    // When the node stops, it releases all its slots at once.
    if (ended.length > 0 && !ctx.stopping.aborted) await slots.release(ended)
    unreleased.splice(0, ended.length)
  }

  async function keepUp(): Promise<void> {
    for (const stream of streams.all()) stream.keepAlive()
    lookAtAll()
    await slots.renew().catch((error: unknown) => {
      ctx.log.warn(
        { event: 'event_slots_not_renewed', err: error },
        'failed to renew event stream slots',
      )
    })
  }

  function add(stream: OpenStream): void {
    streams.add(stream)
    rounds.hold(stream, () => {
      streams.remove(stream)
      unjudged.delete(stream)
      unreleased.push(stream.slot)
    })
    // Check a new stream immediately: it missed all notifications since the request was admitted.
    lookAt([stream.listener.grant.sessionId], [stream])
  }

  return {
    get size() {
      return streams.size
    },
    async open(listener) {
      const slot = await slots.acquire(listener.userId)
      if (!slot) return null
      const { sessionId } = listener.grant
      const stream = openEventStream(listener, slot, { onDrained: () => lookAt([sessionId], []) })
      add(stream)
      return stream.content
    },
    async close() {
      await rounds.close()
      clearTimeout(ending?.timer)
    },
  }
}
