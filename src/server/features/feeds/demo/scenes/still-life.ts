/** Fruit, bowls and bottles on a table by a window. */
import { createCanvas, develop } from '../canvas/canvas.ts'
import type { Colour } from '../canvas/colour.ts'
import { hex, relight } from '../canvas/colour.ts'
import { createNoise } from '../canvas/noise.ts'
import type { Random } from '../canvas/random.ts'
import { createRandom } from '../canvas/random.ts'
import { marchProbe } from '../canvas/march.ts'
import type { Material } from '../canvas/stage.ts'
import { paintStage } from '../canvas/stage.ts'
import { ball, drum, melt } from '../canvas/solids.ts'
import type { Commission, MoodOf } from '../repertoire.ts'

type Light = {
  wall: string
  table: string
  sun: Colour
  above: Colour
  bounce: Colour
  hardness: number
}

const lights: Record<MoodOf<'stilllife'>, Light> = {
  north: {
    wall: '#8f978c',
    table: '#a98a66',
    sun: [1.7, 1.65, 1.55],
    above: [0.34, 0.37, 0.42],
    bounce: [0.16, 0.13, 0.1],
    hardness: 6,
  },
  evening: {
    wall: '#6b4a36',
    table: '#8a5a34',
    sun: [2.7, 1.75, 0.95],
    above: [0.16, 0.16, 0.22],
    bounce: [0.22, 0.12, 0.06],
    hardness: 9,
  },
  candle: {
    wall: '#2a2622',
    table: '#4a3020',
    sun: [2.5, 1.35, 0.55],
    above: [0.045, 0.05, 0.07],
    bounce: [0.1, 0.05, 0.02],
    hardness: 5,
  },
}

/** A thing on the table, its foot at y 0. */
type Thing = { x: number; z: number; material: Material } & (
  | { kind: 'ball'; y: number; size: number }
  | { kind: 'bowl'; wide: number }
  | { kind: 'apple' | 'pear'; size: number; lean: number }
  | { kind: 'bottle'; wide: number; tall: number; neck: number; thin: number }
)

const glazes = ['#1f5a5e', '#2c4a7c', '#e9e1d0', '#7a2f24', '#38402c', '#c9a24a'] as const
const fruits = ['#e0701c', '#c9321f', '#d9b52c', '#8fa838', '#6b1f33', '#e8a13c'] as const

export function paintStillLife({ seed, mood, width, height }: Commission<'stilllife'>): Uint8Array {
  const random = createRandom(seed)
  const noise = createNoise(seed)
  const light = lights[mood]
  const tint = relight(random, 14)
  const table: Material = { colour: tint(hex(light.table)), shine: 0.08, polish: 14 }
  const wall: Material = { colour: tint(hex(light.wall)) }
  const things = arrange(random, (text) => tint(hex(text)))
  const side = random.chance(0.5) ? 1 : -1
  const canvas = createCanvas(width, height)
  paintStage(canvas, {
    probe: marchProbe({
      distance(x, y, z) {
        let nearest = Math.min(Math.max(y, -z - 3), 2.3 - z)
        for (const thing of things) nearest = Math.min(nearest, distanceTo(thing, x, y, z))
        return nearest
      },
      material(x, y, z) {
        for (const thing of things) if (distanceTo(thing, x, y, z) < 0.01) return thing.material
        return z > 2.2 ? wall : table
      },
      hardness: light.hardness,
      farthest: 18,
    }),
    texture(x, y, z) {
      if (z > 2.2) return 1 + 0.35 * noise.fbm(x * 0.9, y * 0.9, 4)
      return y < 0.01
        ? 1 + 0.3 * noise.fbm(x * 0.8, z * 7, 3)
        : 1 + 0.06 * noise.at(x * 9, y * 9 + z)
    },
    sky: () => wall.colour,
    eye: [random.between(-0.7, 0.7), random.between(1.5, 2.3), -6.2],
    target: [0, random.between(0.75, 0.95), 0],
    zoom: width > height ? random.between(2.3, 2.7) : random.between(2.1, 2.4),
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
function arrange(random: Random, colour: (text: string) => Colour): Thing[] {
  const glaze = () => ({
    colour: colour(random.pick(glazes)),
    shine: 0.7,
    polish: 60,
    mirror: 0.35,
  })
  const peel = () => ({ colour: colour(random.pick(fruits)), shine: 0.22, polish: 24 })
  const [first, second, third, fourth] = random
    .shuffle([-1.15, -0.3, 0.55, 1.25])
    .map((x) => x + random.between(-0.12, 0.12)) as [number, number, number, number]
  const skin = peel()
  const fruit = (x: number, z: number, material: Material): Thing => ({
    kind: random.chance(0.45) ? 'pear' : 'apple',
    x,
    z,
    size: random.between(0.29, 0.4),
    lean: random.between(-0.08, 0.08),
    material,
  })
  return [
    bottle(random, first, 0.45, glaze()),
    ...(random.chance(0.75)
      ? filledBowl(random, second, glaze(), peel())
      : [bottle(random, second, 0.1, glaze())]),
    fruit(third, -0.7, skin),
    fruit(fourth, -0.95, random.chance(0.5) ? skin : peel()),
  ]
}

function bottle(random: Random, x: number, z: number, material: Material): Thing {
  return {
    kind: 'bottle',
    x,
    z,
    wide: random.between(0.26, 0.4),
    tall: random.between(0.5, 0.85),
    neck: random.between(0.25, 0.6),
    thin: random.between(0.07, 0.12),
    material,
  }
}

function filledBowl(random: Random, x: number, glaze: Material, peel: Material): Thing[] {
  const wide = random.between(0.62, 0.78)
  const inside = [
    [-0.24, -0.08],
    [0.26, 0.06],
    [0.02, 0.22],
  ] as const
  return [
    { kind: 'bowl', x, z: 0.2, wide, material: glaze },
    ...inside.map(([dx, dz]): Thing => ({
      kind: 'ball',
      x: x + dx * wide * 1.4,
      y: wide * 0.92,
      z: 0.2 + dz,
      size: wide * random.between(0.4, 0.46),
      material: peel,
    })),
  ]
}

function distanceTo(thing: Thing, px: number, py: number, pz: number): number {
  const x = px - thing.x
  const z = pz - thing.z
  switch (thing.kind) {
    case 'ball':
      return ball(x, py - thing.y, z, thing.size)
    case 'bowl': {
      const shell = Math.abs(ball(x, py - thing.wide, z, thing.wide)) - 0.03
      const foot = drum(x, py - 0.04, z, thing.wide * 0.42, 0.05)
      return Math.min(Math.max(shell, py - thing.wide * 0.88), foot)
    }
    case 'apple': {
      const { size } = thing
      const dimple = py > size ? Math.exp(-(x * x + z * z) * 55) * 0.07 : 0
      const skin = ball(x, (py - size * 0.93) * 1.06, z, size) + dimple
      return (
        Math.min(skin, drum(x - (py - size * 1.8) * 0.2, py - size * 1.9, z, 0.014, 0.1)) * 0.93
      )
    }
    case 'pear': {
      const { size, lean } = thing
      const belly = ball(x, py - size * 0.96, z, size)
      const top = ball(x - lean, py - size * 2.05, z, size * 0.48)
      const stem = drum(x - lean * 1.5, py - size * 2.65, z, 0.016, 0.13)
      return Math.min(melt(belly, top, 0.34), stem) * 0.95
    }
    case 'bottle':
      return distanceToBottle(thing, x, py, z)
  }
}

function distanceToBottle(it: Thing & { kind: 'bottle' }, x: number, y: number, z: number): number {
  const away = drum(x, y - it.tall - it.neck, z, it.wide * 1.3, it.tall + it.neck + 0.3)
  if (away > 0.4) return away
  const body = drum(x, y - it.tall, z, it.wide - 0.06, it.tall - 0.06) - 0.06
  const shoulder = ball(x, y - it.tall * 1.75, z, it.wide * 0.96)
  const stem = drum(x, y - it.tall * 2 - it.neck * 0.6, z, it.thin, it.neck)
  const lip = drum(x, y - it.tall * 2 - it.neck * 1.55, z, it.thin * 1.4, 0.04)
  return Math.min(melt(melt(body, shoulder, 0.2), stem, 0.34), lip) * 0.92
}
