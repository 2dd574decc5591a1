/**
 * One open event stream of a session. What does not fit into what may wait for its client stays in
 * the database until the client has read on.
 */
import type { Readable } from 'node:stream'
import { createEventContent } from '../../../http/event-content.ts'
import type { SessionEvent } from './event-queries.ts'
import type { Slot, StreamGrant } from './event-stream-queries.ts'

export type EventListener = {
  readonly grant: StreamGrant
  readonly userId: string
  /** The data that the listener receives for an event; null for none. */
  readonly dataFor: (event: SessionEvent) => unknown
  /** The number of the last event that the listener has seen. */
  readonly seen: number
  /** What the stream begins with. */
  readonly greeting: string
}

export type OpenStream = {
  readonly listener: EventListener
  readonly slot: Slot
  readonly content: Readable
  readonly seen: number
  /** Whether more may be written now; where not, `onDrained` says when. */
  readonly hasRoom: boolean
  /** Writes events in order, as many as there is room for. */
  deliver(events: readonly SessionEvent[]): void
  /** Keeps proxies from hanging up; hangs up itself where nothing was read since the last time. */
  keepAlive(): void
  /** Nothing more is written, not even what waits. */
  end(): void
}

export function openEventStream(
  listener: EventListener,
  slot: Slot,
  { onDrained }: { onDrained: () => void },
): OpenStream {
  let { seen } = listener
  const waiting = createEventContent(listener.greeting, { onDrained })
  const { content, write, keepAlive, end } = waiting
  return {
    listener,
    slot,
    content,
    keepAlive,
    end,
    get seen() {
      return seen
    },
    get hasRoom() {
      return waiting.hasRoom
    },
    deliver(events) {
      for (const event of events) {
        if (event.seq <= seen) continue
        if (!waiting.hasRoom) return
        const data = listener.dataFor(event)
        if (data !== null) write(frameOf(event.seq, event.type, data))
        seen = event.seq
      }
    },
  }
}

export function frameOf(seq: number, type: string, data: unknown): string {
  return `id: ${seq}\nevent: ${type}\ndata: ${JSON.stringify(data)}\n\n`
}
