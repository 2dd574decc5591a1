/** Plain walls, steps and openings in hard sunlight, with one odd thing left on the floor. */
import { createCanvas, develop } from '../canvas/canvas.ts'
import type { Colour } from '../canvas/colour.ts'
import { createRamp, hex, relight, smoothstep } from '../canvas/colour.ts'
import { createNoise } from '../canvas/noise.ts'
import type { Random } from '../canvas/random.ts'
import { createRandom } from '../canvas/random.ts'
import type { Material } from '../canvas/stage.ts'
import { paintStage } from '../canvas/stage.ts'
import type { Body, Opening } from '../canvas/trace.ts'
import { ballBody, blockBody, drumBody, ground, groupBody, traceProbe } from '../canvas/trace.ts'
import type { Commission, MoodOf } from '../repertoire.ts'

type Materials = Record<'wall' | 'floor' | 'accent' | 'trim', Material>

type Light = {
  sky: readonly [low: string, high: string]
  sun: Colour
  above: Colour
  bounce: Colour
  height: number
}

const lights: Record<MoodOf<'stairs'>, Light> = {
  noon: {
    sky: ['#b5d5e6', '#2c7bb8'],
    sun: [2.1, 1.95, 1.7],
    above: [0.36, 0.48, 0.62],
    bounce: [0.3, 0.22, 0.15],
    height: 1.05,
  },
  evening: {
    sky: ['#ffd9a4', '#7d9cc0'],
    sun: [2.5, 1.55, 0.85],
    above: [0.34, 0.36, 0.52],
    bounce: [0.34, 0.18, 0.1],
    height: 0.55,
  },
  moonlight: {
    sky: ['#3a6488', '#081428'],
    sun: [0.75, 0.95, 1.25],
    above: [0.07, 0.12, 0.22],
    bounce: [0.05, 0.07, 0.1],
    height: 0.8,
  },
}

/** Walls, floor, and the one thing that differs. */
const paints = [
  ['#f2ece0', '#e6cdae', '#c8502c'],
  ['#e88f86', '#f0c3a0', '#3c7a8c'],
  ['#e9b44c', '#f1dfb8', '#2f5d8a'],
  ['#4f8fb0', '#e8dcc4', '#e2703a'],
  ['#c75b3c', '#e9c79c', '#f3ead6'],
  ['#efe6da', '#9fb8a8', '#e0a030'],
  ['#b7a3c9', '#ecd9d0', '#d84f6a'],
  ['#7fa98a', '#efe2c2', '#d9603b'],
] as const

export function paintStairs({ seed, mood, width, height }: Commission<'stairs'>): Uint8Array {
  const random = createRandom(seed)
  const noise = createNoise(seed)
  const light = lights[mood]
  const tint = relight(random, 8)
  const [wall, floor, accent] = random.pick(paints).map((text) => tint(hex(text))) as [
    Colour,
    Colour,
    Colour,
  ]
  const materials: Materials = {
    wall: { colour: wall },
    floor: { colour: floor },
    accent: { colour: accent, shine: 0.25, polish: 28 },
    trim: { colour: tint(hex('#f6efe2')) },
  }
  const side = random.chance(0.5) ? 1 : -1
  const ramp = createRamp([
    [0, tint(hex(light.sky[0]))],
    [1, tint(hex(light.sky[1]))],
  ])
  const canvas = createCanvas(width, height)
  const back = width < height ? 1.25 : 1
  paintStage(canvas, {
    probe: traceProbe(build(random, materials, side), { farthest: 34 }),
    texture: (x, y, z) => 1 + 0.07 * noise.fbm(x * 1.6 + z * 1.3, y * 1.6 + z, 2),
    sky: (high) => ramp.at(smoothstep(-0.05, 0.6, high)),
    eye: [-3.7 * side * back, random.between(1.9, 3.2), -5.4 * back],
    target: [0.4 * side, random.between(1.35, 1.8), 1],
    zoom: random.between(1.75, 2.2),
    sun: {
      towards: [
        -side * random.between(0.35, 0.95),
        light.height * random.between(0.85, 1.15),
        -random.between(0.15, 0.5),
      ],
      colour: light.sun,
    },
    fill: { above: light.above, bounce: light.bounce },
  })
  return develop(canvas, { curve: 'film', vignette: 0.15 })
}

/** The yard, for a viewer from the left; `side` -1 mirrors it. */
function build(random: Random, materials: Materials, side: number): Body[] {
  const { wall, trim } = materials
  const bodies: Body[] = [ground(materials.floor)]
  const steps = random.whole(6, 12)
  const tread = random.between(0.28, 0.4)
  const rise = random.between(0.13, 0.19)
  const stairX = random.between(0, 0.9)
  const stone = random.chance(0.4) ? trim : wall
  const flight = Array.from({ length: steps }, (_, i) => {
    const x = side * (stairX + (i + 0.5) * tread)
    const half = ((i + 1) * rise) / 2
    return blockBody({ x, y: half, z: 1.15, a: tread / 2, b: half, c: 1.05 }, stone)
  })
  const long = (steps * tread) / 2
  const high = (steps * rise) / 2
  const around = { x: side * (stairX + long), y: high, z: 1.15, a: long, b: high, c: 1.05 }
  bodies.push(groupBody(around, flight))
  const top = (steps * rise) / 2
  const landingX = side * (stairX + steps * tread + 2)
  bodies.push(blockBody({ x: landingX, y: top, z: 1.15, a: 2, b: top, c: 1.05 }, stone))

  const wallTop = random.between(3.6, 5.4)
  const openings = [
    {
      x: side * random.between(-1.7, -0.7),
      half: random.between(0.38, 0.6),
      bottom: 0,
      top: random.between(1.3, 2),
      round: true,
    },
    cutWindow(random, side, wallTop),
  ]
  const back = { x: side, y: wallTop / 2, z: 2.6, a: 7, b: wallTop / 2, c: 0.34 }
  bodies.push(blockBody(back, wall, openings))
  if (random.chance(0.5)) {
    const tower = { x: side * random.between(3.6, 4.8), z: 1.2, y0: 0, y1: random.between(4, 7) }
    bodies.push(drumBody({ ...tower, radius: 0.8 }, wall))
  }
  if (random.chance(0.5))
    bodies.push(blockBody({ x: -4.1 * side, y: 0.5, z: 1.4, a: 0.18, b: 0.5, c: 1.4 }, wall))
  if (random.chance(0.45)) {
    const poleX = side * random.between(-3.2, -2.6)
    bodies.push(blockBody({ x: poleX, y: 1.7, z: 1.9, a: 0.16, b: 1.7, c: 0.16 }, materials.accent))
  }
  return [...bodies, ...leaveThing(random, materials.accent, side)]
}

function cutWindow(random: Random, side: number, wallTop: number): Opening {
  const half = random.between(0.3, 0.5)
  const top = Math.min(wallTop - half - 0.25, random.between(2.8, 3.7))
  const round = random.chance(0.5)
  return {
    x: side * random.between(1.2, 2.6),
    half,
    bottom: top - random.between(0.3, 0.9),
    top: round ? top : top + half * 0.5,
    round,
  }
}

function leaveThing(random: Random, material: Material, side: number): Body[] {
  const x = side * random.between(-2.2, -1.2)
  const z = random.between(0.2, 1.2)
  const size = random.between(0.24, 0.42)
  const ball = ballBody(x, size, z, size, material)
  switch (random.pick(['ball', 'drum', 'cube', 'pair'] as const)) {
    case 'ball':
      return [ball]
    case 'drum':
      return [drumBody({ x, z, y0: 0, y1: size * 2.8, radius: size * 0.7 }, material)]
    case 'cube':
      return [blockBody({ x, y: size, z, a: size, b: size, c: size }, material)]
    case 'pair':
      return [ball, ballBody(x + side * size * 1.7, size * 0.6, z - 0.3, size * 0.6, material)]
  }
}
