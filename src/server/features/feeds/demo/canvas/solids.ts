/** Distances to simple bodies around the origin, for rays that feel their way through a scene. */

export function ball(x: number, y: number, z: number, radius: number): number {
  return Math.sqrt(x * x + y * y + z * z) - radius
}

/** A block, by half its width, height and depth. */
export function block(x: number, y: number, z: number, a: number, b: number, c: number): number {
  const dx = Math.abs(x) - a
  const dy = Math.abs(y) - b
  const dz = Math.abs(z) - c
  const ox = dx > 0 ? dx : 0
  const oy = dy > 0 ? dy : 0
  const oz = dz > 0 ? dz : 0
  const inside = Math.max(dx, dy, dz)
  return Math.sqrt(ox * ox + oy * oy + oz * oz) + (inside < 0 ? inside : 0)
}

/** An upright drum, by its radius and half its height. */
export function drum(x: number, y: number, z: number, radius: number, half: number): number {
  const dr = Math.sqrt(x * x + z * z) - radius
  const dy = Math.abs(y) - half
  const or = dr > 0 ? dr : 0
  const oy = dy > 0 ? dy : 0
  const inside = Math.max(dr, dy)
  return Math.sqrt(or * or + oy * oy) + (inside < 0 ? inside : 0)
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
