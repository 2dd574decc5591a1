/** Deterministic random numbers: a seed text gives the same numbers on any machine and in any browser. */

/** Returns a generator of numbers from 0 up to, but not including, 1. */
export function randomFrom(seed: string): () => number {
  let state = hashOf(seed)
  return () => {
    state = (state + 0x9e3779b9) | 0
    return mixed(state) / 2 ** 32
  }
}

/** Returns a 32-bit hash of a text. */
export function hashOf(text: string): number {
  let hash = 0x811c9dc5
  for (let at = 0; at < text.length; at += 1) {
    hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193)
  }
  return mixed(hash)
}

/** Mixes bits: each input bit changes about half of the output bits. */
function mixed(value: number): number {
  let bits = value
  bits = Math.imul(bits ^ (bits >>> 16), 0x21f0aaad)
  bits = Math.imul(bits ^ (bits >>> 15), 0x735a2d97)
  return (bits ^ (bits >>> 15)) >>> 0
}
