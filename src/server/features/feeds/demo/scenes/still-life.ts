/** Fruit, bowls and bottles on a table by a window. */
import { createCanvas, develop } from '../canvas/canvas.ts'
import type { Colour } from '../canvas/colour.ts'
import { hex, relight, scale } from '../canvas/colour.ts'
import type { Profile } from '../canvas/lathe.ts'
import { latheBody, smoothProfile } from '../canvas/lathe.ts'
import { createNoise } from '../canvas/noise.ts'
import type { Random } from '../canvas/random.ts'
import { createRandom } from '../canvas/random.ts'
import type { Material } from '../canvas/stage.ts'
import { paintStage } from '../canvas/stage.ts'
import type { Body } from '../canvas/trace.ts'
import { ballBody, blockBody, drumBody, traceProbe } from '../canvas/trace.ts'
import type { Commission, MoodOf } from '../repertoire.ts'

type Light = {
  wall: string
  table: string
  sun: Colour
  above: Colour
  bounce: Colour
  sunSize: number
}

const lights: Record<MoodOf<'stilllife'>, Light> = {
  north: {
    wall: '#8f978c',
    table: '#a98a66',
    sun: [1.7, 1.65, 1.55],
    above: [0.4, 0.43, 0.48],
    bounce: [0.2, 0.16, 0.12],
    sunSize: 0.16,
  },
  evening: {
    wall: '#6b4a36',
    table: '#8a5a34',
    sun: [2.7, 1.75, 0.95],
    above: [0.2, 0.2, 0.26],
    bounce: [0.24, 0.13, 0.07],
    sunSize: 0.09,
  },
  candle: {
    wall: '#2a2622',
    table: '#4a3020',
    sun: [2.5, 1.35, 0.55],
    above: [0.05, 0.055, 0.075],
    bounce: [0.1, 0.05, 0.02],
    sunSize: 0.13,
  },
}

const glazes = [
  '#1f5a5e',
  '#2c4a7c',
  '#e9e1d0',
  '#7a2f24',
  '#38402c',
  '#c9a24a',
  '#5b6f86',
] as const
const fruits = ['#e0701c', '#c9321f', '#d9b52c', '#8fa838', '#6b1f33', '#e8a13c'] as const

export function paintStillLife({ seed, mood, width, height }: Commission<'stilllife'>): Uint8Array {
  const random = createRandom(seed)
  const noise = createNoise(seed)
  const light = lights[mood]
  const tint = relight(random, 14)
  const table: Material = { colour: tint(hex(light.table)), shine: 0.08, polish: 14 }
  const wall: Material = { colour: tint(hex(light.wall)) }
  const side = random.chance(0.5) ? 1 : -1
  const bodies = [
    ...arrange(random, (text) => tint(hex(text))),
    blockBody({ x: 0, y: -0.4, z: 0, a: 12, b: 0.4, c: 2.4 }, table),
    blockBody({ x: 0, y: 3, z: 2.7, a: 14, b: 8, c: 0.3 }, wall),
  ]
  const canvas = createCanvas(width, height)
  paintStage(canvas, {
    probe: traceProbe(bodies, { farthest: 20, reach: 0.8, sunSize: light.sunSize }),
    texture(x, y, z) {
      if (z > 2.3) return 1 + 0.35 * noise.fbm(x * 0.8, y * 0.8, 3)
      return y < 0.002 ? 1 + 0.26 * noise.fbm(x * 0.8, z * 6, 2) : 1
    },
    sky: () => wall.colour,
    eye: [random.between(-0.8, 0.8), random.between(1.5, 2.4), -6.2],
    target: [0, random.between(0.7, 0.9), 0],
    zoom: width > height ? random.between(2.7, 3.2) : random.between(2.4, 2.8),
    sun: {
      towards: [
        -side * random.between(0.7, 1.1),
        random.between(0.5, 0.85),
        -random.between(0.2, 0.6),
      ],
      colour: light.sun,
    },
    fill: { above: light.above, bounce: light.bounce },
  })
  return develop(canvas, { curve: 'film', vignette: 0.4, grain: 2 })
}

/** Tall things behind, low things in front, and room between them. */
function arrange(random: Random, colour: (text: string) => Colour): Body[] {
  const glaze = (): Material => ({
    colour: colour(random.pick(glazes)),
    shine: random.between(0.3, 0.9),
    polish: random.between(30, 90),
    mirror: 0.3,
  })
  const peel = (): Material => ({ colour: colour(random.pick(fruits)), shine: 0.22, polish: 24 })
  const [first, second, third, fourth] = random
    .shuffle([-1.1, -0.35, 0.45, 1.15])
    .map((x) => x + random.between(-0.1, 0.1)) as [number, number, number, number]
  const skin = peel()
  const tall = random.pick([bottle, vase, jug])
  return [
    latheBody({ x: first, y: 0, z: 0.55 }, tall(random), glaze()),
    ...(random.chance(0.7)
      ? filledBowl(random, second, glaze(), peel())
      : [
          latheBody({ x: second, y: 0, z: 0.3 }, random.pick([bottle, vase, cup])(random), glaze()),
        ]),
    ...fruit(random, third, -0.6, skin),
    ...fruit(random, fourth, -0.85, random.chance(0.5) ? skin : peel()),
    ...(random.chance(0.4) ? fruit(random, (third + fourth) / 2, -1.25, skin) : []),
  ]
}

function bottle(random: Random): Profile {
  const wide = random.between(0.24, 0.36)
  const shoulder = random.between(0.95, 1.4)
  const neck = random.between(0.07, 0.11)
  const top = shoulder + random.between(0.5, 0.9)
  return [
    [wide * 0.94, 0],
    ...smoothProfile([
      [wide, 0.05],
      [wide, shoulder * 0.6],
      [wide * 0.97, shoulder * 0.9],
      [neck * 1.5, shoulder * 1.18],
      [neck, shoulder * 1.3],
      [neck, top],
    ]),
    [neck * 1.4, top + 0.01],
    [neck * 1.4, top + 0.08],
    [0, top + 0.081],
  ]
}

function vase(random: Random): Profile {
  const wide = random.between(0.34, 0.5)
  const tall = random.between(1, 1.5)
  return [
    ...smoothProfile([
      [wide * 0.5, 0],
      [wide * random.between(0.7, 1), tall * 0.25],
      [wide, tall * random.between(0.45, 0.6)],
      [wide * random.between(0.35, 0.5), tall * 0.86],
      [wide * random.between(0.5, 0.7), tall],
    ]),
    [wide * 0.3, tall - 0.02],
    [wide * 0.28, tall - 0.5],
  ]
}

function jug(random: Random): Profile {
  const wide = random.between(0.36, 0.46)
  const tall = random.between(1, 1.3)
  return [
    ...smoothProfile([
      [wide * 0.7, 0],
      [wide, tall * 0.35],
      [wide * 0.75, tall * 0.7],
      [wide * 0.55, tall * 0.85],
      [wide * 0.72, tall],
    ]),
    [wide * 0.62, tall],
    [wide * 0.4, tall - 0.4],
  ]
}

function cup(random: Random): Profile {
  const wide = random.between(0.3, 0.4)
  const tall = random.between(0.4, 0.6)
  return [
    [wide * 0.7, 0],
    [wide * 0.85, 0.06],
    [wide, tall],
    [wide * 0.93, tall],
    [wide * 0.8, 0.1],
    [0, 0.08],
  ]
}

function filledBowl(random: Random, x: number, glaze: Material, peel: Material): Body[] {
  const wide = random.between(0.55, 0.72)
  const outside = smoothProfile([
    [wide * 0.45, 0],
    [wide * 0.5, 0.06],
    [wide * 0.85, wide * 0.38],
    [wide, wide * 0.75],
  ])
  const inside = smoothProfile([
    [wide * 0.94, wide * 0.75],
    [wide * 0.78, wide * 0.38],
    [0.02, 0.12],
  ])
  const heap = [
    [-0.27, -0.14],
    [0.28, -0.08],
    [0.02, 0.26],
    [0.01, 0.02],
  ] as const
  const size = wide * random.between(0.34, 0.4)
  return [
    latheBody({ x, y: 0, z: 0.2 }, [...outside, ...inside], glaze),
    ...heap.map(([dx, dz], i) =>
      ballBody(
        x + dx * wide * 1.4,
        wide * (i === 3 ? 1.25 : 0.72) + size * 0.2,
        0.2 + dz * wide * 1.4,
        size,
        peel,
      ),
    ),
  ]
}

function fruit(random: Random, x: number, z: number, material: Material): Body[] {
  const wide = random.between(0.28, 0.38)
  const isPear = random.chance(0.45)
  const profile: Profile = isPear
    ? [
        [0.02, 0],
        [0.7, 0.1],
        [1, 0.8],
        [0.86, 1.4],
        [0.52, 2],
        [0.4, 2.35],
        [0.2, 2.52],
        [0.02, 2.55],
      ]
    : [
        [0.05, 0.08],
        [0.45, 0],
        [0.9, 0.45],
        [1, 1],
        [0.8, 1.55],
        [0.4, 1.76],
        [0.15, 1.68],
        [0.02, 1.58],
      ]
  const scaled = smoothProfile(profile.map(([radius, height]) => [radius * wide, height * wide]))
  const top = wide * (isPear ? 2.5 : 1.56)
  const stem: Material = { colour: scale(hex('#3a2a18'), 1) }
  return [
    latheBody({ x, y: 0, z }, scaled, material),
    drumBody({ x, z, y0: top, y1: top + wide * 0.42, radius: 0.014 }, stem),
  ]
}
