/** Reads the beginning of a stream to detect its type, and returns the whole stream. */
import { mimeTypeOf } from '../../media/media-kind.ts'

export type PeekedContent = {
  /** The first bytes of the stream. */
  readonly head: Buffer
  /** The type that the bytes show, whatever was declared. Undefined if it is unknown. */
  readonly mimeType: string | undefined
  readonly content: AsyncIterable<Uint8Array>
}

// Enough for every file signature.
const peekedBytes = 4100

export async function peek(content: AsyncIterable<Uint8Array>): Promise<PeekedContent> {
  const chunks = content[Symbol.asyncIterator]()
  const first: Uint8Array[] = []
  for (let bytes = 0; bytes < peekedBytes;) {
    const step = await chunks.next()
    if (step.done) break
    first.push(step.value)
    bytes += step.value.byteLength
  }
  const head = Buffer.concat(first).subarray(0, peekedBytes)
  return { head, mimeType: await mimeTypeOf(head), content: resumed(first, chunks) }
}

/**
 * Iterates over the whole stream. Written as a plain iterator: a generator would cost more than each
 * chunk.
 */
function resumed(
  first: readonly Uint8Array[],
  rest: AsyncIterator<Uint8Array>,
): AsyncIterable<Uint8Array> {
  let given = 0
  return {
    [Symbol.asyncIterator]: () => ({
      next() {
        const value = first[given]
        if (value === undefined) return rest.next()
        given += 1
        return Promise.resolve({ value, done: false })
      },
      // A reader that stops early also closes the file or connection.
      return: () => rest.return?.() ?? Promise.resolve({ value: undefined, done: true }),
    }),
  }
}
