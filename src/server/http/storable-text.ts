/**
 * PostgreSQL stores neither the character U+0000 nor half a surrogate pair. What carries one is
 * refused at the door, so that no feature has to think of it.
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

/** Whether a JSON text can hold such a character at all: it must then be escaped. */
export function mayHoldUnstorable(json: string): boolean {
  return /\\u(0000|d[89a-f])/i.test(json)
}

function isStorableText(text: string): boolean {
  return !text.includes('\u0000') && text.isWellFormed()
}
