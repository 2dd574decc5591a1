/**
 * How often a page asks how far something is. Everybody behind one address shares its requests, so a
 * long wait is asked about rarely.
 */
const firstMs = 2000
const longestMs = 15_000

/** Until the next look, after so many. */
export function askAgainMs(looks: number): number {
  return Math.min(firstMs * 2 ** Math.max(0, looks - 1), longestMs)
}
