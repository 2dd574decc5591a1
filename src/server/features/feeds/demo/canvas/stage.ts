/** Solid things in sunlight, seen by a camera. How rays find the things is up to the probe. */
import { sampleAdaptively } from './adaptive.ts'
import type { Canvas } from './canvas.ts'
import type { Colour } from './colour.ts'
import { clamp, lerp } from './colour.ts'

export type Vector = readonly [x: number, y: number, z: number]

export type Material = {
  readonly colour: Colour
  /** Strength of the highlight, and how small it is. */
  readonly shine?: number
  readonly polish?: number
  /** How much of the sky it mirrors at a grazing look, for polished floors and glazes. */
  readonly mirror?: number
}

/** Where a look goes, and what it met: kept in one object so that nothing is made for each ray. */
export type Ray = {
  x: number
  y: number
  z: number
  dx: number
  dy: number
  dz: number
  /** How far the look went. */
  way: number
  nx: number
  ny: number
  nz: number
  material: Material
}

export type Probe = {
  /** Follows the ray to what it meets first: sets its way, normal and material. */
  find(ray: Ray): boolean
  /** From 0 in shadow to 1 in the sun, at the ray's own place, looking along its direction. */
  sunlight(ray: Ray): number
  /** From 0 in a corner to 1 in the open, at the ray's place with its normal. */
  openness(ray: Ray): number
}

export type Stage = {
  readonly probe: Probe
  /** A pattern on the surface, around 1. */
  texture(x: number, y: number, z: number): number
  /** What is behind everything, by the height of the look (-1 down, 1 up). */
  sky(high: number): Colour
  readonly eye: Vector
  readonly target: Vector
  readonly zoom: number
  readonly sun: { readonly towards: Vector; readonly colour: Colour }
  readonly fill: { readonly above: Colour; readonly bounce: Colour }
  readonly fog?: { readonly colour: Colour; readonly density: number }
}

const nothing: Material = { colour: [0, 0, 0] }
// A ray that starts on a surface must not find that same surface.
const liftOff = 0.004

export function createRay(): Ray {
  return {
    x: 0,
    y: 0,
    z: 0,
    dx: 0,
    dy: 0,
    dz: 1,
    way: Infinity,
    nx: 0,
    ny: 1,
    nz: 0,
    material: nothing,
  }
}

export function paintStage(canvas: Canvas, stage: Stage): void {
  const { width, height } = canvas
  const forward = unit(minus(stage.target, stage.eye))
  const right = unit(cross([0, 1, 0], forward))
  const up = cross(forward, right)
  const narrow = Math.min(width, height)
  const ray = createRay()
  const shade = createShade(stage)
  sampleAdaptively(canvas, (x, y, into) => {
    const across = ((x - width / 2) * 2) / narrow
    const high = ((height / 2 - y) * 2) / narrow
    const dx = forward[0] * stage.zoom + right[0] * across + up[0] * high
    const dy = forward[1] * stage.zoom + right[1] * across + up[1] * high
    const dz = forward[2] * stage.zoom + right[2] * across + up[2] * high
    const length = Math.sqrt(dx * dx + dy * dy + dz * dz)
    ray.x = stage.eye[0]
    ray.y = stage.eye[1]
    ray.z = stage.eye[2]
    ray.dx = dx / length
    ray.dy = dy / length
    ray.dz = dz / length
    shade(ray, into)
  })
}

/** Follows a ray and writes the light that comes back along it. */
function createShade(stage: Stage) {
  const { probe, fill, fog } = stage
  const [sunX, sunY, sunZ] = unit(stage.sun.towards)
  const toSun = createRay()
  return (ray: Ray, into: Float64Array): void => {
    if (!probe.find(ray)) {
      into.set(stage.sky(ray.dy))
      return
    }
    const { nx, ny, nz, dx, dy, dz, material, way } = ray
    ray.x += dx * way
    ray.y += dy * way
    ray.z += dz * way
    const facing = nx * sunX + ny * sunY + nz * sunZ
    let lit = 0
    if (facing > 0) {
      toSun.x = ray.x + nx * liftOff
      toSun.y = ray.y + ny * liftOff
      toSun.z = ray.z + nz * liftOff
      toSun.dx = sunX
      toSun.dy = sunY
      toSun.dz = sunZ
      lit = facing * probe.sunlight(toSun)
    }
    const open = probe.openness(ray)
    const skylight = (0.5 + 0.5 * ny) * open
    const bounce = clamp(0.35 - 0.5 * (nx * sunX + nz * sunZ)) * open
    const towards = dx * nx + dy * ny + dz * nz
    const gleam = material.shine && lit > 0 ? highlight(material, ray, [sunX, sunY, sunZ]) * lit : 0
    const graze = material.mirror ? material.mirror * (1 - Math.max(0, -towards)) ** 3 : 0
    const mirrored = graze > 0 ? stage.sky(dy - 2 * ny * towards) : null
    const pattern = stage.texture(ray.x, ray.y, ray.z)
    const veil = fog ? 1 - Math.exp(-way * fog.density) : 0
    for (let channel = 0; channel < 3; channel += 1) {
      const sun = stage.sun.colour[channel] ?? 0
      const around = (fill.above[channel] ?? 0) * skylight + (fill.bounce[channel] ?? 0) * bounce
      let value = (material.colour[channel] ?? 0) * pattern * (sun * lit + around) + gleam * sun
      if (mirrored) value = lerp(value, mirrored[channel] ?? 0, graze)
      into[channel] = fog ? lerp(value, fog.colour[channel] ?? 0, veil) : value
    }
  }
}

function highlight(material: Material, ray: Ray, sun: Vector): number {
  const half = unit(minus(sun, [ray.dx, ray.dy, ray.dz]))
  const along = half[0] * ray.nx + half[1] * ray.ny + half[2] * ray.nz
  return (material.shine ?? 0) * Math.max(0, along) ** (material.polish ?? 40)
}

function minus(a: Vector, b: Vector): Vector {
  return [a[0] - b[0], a[1] - b[1], a[2] - b[2]]
}

function cross(a: Vector, b: Vector): Vector {
  return [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]
}

function unit(a: Vector): Vector {
  const length = Math.sqrt(a[0] * a[0] + a[1] * a[1] + a[2] * a[2]) || 1
  return [a[0] / length, a[1] / length, a[2] / length]
}
