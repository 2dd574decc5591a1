/** Plain walls, steps and openings in hard sunlight, with one odd thing left on the floor. */
import { createCanvas, develop } from '../canvas/canvas.ts'
import type { Colour } from '../canvas/colour.ts'
import { createRamp, hex, relight, smoothstep } from '../canvas/colour.ts'
import { createNoise } from '../canvas/noise.ts'
import type { Random } from '../canvas/random.ts'
import { createRandom } from '../canvas/random.ts'
import type { Material, Stage } from '../canvas/raymarch.ts'
import { paintStage } from '../canvas/raymarch.ts'
import { archway, ball, block, drum } from '../canvas/solids.ts'
import type { Commission, MoodOf } from '../repertoire.ts'

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
  const materials: Record<'wall' | 'floor' | 'accent' | 'trim', Material> = {
    wall: { colour: wall },
    floor: { colour: floor },
    accent: { colour: accent, shine: 0.25, polish: 28 },
    trim: { colour: tint(hex('#f6efe2')) },
  }
  const plan = drawPlan(random)
  const side = random.chance(0.5) ? 1 : -1
  const ramp = createRamp([
    [0, tint(hex(light.sky[0]))],
    [1, tint(hex(light.sky[1]))],
  ])
  const canvas = createCanvas(width, height)
  const back = width < height ? 1.25 : 1
  paintStage(canvas, {
    ...plan.shapes(side),
    material(x, y, z, normalY) {
      if (plan.isAccent(x * side, y, z)) return materials.accent
      if (normalY > 0.9 && y < 0.02) return materials.floor
      if (plan.trimmed && normalY > 0.9) return materials.trim
      return materials.wall
    },
    texture: (x, y, z) => 1 + 0.07 * noise.fbm(x * 2.2 + z * 1.3, y * 2.2 + z, 3),
    sky: (_, dirY) => ramp.at(smoothstep(-0.05, 0.6, dirY)),
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
      hardness: 50,
    },
    fill: { above: light.above, bounce: light.bounce },
    farthest: 32,
  })
  return develop(canvas, { curve: 'film', vignette: 0.15 })
}

/** Where everything stands, for a viewer from the left; `shapes` mirrors it when asked. */
function drawPlan(random: Random) {
  const steps = random.whole(6, 12)
  const tread = random.between(0.28, 0.4)
  const rise = random.between(0.13, 0.19)
  const stairX = random.between(0, 0.9)
  const doorX = random.between(-1.7, -0.7)
  const doorHalf = random.between(0.38, 0.6)
  const spring = random.between(1.3, 2)
  const windowX = random.between(1.2, 2.6)
  const windowY = random.between(2.9, 3.7)
  const roundWindow = random.chance(0.5)
  const wallTop = random.between(3.6, 5.4)
  const thing = random.pick(['ball', 'ball', 'drum', 'cube', 'pair'] as const)
  const thingX = random.between(-2.2, -1.2)
  const thingZ = random.between(0.2, 1.2)
  const size = random.between(0.24, 0.42)
  const tower = random.chance(0.5)
  const towerX = random.between(3.6, 4.8)
  const lowWall = random.chance(0.5)

  const accent = (x: number, y: number, z: number): number => {
    if (thing === 'drum')
      return drum(x - thingX, y - size * 1.4, z - thingZ, size * 0.7, size * 1.4)
    if (thing === 'cube') return block(x - thingX, y - size, z - thingZ, size, size, size)
    const one = ball(x - thingX, y - size, z - thingZ, size)
    return thing === 'ball'
      ? one
      : Math.min(one, ball(x - thingX - size * 1.7, y - size * 0.6, z - thingZ + 0.3, size * 0.6))
  }

  const distance = (x: number, y: number, z: number): number => {
    let nearest = Math.min(y, accent(x, y, z))
    // Only the steps beside the place can be the nearest ones.
    const at = Math.max(0, Math.min(steps - 1, Math.floor((x - stairX) / tread)))
    for (let i = Math.max(0, at - 1); i <= Math.min(steps - 1, at + 1); i += 1) {
      const tall = ((i + 1) * rise) / 2
      nearest = Math.min(
        nearest,
        block(x - stairX - (i + 0.5) * tread, y - tall, z - 1.15, tread / 2, tall, 1.05),
      )
    }
    const landing = (steps * rise) / 2
    nearest = Math.min(
      nearest,
      block(x - stairX - steps * tread - 2, y - landing, z - 1.15, 2, landing, 1.05),
    )
    if (z > 1.6 || nearest > 0.6) {
      const door = archway(x - doorX, y, doorHalf, spring)
      const hole = roundWindow
        ? Math.sqrt((x - windowX) ** 2 + (y - windowY) ** 2) - 0.42
        : Math.max(Math.abs(x - windowX) - 0.34, Math.abs(y - windowY) - 0.44)
      const solid = block(x - 1, y - wallTop / 2, z - 2.6, 7, wallTop / 2, 0.34)
      nearest = Math.min(nearest, Math.max(solid, -door, -hole))
    }
    if (tower) nearest = Math.min(nearest, drum(x - towerX, y - 2, z - 1.2, 0.8, 4))
    if (lowWall) nearest = Math.min(nearest, block(x + 4.1, y - 0.5, z - 1.4, 0.18, 0.5, 1.4))
    return nearest * 0.96
  }

  return {
    trimmed: random.chance(0.4),
    isAccent: (x: number, y: number, z: number) => accent(x, y, z) < 0.01,
    shapes: (side: number): Pick<Stage, 'distance'> => ({
      distance: (x, y, z) => distance(x * side, y, z),
    }),
  }
}
