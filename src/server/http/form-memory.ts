/**
 * What large bodies hold in memory, forms and JSON, all of this process together. Past a limit
 * whoever still sends has to wait, which their connection feels, until others are done: many at once
 * take longer, and never more memory than there is.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import { problem } from '../problem.ts'

export type FormMemory = { open(): FormShare }

/** The share of one request, from its first byte until it has been answered. */
export type FormShare = {
  /** Resolves when there is room to read on. */
  take(bytes: number): Promise<void>
  /** Everything has been read: from now on it is being worked with. */
  endReading(): void
  release(): void
}

export function createFormMemory({ maxBytes }: { readonly maxBytes: number }): FormMemory {
  const reading = new Set<object>()
  const working = new Set<object>()
  let heldBytes = 0
  let changed = Promise.withResolvers<void>()

  const tellAll = () => {
    changed.resolve()
    changed = Promise.withResolvers()
  }

  /** Were nobody at work, all would wait for each other: the first one reads on. */
  const mayReadOn = (share: object): boolean => {
    const [first] = reading
    return heldBytes <= maxBytes || (working.size === 0 && share === first)
  }

  return {
    open() {
      const share = { bytes: 0 }
      reading.add(share)
      return {
        async take(bytes) {
          share.bytes += bytes
          heldBytes += bytes
          while (!mayReadOn(share)) await changed.promise
        },
        endReading() {
          if (reading.delete(share)) working.add(share)
          tellAll()
        },
        release() {
          reading.delete(share)
          working.delete(share)
          heldBytes -= share.bytes
          share.bytes = 0
          tellAll()
        },
      }
    },
  }
}

const mostSilenceMs = 20_000

/**
 * The content, as there is room for it. Each byte counts `weight` times: text that is parsed is there
 * more than once. Whoever sends nothing while others wait for the room is given up.
 */
export async function* metered(
  content: AsyncIterable<Uint8Array>,
  share: FormShare,
  { weight = 1, silenceMs = mostSilenceMs }: { weight?: number; silenceMs?: number } = {},
): AsyncGenerator<Uint8Array> {
  const chunks = content[Symbol.asyncIterator]()
  for (;;) {
    const heard = new AbortController()
    const silence = sleep(silenceMs, null, { signal: heard.signal, ref: false }).then(() => {
      throw problem.badRequest({ message: 'The upload has stalled' })
    })
    const { done, value } = await Promise.race([chunks.next(), silence]).finally(() =>
      heard.abort(),
    )
    if (done) return
    await share.take(value.length * weight)
    yield value
  }
}

/** Ten of the largest forms there are, or hundreds of common ones. */
export const formMemory = createFormMemory({ maxBytes: 256 * 1_048_576 })
