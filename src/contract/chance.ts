/**
 * Chance that falls the same way everywhere: a text is the seed, and whoever has the text gets the
 * same numbers, on any machine and in any browser.
 */

/** Numbers from 0 up to, but not including, 1. */
export function chanceFrom(seed: string): () => number {
  let state = hashOf(seed)
  return () => {
    state = (state + 0x9e3779b9) | 0
    return mixed(state) / 2 ** 32
  }
}

/** A whole number of 32 bits for a text. */
export function hashOf(text: string): number {
  let hash = 0x811c9dc5
  for (let at = 0; at < text.length; at += 1) {
    hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193)
  }
  return mixed(hash)
}

/** Every bit of the number moves about half of the bits of the result. */
function mixed(value: number): number {
  let bits = value
  bits = Math.imul(bits ^ (bits >>> 16), 0x21f0aaad)
  bits = Math.imul(bits ^ (bits >>> 15), 0x735a2d97)
  return (bits ^ (bits >>> 15)) >>> 0
}
