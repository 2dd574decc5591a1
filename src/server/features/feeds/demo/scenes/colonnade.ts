/** Long rows of columns and arches, and the stripes that the sun lays between them. */
import { createCanvas, develop } from '../canvas/canvas.ts'
import type { Colour } from '../canvas/colour.ts'
import { clamp, createRamp, hex, relight, scale, smoothstep } from '../canvas/colour.ts'
import { createNoise } from '../canvas/noise.ts'
import type { Random } from '../canvas/random.ts'
import { createRandom } from '../canvas/random.ts'
import type { Material } from '../canvas/stage.ts'
import { createRay, paintStage } from '../canvas/stage.ts'
import type { Body } from '../canvas/trace.ts'
import { blockBody, drumBody, ground, traceProbe } from '../canvas/trace.ts'
import type { Commission, MoodOf } from '../repertoire.ts'

type Materials = Record<'stone' | 'wall' | 'floor' | 'joint', Material>

type Light = {
  sky: readonly [string, string]
  sun: Colour
  above: Colour
  bounce: Colour
  height: number
  haze: string
}

const lights: Record<MoodOf<'colonnade'>, Light> = {
  morning: {
    sky: ['#f3e6cf', '#86b2d2'],
    sun: [2.4, 2, 1.5],
    above: [0.3, 0.36, 0.46],
    bounce: [0.3, 0.22, 0.14],
    height: 0.9,
    haze: '#ead9bd',
  },
  evening: {
    sky: ['#ffcf8e', '#c77f86'],
    sun: [2.8, 1.5, 0.7],
    above: [0.28, 0.27, 0.4],
    bounce: [0.36, 0.19, 0.1],
    height: 0.5,
    haze: '#f0b484',
  },
  moonlight: {
    sky: ['#557f9c', '#0a1830'],
    sun: [0.7, 0.9, 1.25],
    above: [0.07, 0.11, 0.2],
    bounce: [0.05, 0.07, 0.12],
    height: 0.8,
    haze: '#2c4a64',
  },
}

/** Stone, the wall behind, the floor. */
const stones = [
  ['#d9c4a0', '#b0532f', '#b59a78'],
  ['#e9e2d4', '#c9b79a', '#8d8576'],
  ['#cfa98a', '#8c4a38', '#a37f66'],
  ['#d6d8d2', '#4f6e78', '#9aa09a'],
  ['#e4c6b4', '#c9807a', '#b79a8c'],
] as const

export function paintColonnade({ seed, mood, width, height }: Commission<'colonnade'>): Uint8Array {
  const random = createRandom(seed)
  const noise = createNoise(seed)
  const light = lights[mood]
  const tint = relight(random, 8)
  const [stone, wall, floor] = random.pick(stones).map((text) => tint(hex(text))) as [
    Colour,
    Colour,
    Colour,
  ]
  const materials: Materials = {
    stone: { colour: stone },
    wall: { colour: wall },
    floor: { colour: floor, shine: 0.06, polish: 18, mirror: random.chance(0.4) ? 0.45 : 0 },
    joint: { colour: scale(floor, 0.72) },
  }
  const tile = random.between(0.8, 1.5)
  const side = random.chance(0.5) ? 1 : -1
  const floorAt = (x: number, z: number) =>
    isNearJoint(x / tile) || isNearJoint(z / tile) ? materials.joint : materials.floor
  const ramp = createRamp([
    [0, tint(hex(light.sky[0]))],
    [1, tint(hex(light.sky[1]))],
  ])
  const canvas = createCanvas(width, height)
  paintStage(canvas, {
    probe: traceProbe([ground(floorAt), ...build(random, materials, side)], { farthest: 60 }),
    texture: (x, y, z) => 1 + 0.12 * noise.fbm(x * 1.3 + z * 1.1, y * 1.5 + z * 0.3, 2),
    sky: (high) => ramp.at(smoothstep(-0.02, 0.5, high)),
    eye: [random.between(-0.9, 0.1) * side, random.between(1.2, 2), -3.4],
    target: [random.between(-0.3, 1) * side, random.between(1.5, 2), 6],
    zoom: random.between(1.3, 1.75),
    sun: {
      towards: [
        side * random.between(0.7, 1),
        light.height * random.between(0.8, 1.15),
        random.between(-0.5, 0.35),
      ],
      colour: light.sun,
    },
    fill: { above: light.above, bounce: light.bounce },
    fog: { colour: tint(hex(light.haze)), density: random.between(0.008, 0.028) },
  })
  return develop(canvas, { curve: 'film', vignette: 0.3 })
}

function isNearJoint(tiles: number): boolean {
  return Math.abs(tiles - Math.round(tiles)) < 0.012
}

type Row = {
  x: number
  spacing: number
  radius: number
  spring: number
  top: number
  square: boolean
}

function build(random: Random, materials: Materials, side: number): Body[] {
  const { stone, wall } = materials
  const spacing = random.between(1.7, 2.6)
  const spring = random.between(2.6, 3.3)
  const row: Row = {
    x: side * random.between(1.4, 1.9),
    spacing,
    radius: random.between(0.2, 0.34),
    spring,
    top: spring + spacing / 2 + random.between(0.4, 0.9),
    square: random.chance(0.35),
  }
  const wallX = -side * random.between(1.6, 2.3)
  const open = random.chance(0.3)
  const roofEnd = open ? -row.x : wallX
  const roof = {
    x: (row.x + roofEnd) / 2,
    y: row.top + 0.2,
    z: 15,
    a: Math.abs(row.x - roofEnd) / 2 + row.radius,
    b: 0.2,
    c: 25,
  }
  return [
    columnRow(row, stone),
    open
      ? columnRow({ ...row, x: -row.x }, stone)
      : blockBody({ x: wallX - side * 0.2, y: 4, z: 15, a: 0.2, b: 4, c: 25 }, wall),
    blockBody(roof, stone),
    blockBody({ x: 0, y: 4, z: 36, a: 4, b: 4, c: 0.3 }, wall),
  ]
}

/** Endless bays of one column and one arch; a ray visits only those that it passes. */
function columnRow(row: Row, stone: Material): Body {
  const { radius, spring, spacing, top } = row
  const wide = radius * 1.4
  const bay: Body[] = [
    row.square
      ? blockBody({ x: row.x, y: spring / 2, z: 0, a: radius, b: spring / 2, c: radius }, stone)
      : drumBody({ x: row.x, z: 0, y0: 0, y1: spring, radius }, stone),
    blockBody({ x: row.x, y: spring - 0.06, z: 0, a: wide, b: 0.12, c: wide }, stone),
    blockBody({ x: row.x, y: 0.08, z: 0, a: wide, b: 0.1, c: wide }, stone),
    archBody(row, stone),
  ]
  return (ray) => {
    const near = (row.x - ray.x - Math.sign(ray.dx) * wide) / ray.dx
    const far = (row.x - ray.x + Math.sign(ray.dx) * wide) / ray.dx
    if (far < 0 || near > ray.way) return
    if (ray.y > top && ray.dy > 0) return
    const startZ = ray.z + ray.dz * Math.max(0, near)
    const endZ = ray.z + ray.dz * Math.min(far, ray.way)
    const first = clamp(Math.round(startZ / spacing), -3, 18)
    const last = clamp(Math.round(endZ / spacing), -3, 18)
    const step = last < first ? -1 : 1
    const { z, way } = ray
    for (let i = first; i !== last + step; i += step) {
      ray.z = z - i * spacing
      for (const body of bay) body(ray)
      if (ray.way < way) break
    }
    ray.z = z
  }
}

/** The wall over one bay: its arches open to either side of the column. */
function archBody(row: Row, stone: Material): Body {
  const half = row.spacing / 2 - row.radius * 0.8
  const height = (row.top - row.spring) / 2
  // The opening helper cuts along z, so the bay is turned a quarter: its x is our z.
  const turned = createRay()
  const wall = blockBody(
    { x: 0, y: row.spring + height, z: 0, a: row.spacing / 2, b: height, c: row.radius * 0.9 },
    stone,
    [-1, 1].map((end) => ({
      x: (end * row.spacing) / 2,
      half,
      bottom: 0,
      top: row.spring,
      round: true,
    })),
  )
  return (ray) => {
    turned.x = ray.z
    turned.y = ray.y
    turned.z = ray.x - row.x
    turned.dx = ray.dz
    turned.dy = ray.dy
    turned.dz = ray.dx
    turned.way = ray.way
    wall(turned)
    if (turned.way >= ray.way) return
    ray.way = turned.way
    ray.nx = turned.nz
    ray.ny = turned.ny
    ray.nz = turned.nx
    ray.material = turned.material
  }
}
