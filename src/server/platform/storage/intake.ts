/**
 * How both storages take in what they are given to keep: an abort reaches even a source that has
 * stalled, and a failing source can be told from a failing disk or network.
 */
import { Readable } from 'node:stream'

type Source = AsyncIterable<Uint8Array> | Uint8Array

type Intake = {
  chunks: AsyncIterable<Uint8Array>
  sizeBytes(): number
  /** What the source or its signal failed with; null when it is the storage that failed. */
  failure(): { reason: unknown } | null
  /** Lets go of a source that will not be read, or not to its end. */
  abandon(): void
}

export function takeIn(source: Source, signal: AbortSignal | undefined): Intake {
  let sizeBytes = 0
  let failure: { reason: unknown } | null = null

  const iterator = chunksOf(source)[Symbol.asyncIterator]()
  const abandon = () => release(source, iterator)
  // A stream may break before anybody reads it, and an error nobody listens for ends the process.
  // It is not lost: the first read fails with it.
  if (source instanceof Readable) source.on('error', () => {})

  async function* chunks(): AsyncGenerator<Uint8Array> {
    try {
      for (;;) {
        const step = await nextOrAbort(iterator, signal).catch((reason: unknown) => {
          failure = { reason }
          throw reason
        })
        if (step.done) return
        sizeBytes += step.value.byteLength
        if (step.value.byteLength > 0) yield step.value
      }
    } finally {
      abandon()
    }
  }

  return { chunks: chunks(), sizeBytes: () => sizeBytes, failure: () => failure, abandon }
}

async function* onlyChunk(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield bytes
}

function chunksOf(source: Source): AsyncIterable<Uint8Array> {
  return source instanceof Uint8Array ? onlyChunk(source) : source
}

function nextOrAbort(
  iterator: AsyncIterator<Uint8Array>,
  signal: AbortSignal | undefined,
): Promise<IteratorResult<Uint8Array>> {
  if (!signal) return iterator.next()
  if (signal.aborted) return Promise.reject(signal.reason)
  return new Promise((resolve, reject) => {
    const abort = () => reject(signal.reason)
    signal.addEventListener('abort', abort, { once: true })
    void iterator
      .next()
      .then(resolve, reject)
      .finally(() => signal.removeEventListener('abort', abort))
  })
}

/** Not awaited: a source that has stalled would never answer its own `return`. */
function release(source: Source, iterator: AsyncIterator<Uint8Array>): void {
  if (source instanceof Readable) source.destroy()
  iterator.return?.().catch(() => {})
}
