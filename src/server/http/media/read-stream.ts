/** A stream that ends if its client stops reading, which frees its slot for others. */
import { Readable } from 'node:stream'

/** A player that has buffered enough closes the connection, or asks for the rest later. */
const maxPauseMs = 30_000

/** Returns a stream that destroys itself and its source when nothing was read for a while. */
export function streamToReader(
  content: AsyncIterable<Uint8Array>,
  { pauseMs = maxPauseMs }: { readonly pauseMs?: number } = {},
): Readable {
  const stream = Readable.from(watched(), { objectMode: false })
  return stream

  async function* watched() {
    for await (const chunk of content) {
      const timer = setTimeout(() => stream.destroy(), pauseMs)
      try {
        // Continues when the consumer asks for more.
        yield chunk
      } finally {
        clearTimeout(timer)
      }
    }
  }
}
