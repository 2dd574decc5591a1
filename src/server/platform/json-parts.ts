/** Limits the values in JSON: a megabyte of empty objects takes ten times as long as one of text. */

/** A listing of 1,000 posts has half as many. */
export const maxJsonParts = 600_000

const [brace, bracket, comma] = Buffer.from('{[,')

/** Counts braces, brackets and commas, including those in strings. Stops above the limit. */
export function hasTooManyParts(json: Uint8Array): boolean {
  let parts = 0
  for (const byte of json) {
    if (byte === brace || byte === bracket || byte === comma) parts += 1
    if (parts > maxJsonParts) return true
  }
  return false
}
