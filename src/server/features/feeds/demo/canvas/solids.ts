/** Distances to simple bodies around the origin, for rays that feel their way through a scene. */

export function ball(x: number, y: number, z: number, radius: number): number {
  return Math.sqrt(x * x + y * y + z * z) - radius
}

/**
 * A block, by half its width, height and depth. Off a corner this is less than the true distance:
 * a ray takes a shorter step there, which is cheaper than a square root everywhere else.
 */
export function block(x: number, y: number, z: number, a: number, b: number, c: number): number {
  const dx = (x < 0 ? -x : x) - a
  const dy = (y < 0 ? -y : y) - b
  const dz = (z < 0 ? -z : z) - c
  const most = dx > dy ? dx : dy
  return most > dz ? most : dz
}

/** An upright drum, by its radius and half its height; short off its rims, as a block is. */
export function drum(x: number, y: number, z: number, radius: number, half: number): number {
  const around = Math.sqrt(x * x + z * z) - radius
  const above = (y < 0 ? -y : y) - half
  return around > above ? around : above
}

/** A doorway with a round head, endless in depth: half its width, and where its arch begins. */
export function archway(x: number, y: number, half: number, spring: number): number {
  const dx = Math.abs(x) - half
  if (y < spring) return dx
  return Math.sqrt(x * x + (y - spring) * (y - spring)) - half
}

/** The nearer of two bodies, run together over the length `soft`. */
export function melt(a: number, b: number, soft: number): number {
  const t = Math.max(soft - Math.abs(a - b), 0) / soft
  return Math.min(a, b) - t * t * soft * 0.25
}

/** Distance to the nearest of evenly repeated places, from -half to half the spacing. */
export function repeated(value: number, spacing: number): number {
  return value - spacing * Math.round(value / spacing)
}
