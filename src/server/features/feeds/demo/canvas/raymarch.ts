/** Solid scenes in sunlight: rays feel their way to a surface, then to the sun, then around. */
import { sampleAdaptively } from './adaptive.ts'
import type { Canvas } from './canvas.ts'
import type { Colour } from './colour.ts'
import { clamp, lerp } from './colour.ts'

export type Vector = readonly [x: number, y: number, z: number]

/** What a surface is made of; a scene hands out the same objects again and again. */
export type Material = {
  readonly colour: Colour
  /** Strength of the highlight, and how small it is. */
  readonly shine?: number
  readonly polish?: number
  /** How much of the sky it mirrors at a grazing look, for water and glazes. */
  readonly mirror?: number
}

export type Stage = {
  distance(x: number, y: number, z: number): number
  material(x: number, y: number, z: number, normalY: number): Material
  /** A pattern on the surface, around 1. */
  texture?(x: number, y: number, z: number, normalY: number): number
  sky(dirX: number, dirY: number): Colour
  readonly eye: Vector
  readonly target: Vector
  readonly zoom: number
  readonly sun: { readonly towards: Vector; readonly colour: Colour; readonly hardness: number }
  readonly fill: { readonly above: Colour; readonly bounce: Colour }
  readonly farthest: number
  readonly fog?: { readonly colour: Colour; readonly density: number }
}

const marchSteps = 110
const shadowSteps = 44

export function paintStage(canvas: Canvas, stage: Stage): void {
  const { width, height } = canvas
  const forward = unit(minus(stage.target, stage.eye))
  const right = unit(cross([0, 1, 0], forward))
  const up = cross(forward, right)
  const narrow = Math.min(width, height)
  const light = createLight(stage)
  sampleAdaptively(canvas, (x, y, into) => {
    const across = ((x - width / 2) * 2) / narrow
    const high = ((height / 2 - y) * 2) / narrow
    const dx = forward[0] * stage.zoom + right[0] * across + up[0] * high
    const dy = forward[1] * stage.zoom + right[1] * across + up[1] * high
    const dz = forward[2] * stage.zoom + right[2] * across + up[2] * high
    const length = Math.sqrt(dx * dx + dy * dy + dz * dz)
    light(dx / length, dy / length, dz / length, into)
  })
}

/** The light that comes from one direction. */
function createLight(stage: Stage) {
  const { distance, eye, fill, fog } = stage
  const [sunX, sunY, sunZ] = unit(stage.sun.towards)
  return (dx: number, dy: number, dz: number, into: Float64Array): void => {
    const way = march(stage, dx, dy, dz)
    if (way >= stage.farthest) {
      into.set(stage.sky(dx, dy))
      return
    }
    const x = eye[0] + dx * way
    const y = eye[1] + dy * way
    const z = eye[2] + dz * way
    const reach = 0.0012
    // Four looks, on the corners of a tetrahedron, tell which way the surface faces.
    const a = distance(x + reach, y - reach, z - reach)
    const b = distance(x - reach, y - reach, z + reach)
    const c = distance(x - reach, y + reach, z - reach)
    const d = distance(x + reach, y + reach, z + reach)
    let nx = a - b - c + d
    let ny = -a - b + c + d
    let nz = -a + b - c + d
    const length = Math.sqrt(nx * nx + ny * ny + nz * nz) || 1
    nx /= length
    ny /= length
    nz /= length
    const facing = nx * sunX + ny * sunY + nz * sunZ
    const lit =
      facing <= 0
        ? 0
        : facing * sunlight(stage, x + nx * 0.006, y + ny * 0.006, z + nz * 0.006, sunX, sunY, sunZ)
    const open = openness(stage, x, y, z, nx, ny, nz)
    const bounce = clamp(0.35 - 0.5 * (nx * sunX + nz * sunZ)) * open
    const skylight = (0.5 + 0.5 * ny) * open
    const material = stage.material(x, y, z, ny)
    const pattern = stage.texture ? stage.texture(x, y, z, ny) : 1
    const gleam =
      lit > 0 && material.shine
        ? highlight(material, [nx, ny, nz], [dx, dy, dz], [sunX, sunY, sunZ]) * lit
        : 0
    const graze = material.mirror
      ? material.mirror * (1 - Math.max(0, -(dx * nx + dy * ny + dz * nz))) ** 3
      : 0
    const turned =
      graze > 0 ? stage.sky(dx - 2 * nx * (dx * nx + dy * ny + dz * nz), Math.abs(dy)) : null
    const veil = fog ? 1 - Math.exp(-way * fog.density) : 0
    for (let channel = 0; channel < 3; channel += 1) {
      const direct = (stage.sun.colour[channel] ?? 0) * lit
      const around = (fill.above[channel] ?? 0) * skylight + (fill.bounce[channel] ?? 0) * bounce
      let value = (material.colour[channel] ?? 0) * pattern * (direct + around)
      value += gleam * (stage.sun.colour[channel] ?? 0)
      if (turned) value = lerp(value, turned[channel] ?? 0, graze)
      into[channel] = fog ? lerp(value, fog.colour[channel] ?? 0, veil) : value
    }
  }
}

function march({ distance, eye, farthest }: Stage, dx: number, dy: number, dz: number): number {
  let way = 0.02
  for (let i = 0; i < marchSteps && way < farthest; i += 1) {
    const free = distance(eye[0] + dx * way, eye[1] + dy * way, eye[2] + dz * way)
    if (free < 0.0005 + way * 0.0005) return way
    way += free * 0.95
  }
  return way
}

function sunlight(
  { distance, sun }: Stage,
  x: number,
  y: number,
  z: number,
  sunX: number,
  sunY: number,
  sunZ: number,
): number {
  let light = 1
  let way = 0.02
  for (let i = 0; i < shadowSteps && way < 12; i += 1) {
    const free = distance(x + sunX * way, y + sunY * way, z + sunZ * way)
    light = Math.min(light, (sun.hardness * free) / way)
    if (light < 0.005) return 0
    way += clamp(free, 0.015, 0.8)
  }
  return light * light * (3 - 2 * light)
}

/** How little stands around a place, from 0 in a corner to 1 in the open. */
function openness(
  { distance }: Stage,
  x: number,
  y: number,
  z: number,
  nx: number,
  ny: number,
  nz: number,
): number {
  let closed = 0
  let weight = 1
  for (let i = 1; i <= 4; i += 1) {
    const out = 0.07 * i * i
    closed += weight * (out - distance(x + nx * out, y + ny * out, z + nz * out))
    weight *= 0.55
  }
  return clamp(1 - closed * 0.95)
}

function highlight(material: Material, normal: Vector, ray: Vector, sun: Vector): number {
  const half = unit(minus(sun, ray))
  const along = half[0] * normal[0] + half[1] * normal[1] + half[2] * normal[2]
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
