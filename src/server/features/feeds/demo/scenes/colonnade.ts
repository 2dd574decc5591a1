/** Long rows of columns and arches, and the stripes that the sun lays between them. */
import { createCanvas, develop } from '../canvas/canvas.ts'
import type { Colour } from '../canvas/colour.ts'
import { createRamp, hex, relight, scale, smoothstep } from '../canvas/colour.ts'
import { createNoise } from '../canvas/noise.ts'
import type { Random } from '../canvas/random.ts'
import { createRandom } from '../canvas/random.ts'
import type { Material } from '../canvas/raymarch.ts'
import { paintStage } from '../canvas/raymarch.ts'
import { archway, block, drum, repeated } from '../canvas/solids.ts'
import type { Commission, MoodOf } from '../repertoire.ts'

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
  const materials: Record<'stone' | 'wall' | 'floor' | 'joint', Material> = {
    stone: { colour: stone },
    wall: { colour: wall },
    floor: { colour: floor, shine: 0.06, polish: 18, mirror: random.chance(0.4) ? 0.45 : 0 },
    joint: { colour: scale(floor, 0.72) },
  }
  const tile = random.between(0.8, 1.5)
  const hall = drawHall(random)
  const ramp = createRamp([
    [0, tint(hex(light.sky[0]))],
    [1, tint(hex(light.sky[1]))],
  ])
  const side = random.chance(0.5) ? 1 : -1
  const canvas = createCanvas(width, height)
  paintStage(canvas, {
    distance: (x, y, z) => hall.distance(x * side, y, z),
    material(x, y, z, normalY) {
      if (normalY < 0.9 || y > 0.02)
        return x * side < -hall.wallX + 0.1 ? materials.wall : materials.stone
      const joint = Math.abs(repeated(x, tile)) < 0.014 || Math.abs(repeated(z, tile)) < 0.014
      return joint ? materials.joint : materials.floor
    },
    texture: (x, y, z) => 1 + 0.13 * noise.fbm(x * 1.6 + z * 1.1, y * 1.9 + z * 0.3, 3),
    sky: (_, dirY) => ramp.at(smoothstep(-0.02, 0.5, dirY)),
    eye: [random.between(-1, 0.1) * side, random.between(1.2, 2), -3.4],
    target: [random.between(-0.3, 1) * side, random.between(1.5, 2), 6],
    zoom: random.between(1.3, 1.75),
    sun: {
      towards: [
        side * random.between(0.7, 1),
        light.height * random.between(0.8, 1.15),
        random.between(-0.5, 0.35),
      ],
      colour: light.sun,
      hardness: 34,
    },
    fill: { above: light.above, bounce: light.bounce },
    farthest: 46,
    fog: { colour: tint(hex(light.haze)), density: random.between(0.008, 0.028) },
  })
  return develop(canvas, { curve: 'film', vignette: 0.3 })
}

function drawHall(random: Random) {
  const spacing = random.between(1.7, 2.6)
  const radius = random.between(0.2, 0.34)
  const spring = random.between(2.6, 3.3)
  const rowX = random.between(1.4, 1.9)
  const wallX = random.between(1.5, 2.3)
  const square = random.chance(0.35)
  const open = random.chance(0.3)
  const ceiling = spring + spacing / 2 + random.between(0.4, 0.9)
  const half = spacing / 2 - radius * 0.8

  const row = (x: number, y: number, z: number): number => {
    const beside = repeated(z, spacing)
    const shaft = square
      ? block(x, y - spring / 2, beside, radius, spring / 2, radius)
      : drum(x, y - spring / 2, beside, radius * (1.06 - y * 0.04), spring / 2)
    const capital = block(x, y - spring + 0.06, beside, radius * 1.4, 0.12, radius * 1.4)
    const foot = block(x, y - 0.08, beside, radius * 1.4, 0.1, radius * 1.4)
    const between = archway(repeated(z - spacing / 2, spacing), y, half, spring)
    const arcade = Math.max(
      block(x, y - (spring + ceiling) / 2, z - 20, radius * 0.9, (ceiling - spring) / 2 + 0.06, 60),
      -between,
    )
    return Math.min(shaft, capital, foot, arcade)
  }

  return {
    wallX: open ? 99 : wallX,
    distance(x: number, y: number, z: number): number {
      const first = row(x - rowX, y, z)
      const second = open ? row(x + rowX, y, z) : x + wallX
      const roof = Math.max(ceiling - y, x - rowX - radius, open ? -x - rowX - radius : -99)
      return Math.min(first, second, roof, y, 34 - z) * 0.95
    },
  }
}
