/** Parses a Retry-After header: seconds, or a date. */

/** Returns the time to wait from now on, or null if the header is missing or invalid. */
export function retryAfterMs(text: string | null | undefined, now: Date): number | null {
  const spelling = text?.trim() ?? ''
  const waitMs = /^\d+(?:\.\d+)?$/.test(spelling)
    ? Number(spelling) * 1000
    : Date.parse(spelling) - now.getTime()
  return waitMs >= 0 && Number.isFinite(waitMs) ? waitMs : null
}
