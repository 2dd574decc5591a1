/** The next slides of a show: which pictures to load, and the time until a slide is shown. */
import { nextOrder, type Show, shownIndex } from './show.ts'

/**
 * Returns the indexes of the current slide and of the next `ahead` slides, the most urgent first. Before
 * the first slide is shown, returns only that one: loading others would slow it down.
 */
export function slidesToPrepare(show: Show, ahead: number): number[] {
  const shown = shownIndex(show)
  const from = show.wanted?.position ?? (show.position ?? -1) + 1
  const following = show.order.slice(from)
  const known = show.isLooping ? [...following, ...nextOrder(show)] : following
  const next = known.filter((index) => !show.broken.has(index)).slice(0, shown === null ? 1 : ahead)
  const all = shown === null ? next : [shown, ...next]
  return [...new Set(all)].filter((index) => !show.broken.has(index) && !show.missing.has(index))
}

/** Returns the time until the slide at `position` is shown without user input; null if it is not ahead. */
export function msUntil(show: Show, position: number): number | null {
  if (show.position === null || position <= show.position) return null
  const ahead = show.order
    .slice(show.position, position)
    .map((index) => show.slides[index]?.holdMs ?? 0)
  return Math.max(0, ahead.reduce((sum, ms) => sum + ms, 0) - show.elapsedMs) / show.speed
}
