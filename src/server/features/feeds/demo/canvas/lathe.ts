/** Bodies turned on a lathe, for a traced stage: bottles, bowls and fruit from one drawn profile. */
import { clamp } from './colour.ts'
import type { Material, Ray } from './stage.ts'
import type { Body } from './trace.ts'

/** Radius and height, from the foot up the outside (and down the inside, where there is one). */
export type Profile = readonly (readonly [radius: number, height: number])[]

const nearest = 1e-4
const pointsBetween = 4

/** The profile with a smooth curve through its points. */
export function smoothProfile(points: Profile): Profile {
  const at = (i: number) => points[clamp(i, 0, points.length - 1)] ?? [0, 0]
  return points.flatMap((point, i) => {
    if (i === points.length - 1) return [point]
    const [before, from, to, after] = [at(i - 1), at(i), at(i + 1), at(i + 2)]
    return Array.from({ length: pointsBetween }, (_, step): readonly [number, number] => {
      const t = step / pointsBetween
      const bend = (k: 0 | 1) => {
        const pull = to[k] - before[k]
        const push = after[k] - from[k]
        const reach = to[k] - from[k]
        const curve = (pull + push) / 2 - 2 * reach
        return from[k] + t * (pull / 2 + t * (3 * reach - pull - push / 2 + t * curve))
      }
      return [Math.max(0, bend(0)), bend(1)]
    })
  })
}

export function latheBody(
  place: { x: number; y: number; z: number },
  profile: Profile,
  material: Material,
): Body {
  const rings = ringsOf(profile)
  const widest = Math.max(...profile.map(([radius]) => radius))
  const bottom = Math.min(...profile.map(([, height]) => height))
  const top = Math.max(...profile.map(([, height]) => height))
  const approach: Approach = { a: 0, b: 0, c: 0, y: 0, ox: 0, oz: 0 }
  return (ray) => {
    const ox = ray.x - place.x
    const oz = ray.z - place.z
    const a = ray.dx * ray.dx + ray.dz * ray.dz
    const b = ox * ray.dx + oz * ray.dz
    const c = ox * ox + oz * oz
    // Most rays pass by; the drum around the body tells.
    const inside = b * b - a * (c - widest * widest)
    if (inside < 0) return
    const half = Math.sqrt(inside)
    const into = Math.max((-b - half) / a, 0)
    const out = (-b + half) / a
    if (out <= nearest || into >= ray.way) return
    const enters = ray.y + ray.dy * into
    const leaves = ray.y + ray.dy * out
    const lowest = Math.min(enters, leaves) - place.y
    const highest = Math.max(enters, leaves) - place.y
    if (lowest > top || highest < bottom) return
    approach.a = a
    approach.b = b
    approach.c = c
    approach.y = ray.y - place.y
    approach.ox = ox
    approach.oz = oz
    for (const ring of rings) {
      if (ring.low <= highest && ring.high >= lowest) meetRing(ray, ring, approach, material)
    }
  }
}

type Ring = {
  low: number
  high: number
  /** The radius where the ring begins, at height `from`, and how it grows with height. */
  radius: number
  from: number
  growth: number
  startR: number
  startY: number
  endR: number
  endY: number
  rises: boolean
}

type Approach = { a: number; b: number; c: number; y: number; ox: number; oz: number }

function ringsOf(profile: Profile): Ring[] {
  const facing = profile.map((_, i) => {
    const [r0, y0] = profile[Math.max(0, i - 1)] ?? [0, 0]
    const [r1, y1] = profile[Math.min(profile.length - 1, i + 1)] ?? [0, 0]
    const length = Math.hypot(r1 - r0, y1 - y0) || 1
    return [(y1 - y0) / length, -(r1 - r0) / length] as const
  })
  return profile.slice(1).map(([radius, height], i) => {
    const [before, from] = profile[i] ?? [0, 0]
    // A level ring has no growth with height, so it gets a hair of one.
    const rise = Math.abs(height - from) < 1e-3 ? 1e-3 : height - from
    const [startR, startY] = facing[i] ?? [1, 0]
    const [endR, endY] = facing[i + 1] ?? [1, 0]
    return {
      low: Math.min(from, from + rise),
      high: Math.max(from, from + rise),
      radius: before,
      from,
      growth: (radius - before) / rise,
      startR,
      startY,
      endR,
      endY,
      rises: rise > 0,
    }
  })
}

/** A ring is a slice of a cone, which a ray can cross twice. */
function meetRing(ray: Ray, ring: Ring, approach: Approach, material: Material): void {
  const { growth } = ring
  const rim = ring.radius + growth * (approach.y - ring.from)
  const a = approach.a - growth * growth * ray.dy * ray.dy
  const b = approach.b - growth * ray.dy * rim
  const c = approach.c - rim * rim
  const inside = b * b - a * c
  if (inside < 0) return
  const root = Math.sqrt(inside)
  for (let turn = -1; turn <= 1; turn += 2) {
    const way = (-b + turn * root) / a
    if (way <= nearest || way >= ray.way) continue
    const y = approach.y + ray.dy * way
    if (y < ring.low || y > ring.high) continue
    const radius = ring.radius + growth * (y - ring.from)
    if (radius < 1e-5) continue
    const t = (y - ring.low) / (ring.high - ring.low)
    const along = ring.rises ? t : 1 - t
    const outward = ring.startR + (ring.endR - ring.startR) * along
    const upward = ring.startY + (ring.endY - ring.startY) * along
    const length = Math.sqrt(outward * outward + upward * upward) || 1
    ray.way = way
    ray.nx = ((approach.ox + ray.dx * way) / radius) * (outward / length)
    ray.ny = upward / length
    ray.nz = ((approach.oz + ray.dz * way) / radius) * (outward / length)
    ray.material = material
  }
}
