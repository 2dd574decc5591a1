/** What comes next in a show: which pictures to have in hand, and how long until a place is reached. */
import { nextOrder, type Show, shownIndex } from './show.ts'

/**
 * Indexes of the slide that is on and of so many after it, the most urgent first. Before anything is on
 * it is the first alone: others would share the line with it.
 */
export function slidesToPrepare(show: Show, ahead: number): number[] {
  const shown = shownIndex(show)
  const from = show.wanted?.place ?? (show.place ?? -1) + 1
  const following = show.order.slice(from)
  const known = show.isLooping ? [...following, ...nextOrder(show)] : following
  const next = known.filter((index) => !show.broken.has(index)).slice(0, shown === null ? 1 : ahead)
  const all = shown === null ? next : [shown, ...next]
  return [...new Set(all)].filter((index) => !show.broken.has(index) && !show.missing.has(index))
}

/** How long until a place is reached if nobody interferes; null where it lies behind. */
export function msUntil(show: Show, place: number): number | null {
  if (show.place === null || place <= show.place) return null
  const ahead = show.order.slice(show.place, place).map((index) => show.slides[index]?.holdMs ?? 0)
  return Math.max(0, ahead.reduce((sum, ms) => sum + ms, 0) - show.elapsedMs) / show.speed
}
