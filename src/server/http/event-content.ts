/**
 * The bytes of one event stream that wait for its client, never more than a bound. A client that
 * reads nothing is hung up on.
 */
import { Readable } from 'node:stream'

const mostWaitingBytes = 64 * 1024

export type EventContent = {
  readonly content: Readable
  /** Whether more may be written now; where not, `onDrained` says when. */
  readonly hasRoom: boolean
  write(text: string): void
  /** Keeps proxies from hanging up; hangs up itself where nothing was read since the last time. */
  keepAlive(): void
  /** Nothing more is written, not even what waits. */
  end(): void
  /** Ends after what waits. */
  finish(): void
}

/** Begins with a comment at least: the answer's headers leave with the first byte. */
export function createEventContent(
  greeting: string,
  { onDrained }: { onDrained: () => void },
): EventContent {
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
  write(greeting === '' ? ': open\n\n' : greeting)
  return {
    content,
    get hasRoom() {
      isBehind = content.readableLength >= mostWaitingBytes
      return !isBehind
    },
    write,
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
    finish() {
      if (isEnded) return
      isEnded = true
      content.push(null)
    },
  }
}
