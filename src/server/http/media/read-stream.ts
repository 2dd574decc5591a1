/** A stream for a client that has to read it: one that does not gives its place to others. */
import { Readable } from 'node:stream'

/** A player that has enough for a while closes by itself, or asks for the rest later. */
const mostPauseMs = 30_000

/** Ends, with what it is made of, when nobody has read from it for a while. */
export function streamToReader(
  content: AsyncIterable<Uint8Array>,
  { pauseMs = mostPauseMs }: { readonly pauseMs?: number } = {},
): Readable {
  const stream = Readable.from(watched(), { objectMode: false })
  return stream

  async function* watched() {
    for await (const chunk of content) {
      const timer = setTimeout(() => stream.destroy(), pauseMs)
      try {
        // Goes on when there is room for more.
        yield chunk
      } finally {
        clearTimeout(timer)
      }
    }
  }
}
