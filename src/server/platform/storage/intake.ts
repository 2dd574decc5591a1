/**
 * Reads the source of a `put`, for both storages. An abort also works for a source that has stalled, and a
 * failure of the source is distinguished from one of the disk or the network.
 */
import { Readable } from 'node:stream'

type Source = AsyncIterable<Uint8Array> | Uint8Array

type Intake = {
  chunks: AsyncIterable<Uint8Array>
  sizeBytes(): number
  /** The failure of the source or its signal, or null if the storage failed. */
  failure(): { reason: unknown } | null
  /** Closes a source that will not be read, or not to its end. */
  abandon(): void
}

export function takeIn(source: Source, signal: AbortSignal | undefined): Intake {
  let sizeBytes = 0
  let failure: { reason: unknown } | null = null

  const iterator = chunksOf(source)[Symbol.asyncIterator]()
  const abandon = () => release(source, iterator)
  // A stream may fail before it is read, and an 'error' event without a listener ends the process. The
  // error is not lost: the first read fails with it.
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

/** Closes the source without waiting: a stalled source would never finish its `return`. */
function release(source: Source, iterator: AsyncIterator<Uint8Array>): void {
  if (source instanceof Readable) source.destroy()
  iterator.return?.().catch(() => {})
}
