/** Distances to simple bodies around the origin, for rays that feel their way through a scene. */

export function ball(x: number, y: number, z: number, radius: number): number {
  return Math.sqrt(x * x + y * y + z * z) - radius
}

/**
 * An upright drum, by its radius and half its height.
 * Off its rims this is less than the true distance, which only makes a ray's step shorter.
 */
export function drum(x: number, y: number, z: number, radius: number, half: number): number {
  const around = Math.sqrt(x * x + z * z) - radius
  const above = (y < 0 ? -y : y) - half
  return around > above ? around : above
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
