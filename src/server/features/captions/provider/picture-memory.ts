/** Remembers for a while which picture lay under an address, by its hash. */
export type PictureMemory = {
  get(place: string): Buffer | null
  set(place: string, hash: Buffer): void
}

const keptMs = 60 * 60 * 1000
const most = 5000

export function createPictureMemory(): PictureMemory {
  const known = new Map<string, { hash: Buffer; untilMs: number }>()
  return {
    get(place) {
      const entry = known.get(place)
      return entry && entry.untilMs > performance.now() ? entry.hash : null
    },
    set(place, hash) {
      known.delete(place)
      known.set(place, { hash, untilMs: performance.now() + keptMs })
      const [oldest] = known.keys()
      if (known.size > most && oldest !== undefined) known.delete(oldest)
    },
  }
}
