/** The bounded buffer of one event stream. A client that reads nothing is disconnected. */
import { Readable } from 'node:stream'

const maxWaitingBytes = 64 * 1024

export type EventContent = {
  readonly content: Readable
  /** True if more may be written now. If not, `onDrained` is called later. */
  readonly hasRoom: boolean
  readonly write: (text: string) => void
  /** Keeps proxies from closing the connection. Closes it if nothing was read since the last call. */
  readonly keepAlive: () => void
  /** Ends the stream and drops the buffered text. */
  readonly end: () => void
  /** Ends the stream after the buffered text. */
  readonly finish: () => void
}

/** Creates the stream. It starts with at least a comment: the headers are sent with the first byte. */
export function createEventContent(
  greeting: string,
  { onDrained }: { onDrained: () => void },
): EventContent {
  let isBehind = false
  let isEnded = false
  let writtenBytes = 0
  let readBytesBefore = -1
  const content = new Readable({
    // The same limit: below it the stream calls `read`, which is when it has drained.
    highWaterMark: maxWaitingBytes,
    read() {
      if (!isBehind) return
      isBehind = false
      // The requested bytes still count as buffered now.
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
      isBehind = content.readableLength >= maxWaitingBytes
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
