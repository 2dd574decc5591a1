/**
 * PostgreSQL stores neither the character U+0000 nor an unpaired surrogate. Requests that contain one are
 * refused here, so that no feature has to check.
 */
export function isStorable(value: unknown): boolean {
  const left = [value]
  while (left.length > 0) {
    const next = left.pop()
    if (typeof next === 'string') {
      if (!isStorableText(next)) return false
    } else if (typeof next === 'object' && next !== null) {
      for (const [key, item] of Object.entries(next)) left.push(key, item)
    }
  }
  return true
}

/** Returns true if a JSON text may contain such a character: there it must be escaped. */
export function mayContainUnstorable(json: string): boolean {
  return /\\u(0000|d[89a-f])/i.test(json)
}

function isStorableText(text: string): boolean {
  return !text.includes('\u0000') && text.isWellFormed()
}
