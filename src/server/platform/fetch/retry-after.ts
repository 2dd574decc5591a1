/** What another site says in its Retry-After: seconds, or a date. */

/** How long it wants to be left alone from now on; null where it says nothing that makes sense. */
export function retryAfterMs(text: string | null | undefined, now: Date): number | null {
  const spelling = text?.trim() ?? ''
  const waitMs = /^\d+(?:\.\d+)?$/.test(spelling)
    ? Number(spelling) * 1000
    : Date.parse(spelling) - now.getTime()
  return waitMs >= 0 && Number.isFinite(waitMs) ? waitMs : null
}
