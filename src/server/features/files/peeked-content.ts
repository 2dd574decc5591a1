/** Looks at the beginning of a stream to see what it is, and gives the whole of it again. */
import { mimeTypeOf } from '../../media/media-kind.ts'

export type PeekedContent = {
  /** The first bytes, as many as a look takes. */
  readonly head: Buffer
  /** What they are by themselves, whatever anyone says; undefined for nothing that is known. */
  readonly mimeType: string | undefined
  readonly content: AsyncIterable<Uint8Array>
}

// Enough for every signature there is.
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

/** An iterator by hand: a generator around each chunk would cost more than the chunk. */
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
      // A reader that stops early lets go of the file or the connection too.
      return: () => rest.return?.() ?? Promise.resolve({ value: undefined, done: true }),
    }),
  }
}
