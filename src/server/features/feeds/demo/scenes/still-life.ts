/** Fruit, bowls and bottles on a table by a window. */
import { createCanvas, develop } from '../canvas/canvas.ts'
import type { Colour } from '../canvas/colour.ts'
import { hex, relight } from '../canvas/colour.ts'
import { createNoise } from '../canvas/noise.ts'
import type { Random } from '../canvas/random.ts'
import { createRandom } from '../canvas/random.ts'
import type { Material } from '../canvas/raymarch.ts'
import { paintStage } from '../canvas/raymarch.ts'
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

/** A thing on the table: how far it is, and what it is made of. */
type Thing = { distance(x: number, y: number, z: number): number; material: Material }

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
    distance(x, y, z) {
      let nearest = Math.min(Math.max(y, -z - 3), 2.3 - z)
      for (const thing of things) nearest = Math.min(nearest, thing.distance(x, y, z))
      return nearest
    },
    material(x, y, z) {
      for (const thing of things) if (thing.distance(x, y, z) < 0.01) return thing.material
      return z > 2.2 ? wall : table
    },
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
      hardness: light.hardness,
    },
    fill: { above: light.above, bounce: light.bounce },
    farthest: 18,
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
  const places = random.shuffle([-1.15, -0.3, 0.55, 1.25])
  const things: Thing[] = []
  const put = (make: (x: number, z: number) => Thing, z: number) => {
    const x = places.pop()
    if (x !== undefined) things.push(make(x + random.between(-0.12, 0.12), z))
  }
  put((x, z) => bottle(random, x, z, glaze()), 0.45)
  if (random.chance(0.75)) put((x, z) => bowl(random, x, z, glaze(), things, peel()), 0.2)
  else put((x, z) => bottle(random, x, z, glaze()), 0.1)
  const skin = peel()
  put((x, z) => (random.chance(0.55) ? pear(random, x, z, skin) : fruit(random, x, z, skin)), -0.7)
  put(
    (x, z) => (random.chance(0.4) ? pear(random, x, z, skin) : fruit(random, x, z, peel())),
    -0.95,
  )
  return things
}

function bottle(random: Random, x: number, z: number, material: Material): Thing {
  const wide = random.between(0.26, 0.4)
  const tall = random.between(0.5, 0.85)
  const neck = random.between(0.25, 0.6)
  const thin = random.between(0.07, 0.12)
  return {
    material,
    distance(px, py, pz) {
      const away = drum(px - x, py - tall - neck, pz - z, wide * 1.3, tall + neck + 0.3)
      if (away > 0.4) return away
      const body = drum(px - x, py - tall, pz - z, wide - 0.06, tall - 0.06) - 0.06
      const shoulder = ball(px - x, py - tall * 1.75, pz - z, wide * 0.96)
      const stem = drum(px - x, py - tall * 2 - neck * 0.6, pz - z, thin, neck)
      const lip = drum(px - x, py - tall * 2 - neck * 1.55, pz - z, thin * 1.4, 0.04)
      return Math.min(melt(melt(body, shoulder, 0.2), stem, 0.34), lip) * 0.92
    },
  }
}

/** A bowl that pushes fruit of its own onto the table's list. */
function bowl(
  random: Random,
  x: number,
  z: number,
  material: Material,
  things: Thing[],
  peel: Material,
): Thing {
  const wide = random.between(0.62, 0.78)
  for (const [dx, dz] of [
    [-0.24, -0.08],
    [0.26, 0.06],
    [0.02, 0.22],
  ] as const) {
    const size = wide * random.between(0.4, 0.46)
    const at = { x: x + dx * wide * 1.4, y: wide * 0.92, z: z + dz }
    things.push({
      material: peel,
      distance: (px, py, pz) => ball(px - at.x, py - at.y, pz - at.z, size),
    })
  }
  return {
    material,
    distance(px, py, pz) {
      const shell = Math.abs(ball(px - x, py - wide, pz - z, wide)) - 0.03
      const foot = drum(px - x, py - 0.04, pz - z, wide * 0.42, 0.05)
      return Math.min(Math.max(shell, py - wide * 0.88), foot)
    },
  }
}

function fruit(random: Random, x: number, z: number, material: Material): Thing {
  const size = random.between(0.27, 0.38)
  return {
    material,
    distance(px, py, pz) {
      const dimple = Math.exp(-((px - x) ** 2 + (pz - z) ** 2) * 55) * 0.07
      const skin = ball(px - x, (py - size * 0.93) * 1.06, pz - z, size) + (py > size ? dimple : 0)
      const stem = drum(px - x - (py - size * 1.8) * 0.2, py - size * 1.9, pz - z, 0.014, 0.1)
      return Math.min(skin, stem) * 0.93
    },
  }
}

function pear(random: Random, x: number, z: number, material: Material): Thing {
  const size = random.between(0.34, 0.42)
  const lean = random.between(-0.08, 0.08)
  return {
    material,
    distance(px, py, pz) {
      const belly = ball(px - x, py - size * 0.96, pz - z, size)
      const top = ball(px - x - lean, py - size * 2.05, pz - z, size * 0.48)
      const stem = drum(px - x - lean * 1.5, py - size * 2.65, pz - z, 0.016, 0.13)
      return Math.min(melt(belly, top, 0.34), stem) * 0.95
    },
  }
}
