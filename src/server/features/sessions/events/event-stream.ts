/**
 * One open event stream: bytes that wait for its client, never more than a bound. What does not fit
 * stays in the database until the client has read on, and a client that reads nothing is hung up on.
 */
import { Readable } from 'node:stream'
import type { SessionEvent } from './event-queries.ts'
import type { Slot, StreamGrant } from './event-stream-queries.ts'

const mostWaitingBytes = 64 * 1024

export type EventListener = {
  readonly grant: StreamGrant
  readonly userId: string
  /** Which types the listener is not to see. */
  readonly withheld: ReadonlySet<string>
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
  let isBehind = false
  let isEnded = false
  let writtenBytes = 0
  let readBytesBefore = -1
  const content = new Readable({
    // The same bound: below it the stream asks for more by itself, which is when it has drained.
    highWaterMark: mostWaitingBytes,
    read() {
      if (!isBehind) return
      isBehind = false
      // What was asked for is still counted as waiting now.
      queueMicrotask(onDrained)
    },
  })
  const write = (text: string) => {
    if (isEnded || content.destroyed) return
    writtenBytes += Buffer.byteLength(text)
    content.push(text)
  }
  const hasRoom = () => content.readableLength < mostWaitingBytes
  // A comment at least: the answer's headers leave with the first byte.
  write(listener.greeting === '' ? ': open\n\n' : listener.greeting)
  return {
    listener,
    slot,
    content,
    get seen() {
      return seen
    },
    get hasRoom() {
      isBehind = !hasRoom()
      return !isBehind
    },
    deliver(events) {
      for (const event of events) {
        if (event.seq <= seen) continue
        if (!hasRoom()) {
          isBehind = true
          return
        }
        if (!listener.withheld.has(event.type)) write(frameOf(event.seq, event.type, event.data))
        seen = event.seq
      }
    },
    keepAlive() {
      const readBytes = writtenBytes - content.readableLength
      if (content.readableLength === 0) write(': still here\n\n')
      else if (readBytes === readBytesBefore) content.destroy()
      readBytesBefore = readBytes
    },
    end() {
      if (isEnded) return
      isEnded = true
      if (content.readableLength > 0) content.destroy()
      else content.push(null)
    },
  }
}

export function frameOf(seq: number, type: string, data: unknown): string {
  return `id: ${seq}\nevent: ${type}\ndata: ${JSON.stringify(data)}\n\n`
}
