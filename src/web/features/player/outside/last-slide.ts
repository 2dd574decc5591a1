/** The slide at which each session last stopped, stored in this browser for a month. */

type BrowserStorage = Pick<Storage, 'getItem' | 'setItem' | 'removeItem'>

/** The id of the slide and the time when it was shown, by the seed of the session. */
type LastSlides = Readonly<Record<string, readonly [slideId: number, atMs: number]>>

export const lastSlidesKey = 'lanternist:places'
const keptMs = 30 * 24 * 60 * 60 * 1000
const maxPositions = 60

export function readLastSlide(
  seed: string,
  cache: () => BrowserStorage = () => localStorage,
  nowMs: () => number = Date.now,
): number | null {
  return read(cache, nowMs())[seed]?.[0] ?? null
}

/** Stores the slide, or removes the entry of the session if `slideId` is null. */
export function keepLastSlide(
  seed: string,
  slideId: number | null,
  cache: () => BrowserStorage = () => localStorage,
  nowMs: () => number = Date.now,
): void {
  const others = Object.entries(read(cache, nowMs())).filter(([name]) => name !== seed)
  const latest = others.sort(([, [, one]], [, [, other]]) => other - one).slice(0, maxPositions - 1)
  const lastSlides = slideId === null ? others : [[seed, [slideId, nowMs()]], ...latest]
  try {
    cache().setItem(lastSlidesKey, JSON.stringify(Object.fromEntries(lastSlides)))
  } catch {
    // Storage can be full or disabled. The session then starts at its first slide.
  }
}

function read(cache: () => BrowserStorage, nowMs: number): LastSlides {
  try {
    const kept: unknown = JSON.parse(cache().getItem(lastSlidesKey) ?? '{}')
    const lastSlides = Object.entries(Object(kept)).filter(
      (entry): entry is [string, [number, number]] => isLastSlide(entry[1], nowMs),
    )
    return Object.fromEntries(lastSlides)
  } catch {
    return {}
  }
}

function isLastSlide(value: unknown, nowMs: number): boolean {
  if (!Array.isArray(value) || value.length !== 2) return false
  const [slideId, atMs]: unknown[] = value
  return Number.isInteger(slideId) && typeof atMs === 'number' && atMs > nowMs - keptMs
}
