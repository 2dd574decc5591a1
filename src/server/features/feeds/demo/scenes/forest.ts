/** Trunks in rows going back into mist, with light that falls through the crowns. */
import { cover, coverMixed, createCanvas, develop, put } from '../canvas/canvas.ts'
import type { Canvas } from '../canvas/canvas.ts'
import type { Colour } from '../canvas/colour.ts'
import {
  clamp,
  createRamp,
  evenRamp,
  hex,
  mix,
  relight,
  scale,
  smoothstep,
} from '../canvas/colour.ts'
import { createField } from '../canvas/field.ts'
import type { Noise } from '../canvas/noise.ts'
import { createNoise } from '../canvas/noise.ts'
import { brushOutline, strokeOutline } from '../canvas/path.ts'
import type { Random } from '../canvas/random.ts'
import { createRandom } from '../canvas/random.ts'
import { paintShafts } from '../canvas/shafts.ts'
import type { Commission, MoodOf } from '../repertoire.ts'

type Palette = {
  light: string
  air: string
  far: string
  near: string
  leaf: string
  floor: string
  rays: Colour
  strength: number
}

const palettes: Record<MoodOf<'forest'>, Palette> = {
  mist: {
    light: '#f4f3e2',
    air: '#cfd9cb',
    far: '#a3b5a5',
    near: '#131c17',
    leaf: '#1d2c20',
    floor: '#2b3826',
    rays: [1, 0.97, 0.8],
    strength: 0.3,
  },
  autumn: {
    light: '#fff0c9',
    air: '#efc98a',
    far: '#cf9a5c',
    near: '#24110a',
    leaf: '#b4461a',
    floor: '#8a3f16',
    rays: [1.2, 0.9, 0.5],
    strength: 0.36,
  },
  night: {
    light: '#9fc4d6',
    air: '#4d7388',
    far: '#335567',
    near: '#02060c',
    leaf: '#06121a',
    floor: '#0a1a20',
    rays: [0.6, 0.8, 0.95],
    strength: 0.22,
  },
  spring: {
    light: '#fbfbd6',
    air: '#cfe39a',
    far: '#8fb465',
    near: '#1c2410',
    leaf: '#5d9a2c',
    floor: '#4c7a26',
    rays: [1.05, 1, 0.6],
    strength: 0.34,
  },
}

export function paintForest({ seed, mood, width, height }: Commission<'forest'>): Uint8Array {
  const random = createRandom(seed)
  const noise = createNoise(seed)
  const palette = palettes[mood]
  const light = relight(random, 12)
  const colour = (text: string) => light(hex(text))
  const canvas = createCanvas(width, height)
  const floor = random.between(0.78, 0.9)
  const glow = { x: random.between(0.25, 0.75), y: random.between(0.12, 0.45) }

  paintAir(canvas, glow, colour(palette.light), colour(palette.air))
  const rows = random.whole(4, 5)
  const tones = evenRamp([
    colour(palette.far),
    mix(colour(palette.far), colour(palette.near), 0.55),
    colour(palette.near),
  ])
  const density = random.between(0.75, 1.3)
  for (let row = 0; row < rows; row += 1) {
    const nearness = row / (rows - 1)
    const tone = tones.at(nearness)
    const thick = (0.008 + 0.05 * nearness ** 2) * height * random.between(0.8, 1.2)
    const count = Math.round(((width / height) * density * 16) / (1 + nearness * 4.2))
    const trunks = Array.from({ length: count }, () => random.between(-0.05, 1.05) * width)
    paintFloor(canvas, noise, {
      floor: floor + nearness * 0.1,
      tone: mix(tone, colour(palette.floor), 0.55 + nearness * 0.3),
      offset: row * 13,
    })
    for (const x of trunks) {
      const trunk = {
        x,
        foot: (groundAt(noise, canvas, x, floor + nearness * 0.1, row * 13) + 0.02) * height,
        thick: thick * random.between(0.6, 1.25),
        tone,
        litFrom: glow.x * width,
        nearness,
      }
      paintTrunk(canvas, random, noise, trunk, colour(palette.light))
    }
    const leaves = {
      tone: mix(tone, colour(palette.leaf), 0.35 + nearness * 0.5),
      amount: random.between(0.25, 0.5) + nearness * 0.06,
      offset: row * 23,
      grain: 13 - row * 1.6,
      reach: random.between(0.35, 0.6),
    }
    paintCrowns(canvas, noise, leaves)
    veil(canvas, colour(palette.air), (1 - nearness) * 0.2)
  }
  paintShafts(canvas, noise, {
    ...glow,
    colour: light(palette.rays),
    strength: palette.strength * random.between(0.5, 1.2),
  })
  return develop(canvas, { vignette: 0.45 })
}

function paintAir(
  canvas: Canvas,
  glow: { x: number; y: number },
  light: Colour,
  air: Colour,
): void {
  const ramp = createRamp([
    [0, light],
    [0.5, mix(light, air, 0.7)],
    [1, scale(air, 0.92)],
  ])
  const { width, height } = canvas
  for (let y = 0; y < height; y += 1) {
    const down = (y / height - glow.y) ** 2
    for (let x = 0; x < width; x += 1) {
      const across = (x / width - glow.x) * (width / height) * 0.9
      put(canvas, y * width + x, ramp.at(Math.sqrt(across * across + down) * 1.15))
    }
  }
}

function paintTrunk(
  canvas: Canvas,
  random: Random,
  noise: Noise,
  trunk: {
    x: number
    foot: number
    thick: number
    tone: Colour
    litFrom: number
    nearness: number
  },
  light: Colour,
): void {
  const { height } = canvas
  const lean = random.between(-0.06, 0.06) * height
  const wobble = random.between(0, 99)
  const points: number[] = []
  for (let i = 0; i <= 24; i += 1) {
    const up = i / 24
    points.push(
      trunk.x + lean * up + noise.at(up * 3, wobble) * trunk.thick * 0.5,
      trunk.foot - up * (trunk.foot + 30),
    )
  }
  const outline = strokeOutline(
    points,
    (up) => trunk.thick * (1.05 - up * 0.45 + 0.9 * Math.exp(-up * 26)),
  )
  const litSide = trunk.litFrom > trunk.x ? 1 : -1
  brushOutline(canvas, outline, (pixel, coverage, x, y) => {
    const centre = trunk.x + lean * clamp(1 - y / trunk.foot)
    const side = ((x - centre) / trunk.thick) * litSide
    const bark =
      1 + 0.55 * noise.at((x / trunk.thick) * 5 + wobble, (y / height) * 22) * trunk.nearness
    const rim = smoothstep(0.12, 0.55, side) * 0.2 * (1 - trunk.nearness * 0.35)
    cover(canvas, pixel, mix(scale(trunk.tone, bark), light, rim), coverage)
  })
  paintBranches(canvas, random, trunk, lean)
}

function paintBranches(
  canvas: Canvas,
  random: Random,
  trunk: { x: number; foot: number; thick: number; tone: Colour },
  lean: number,
): void {
  for (let i = random.whole(2, 6); i > 0; i -= 1) {
    const up = random.between(0.35, 1)
    const side = random.chance(0.5) ? 1 : -1
    const long = trunk.thick * random.between(2, 6)
    const x = trunk.x + lean * up
    const y = trunk.foot * (1 - up)
    const droop = random.between(-0.5, 0.3) * long
    const points = [x, y, x + side * long * 0.5, y + droop * 0.3, x + side * long, y + droop]
    const outline = strokeOutline(points, (along) => trunk.thick * 0.2 * (1 - along * 0.9))
    brushOutline(canvas, outline, (pixel, coverage) => cover(canvas, pixel, trunk.tone, coverage))
  }
}

function paintCrowns(
  canvas: Canvas,
  noise: Noise,
  leaves: { tone: Colour; amount: number; offset: number; grain: number; reach: number },
): void {
  const { width, height } = canvas
  const clumps = createField(canvas, 8, (x, y) =>
    noise.fbm((x / height) * 2.6 + leaves.offset, (y / height) * 2.6, 3),
  )
  const bottom = Math.round(leaves.reach * 1.25 * height)
  const fineness = (leaves.grain * 5) / height
  const blades = createField({ width, height: bottom }, 3, (x, y) =>
    noise.fbm(x * fineness + leaves.offset, y * fineness, 2, 0.8),
  )
  const dark = scale(leaves.tone, 0.62)
  const bright = scale(leaves.tone, 1.5)
  const clumpRow = new Float32Array(width)
  const bladeRow = new Float32Array(width)
  for (let y = 0; y < bottom; y += 1) {
    const thinning = smoothstep(0.55, 1, y / bottom) * 0.7
    const high = leaves.amount * 1.35 * smoothstep(bottom, 0, y) - 0.3 - thinning
    clumps.row(clumpRow, y)
    blades.row(bladeRow, y)
    for (let x = 0; x < width; x += 1) {
      const clump = (clumpRow[x] ?? 0) + high
      if (clump < -0.3) continue
      const leaf = bladeRow[x] ?? 0
      const opacity = smoothstep(0.02, 0.1, clump + leaf * 0.75)
      if (opacity <= 0) continue
      const lit = clamp(0.4 + leaf * 1.1 - clump * 0.5)
      coverMixed(canvas, y * width + x, dark, bright, lit, opacity * 0.92)
    }
  }
}

function paintFloor(
  canvas: Canvas,
  noise: Noise,
  ground: { floor: number; tone: Colour; offset: number },
): void {
  const { width, height } = canvas
  const first = Math.max(0, Math.floor((ground.floor - 0.08) * height))
  const dark = scale(ground.tone, 0.7)
  const bright = scale(ground.tone, 1.3)
  const tops = Float32Array.from({ length: width }, (_, x) =>
    groundAt(noise, canvas, x, ground.floor, ground.offset),
  )
  const blades = new Float32Array(width)
  for (let y = first; y < height; y += 1) {
    noise.row(blades, (y / height) * 34, ground.offset, 90 / height)
    for (let x = 0; x < width; x += 1) {
      const grass = blades[x] ?? 0
      const depth = y / height - (tops[x] ?? 0) + grass * 0.014
      const opacity = smoothstep(-0.006, 0.02, depth)
      if (opacity > 0) coverMixed(canvas, y * width + x, dark, bright, 0.5 + grass * 0.6, opacity)
    }
  }
}

/** Where the ground begins in a column, a share of the height. */
function groundAt(noise: Noise, canvas: Canvas, x: number, floor: number, offset: number): number {
  return floor - noise.fbm((x / canvas.height) * 1.8 + offset, offset, 3) * 0.07
}

function veil(canvas: Canvas, colour: Colour, opacity: number): void {
  if (opacity <= 0) return
  for (let pixel = 0; pixel < canvas.width * canvas.height; pixel += 1)
    cover(canvas, pixel, colour, opacity)
}
