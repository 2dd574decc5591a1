/**
 * The polling interval for long work. All users behind one IP address share its rate limit, so the interval
 * grows.
 */
const firstMs = 2000
const longestMs = 15_000

/** Returns the delay before the next poll, after `looks` polls. */
export function pollAfterMs(looks: number): number {
  return Math.min(firstMs * 2 ** Math.max(0, looks - 1), longestMs)
}
