/** Bytes that are written over while a file streams by; its length and all offsets stay as they are. */

/** `head` is written at `at`, zeros follow to the length. */
export type Hidden = { readonly at: number; readonly length: number; readonly head: Uint8Array }

export function zeros(at: number, length: number): Hidden {
  return { at, length, head: Buffer.alloc(0) }
}

export async function* hideBytes(
  content: AsyncIterable<Uint8Array>,
  hidden: readonly Hidden[],
): AsyncGenerator<Uint8Array> {
  const ordered = hidden.toSorted((one, other) => one.at - other.at)
  let from = 0
  let next = 0
  for await (const chunk of content) {
    const end = from + chunk.length
    let bytes: Uint8Array | null = null
    for (let index = next; index < ordered.length; index += 1) {
      const range = ordered[index]
      if (!range || range.at >= end) break
      if (range.at + range.length <= from) {
        if (index === next) next += 1
        continue
      }
      // The chunk may be somebody else's memory.
      bytes ??= Uint8Array.from(chunk)
      writeOver(bytes, from, range)
    }
    yield bytes ?? chunk
    from = end
  }
}

function writeOver(bytes: Uint8Array, from: number, { at, length, head }: Hidden): void {
  const start = Math.max(at, from)
  const end = Math.min(at + length, from + bytes.length)
  bytes.fill(0, start - from, end - from)
  if (start < at + head.length)
    bytes.set(head.subarray(start - at, Math.min(head.length, end - at)), start - from)
}
