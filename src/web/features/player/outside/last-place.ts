/** Where each session stopped when it was last played here, kept in this browser for a month. */

type BrowserStorage = Pick<Storage, 'getItem' | 'setItem' | 'removeItem'>

/** The slide's id and when it was shown, under what the session is known by. */
type Places = Readonly<Record<string, readonly [slideId: number, atMs: number]>>

export const placesKey = 'lanternist:places'
const keptMs = 30 * 24 * 60 * 60 * 1000
const mostPlaces = 60

export function readPlace(
  seed: string,
  cache: () => BrowserStorage = () => localStorage,
  nowMs: () => number = Date.now,
): number | null {
  return read(cache, nowMs())[seed]?.[0] ?? null
}

/** Null forgets the place. */
export function keepPlace(
  seed: string,
  slideId: number | null,
  cache: () => BrowserStorage = () => localStorage,
  nowMs: () => number = Date.now,
): void {
  const others = Object.entries(read(cache, nowMs())).filter(([name]) => name !== seed)
  const latest = others.sort(([, [, one]], [, [, other]]) => other - one).slice(0, mostPlaces - 1)
  const places = slideId === null ? others : [[seed, [slideId, nowMs()]], ...latest]
  try {
    cache().setItem(placesKey, JSON.stringify(Object.fromEntries(places)))
  } catch {
    // Storage can be full or switched off; the session then begins at its start.
  }
}

function read(cache: () => BrowserStorage, nowMs: number): Places {
  try {
    const kept: unknown = JSON.parse(cache().getItem(placesKey) ?? '{}')
    const places = Object.entries(Object(kept)).filter(
      (entry): entry is [string, [number, number]] => isPlace(entry[1], nowMs),
    )
    return Object.fromEntries(places)
  } catch {
    return {}
  }
}

function isPlace(value: unknown, nowMs: number): boolean {
  if (!Array.isArray(value) || value.length !== 2) return false
  const [slideId, atMs]: unknown[] = value
  return Number.isInteger(slideId) && typeof atMs === 'number' && atMs > nowMs - keptMs
}
