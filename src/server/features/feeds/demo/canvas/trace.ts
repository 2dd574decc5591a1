/** A probe for buildings: rays are met by flat and round walls in closed form. */
import { clamp } from './colour.ts'
import type { Material, Probe, Ray } from './stage.ts'
import { createRay } from './stage.ts'

/** Shortens the ray to where it meets the body, if that is nearer than what it met before. */
export type Body = (ray: Ray) => void

/** An opening through a block's whole depth (z): half its width, its foot, where its arch begins. */
export type Opening = {
  readonly x: number
  readonly half: number
  readonly bottom: number
  readonly top: number
  readonly round: boolean
}

type Box = { x: number; y: number; z: number; a: number; b: number; c: number }

const nearest = 1e-4
// Four ways to look around from a surface, spread over the half of space above it.
const around = [0.35, 0.75, 0.55, -0.62, 0.4, 0.68, 0.6, 0.35, -0.72, -0.45, 0.55, -0.7]
const sunRimLooks = 6
const sunDisc = spreadOverDisc(32)

export function traceProbe(
  bodies: readonly Body[],
  { farthest, reach = 1.6, sunSize = 0 }: { farthest: number; reach?: number; sunSize?: number },
): Probe {
  const feeler = createRay()
  const meet = (ray: Ray) => {
    for (const body of bodies) body(ray)
  }
  const isLit = (ray: Ray) => {
    ray.way = farthest
    for (const body of bodies) {
      body(ray)
      if (ray.way < farthest) return false
    }
    return true
  }
  return {
    find(ray) {
      ray.way = farthest
      meet(ray)
      return ray.way < farthest
    },
    sunlight(ray) {
      if (sunSize === 0) return isLit(ray) ? 1 : 0
      const { dx, dy, dz } = ray
      let lit = 0
      let looks = 0
      // The rim of the sun first: where all of it is seen, or nothing, that settles it.
      for (let i = 0; i < sunDisc.length; i += 2) {
        if (looks === sunRimLooks && (lit === 0 || lit === looks)) break
        const across = (sunDisc[i] ?? 0) * sunSize
        ray.dx = dx + across * dz
        ray.dy = dy + (sunDisc[i + 1] ?? 0) * sunSize
        ray.dz = dz - across * dx
        if (isLit(ray)) lit += 1
        looks += 1
      }
      ray.dx = dx
      ray.dy = dy
      ray.dz = dz
      return lit / looks
    },
    openness(ray) {
      const { nx, ny, nz } = ray
      let open = 0
      for (let i = 0; i < around.length; i += 3) {
        const ax = around[i] ?? 0
        const ay = around[i + 1] ?? 0
        const az = around[i + 2] ?? 0
        // Turned to the surface's side, and away from it by half.
        const side = ax * nx + ay * ny + az * nz < 0 ? -1 : 1
        const dx = ax * side + nx * 0.6
        const dy = ay * side + ny * 0.6
        const dz = az * side + nz * 0.6
        const length = Math.sqrt(dx * dx + dy * dy + dz * dz)
        feeler.x = ray.x + nx * 0.004
        feeler.y = ray.y + ny * 0.004
        feeler.z = ray.z + nz * 0.004
        feeler.dx = dx / length
        feeler.dy = dy / length
        feeler.dz = dz / length
        feeler.way = reach
        meet(feeler)
        const free = feeler.way / reach
        open += free * (2 - free)
      }
      return clamp((open * 3) / around.length)
    },
  }
}

/** Points on a disc of radius 1: its rim first, then evenly over the rest of it. */
function spreadOverDisc(count: number): number[] {
  return Array.from({ length: count }, (_, i) => {
    const onRim = i < sunRimLooks
    const radius = onRim ? 1 : Math.sqrt((i - sunRimLooks + 0.5) / (count - sunRimLooks))
    const angle = onRim ? (i / sunRimLooks) * Math.PI * 2 : i * 2.39996
    return [radius * Math.cos(angle), radius * Math.sin(angle)]
  }).flat()
}

/** Level ground. */
export function ground(material: Material | ((x: number, z: number) => Material)): Body {
  return (ray) => {
    const way = -ray.y / ray.dy
    if (!(way > nearest && way < ray.way)) return
    const what =
      typeof material === 'function'
        ? material(ray.x + ray.dx * way, ray.z + ray.dz * way)
        : material
    meetAt(ray, way, 0, ray.y > 0 ? 1 : -1, 0, what)
  }
}

export function ballBody(
  x: number,
  y: number,
  z: number,
  radius: number,
  material: Material,
): Body {
  return (ray) => {
    const ox = ray.x - x
    const oy = ray.y - y
    const oz = ray.z - z
    const along = ox * ray.dx + oy * ray.dy + oz * ray.dz
    const inside = along * along - (ox * ox + oy * oy + oz * oz - radius * radius)
    if (inside < 0) return
    const way = -along - Math.sqrt(inside)
    if (way <= nearest || way >= ray.way) return
    meetAt(
      ray,
      way,
      (ox + ray.dx * way) / radius,
      (oy + ray.dy * way) / radius,
      (oz + ray.dz * way) / radius,
      material,
    )
  }
}

/** An upright drum from the foot `y0` to the top `y1`. */
export function drumBody(
  drum: { x: number; z: number; y0: number; y1: number; radius: number },
  material: Material,
): Body {
  return (ray) => {
    const ox = ray.x - drum.x
    const oz = ray.z - drum.z
    const a = ray.dx * ray.dx + ray.dz * ray.dz
    const b = ox * ray.dx + oz * ray.dz
    const inside = b * b - a * (ox * ox + oz * oz - drum.radius * drum.radius)
    if (inside < 0) return
    const way = (-b - Math.sqrt(inside)) / a
    const y = ray.y + ray.dy * way
    if (way > nearest && way < ray.way && y >= drum.y0 && y <= drum.y1) {
      meetAt(
        ray,
        way,
        (ox + ray.dx * way) / drum.radius,
        0,
        (oz + ray.dz * way) / drum.radius,
        material,
      )
      return
    }
    const toTop = (drum.y1 - ray.y) / ray.dy
    if (ray.dy >= 0 || toTop <= nearest || toTop >= ray.way) return
    const x = ox + ray.dx * toTop
    const z = oz + ray.dz * toTop
    if (x * x + z * z <= drum.radius * drum.radius) meetAt(ray, toTop, 0, 1, 0, material)
  }
}

/** A block around x, y, z by half its width, height and depth. */
export function blockBody(box: Box, material: Material, openings: readonly Opening[] = []): Body {
  return (ray) => {
    const ix = 1 / ray.dx
    const iy = 1 / ray.dy
    const iz = 1 / ray.dz
    const cx = (box.x - ray.x) * ix
    const cy = (box.y - ray.y) * iy
    const cz = (box.z - ray.z) * iz
    const rx = Math.abs(ix) * box.a
    const ry = Math.abs(iy) * box.b
    const rz = Math.abs(iz) * box.c
    const into = Math.max(cx - rx, cy - ry, cz - rz)
    const out = Math.min(cx + rx, cy + ry, cz + rz)
    if (into > out || into <= nearest || into >= ray.way) {
      // From inside an opening a ray may still meet the opening's own walls.
      const opening =
        into <= nearest && out > nearest ? openingAt(openings, ray.x, ray.y) : undefined
      if (opening) meetInside(ray, opening, material, 0, out)
      return
    }
    if (openings.length > 0) {
      const opening = openingAt(openings, ray.x + ray.dx * into, ray.y + ray.dy * into)
      if (opening) {
        meetInside(ray, opening, material, into, out)
        return
      }
    }
    if (into === cx - rx) meetAt(ray, into, ray.dx > 0 ? -1 : 1, 0, 0, material)
    else if (into === cy - ry) meetAt(ray, into, 0, ray.dy > 0 ? -1 : 1, 0, material)
    else meetAt(ray, into, 0, 0, ray.dz > 0 ? -1 : 1, material)
  }
}

/** Bodies that all lie within a box: a ray that misses the box is spared all of them. */
export function groupBody(box: Box, bodies: readonly Body[]): Body {
  return (ray) => {
    const cx = (box.x - ray.x) / ray.dx
    const cy = (box.y - ray.y) / ray.dy
    const cz = (box.z - ray.z) / ray.dz
    const rx = Math.abs(box.a / ray.dx)
    const ry = Math.abs(box.b / ray.dy)
    const rz = Math.abs(box.c / ray.dz)
    const into = Math.max(cx - rx, cy - ry, cz - rz)
    const out = Math.min(cx + rx, cy + ry, cz + rz)
    if (into > out || out < 0 || into >= ray.way) return
    for (const body of bodies) body(ray)
  }
}

function openingAt(openings: readonly Opening[], x: number, y: number): Opening | undefined {
  return openings.find((opening) => {
    const dx = x - opening.x
    if (Math.abs(dx) > opening.half || y < opening.bottom) return false
    if (y <= opening.top) return true
    const above = y - opening.top
    return opening.round && dx * dx + above * above < opening.half * opening.half
  })
}

/** The ray is in the opening at `from`; its sides, sill or arch may stop it before `out`. */
function meetInside(
  ray: Ray,
  opening: Opening,
  material: Material,
  from: number,
  out: number,
): void {
  const side = ray.dx > 0 ? 1 : -1
  let way = (opening.x + side * opening.half - ray.x) / ray.dx
  let nx = -side
  let ny = 0
  if (ray.dy < 0) {
    const sill = (opening.bottom - ray.y) / ray.dy
    if (sill < way) {
      way = sill
      nx = 0
      ny = 1
    }
  } else if (ray.y + ray.dy * way > opening.top) {
    const lintel = (opening.top - ray.y) / ray.dy
    way = opening.round ? archWay(ray, opening) : lintel
    nx = opening.round ? -(ray.x + ray.dx * way - opening.x) / opening.half : 0
    ny = opening.round ? -(ray.y + ray.dy * way - opening.top) / opening.half : -1
  }
  if (way > Math.max(from, nearest) && way < out && way < ray.way)
    meetAt(ray, way, nx, ny, 0, material)
}

/** Where the ray leaves the round head of an opening. */
function archWay(ray: Ray, opening: Opening): number {
  const ox = ray.x - opening.x
  const oy = ray.y - opening.top
  const a = ray.dx * ray.dx + ray.dy * ray.dy
  const b = ox * ray.dx + oy * ray.dy
  const c = ox * ox + oy * oy - opening.half * opening.half
  return (-b + Math.sqrt(Math.max(0, b * b - a * c))) / a
}

function meetAt(
  ray: Ray,
  way: number,
  nx: number,
  ny: number,
  nz: number,
  material: Material,
): void {
  ray.way = way
  ray.nx = nx
  ray.ny = ny
  ray.nz = nz
  ray.material = material
}
