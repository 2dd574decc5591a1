/**
 * One open event stream of a session. Events that do not fit in the client's buffer stay in the
 * database until the client has read on.
 */
import type { Readable } from 'node:stream'
import { createEventContent } from '../../../http/event-content.ts'
import type { SessionEvent } from './event-queries.ts'
import type { Slot, StreamGrant } from './event-stream-queries.ts'

export type EventListener = {
  readonly grant: StreamGrant
  readonly userId: string
  /** Returns the data that the listener receives for an event, or null to leave the event out. */
  readonly dataFor: (event: SessionEvent) => unknown
  /** The number of the last event that the listener has seen. */
  readonly seen: number
  /** The first text of the stream. */
  readonly greeting: string
}

export type OpenStream = {
  readonly listener: EventListener
  readonly slot: Slot
  readonly content: Readable
  readonly seen: number
  /** True when more may be written now. Otherwise `onDrained` is called later. */
  readonly hasRoom: boolean
  /** Writes events in order, as many as fit in the buffer. */
  deliver(events: readonly SessionEvent[]): void
  /**
   * Sends a comment so that proxies keep the connection open. Ends the stream if the client has read
   * nothing since the last call.
   */
  keepAlive(): void
  /** Ends the stream without writing anything more, not even the buffered text. */
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
