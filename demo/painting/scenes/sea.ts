/** Open water under a low sun or the moon, with a path of glitter. */
import { cover, coverMixed, createCanvas, develop, shine } from '../canvas/canvas.ts'
import type { Canvas } from '../canvas/canvas.ts'
import type { Colour } from '../canvas/colour.ts'
import {
  clamp,
  createRamp,
  evenStops,
  hex,
  mix,
  relight,
  scale,
  smoothstep,
} from '../canvas/colour.ts'
import type { Noise } from '../canvas/noise.ts'
import { createNoise } from '../canvas/noise.ts'
import { fillOutline } from '../canvas/path.ts'
import type { Random } from '../canvas/random.ts'
import { createRandom } from '../canvas/random.ts'
import { paintClouds, paintSky, paintStars, paintSun } from '../canvas/sky.ts'
import type { Commission, MoodOf } from '../repertoire.ts'

type Palette = {
  sky: readonly string[]
  lit: string
  shaded: string
  cloudAmount: number
  deep: string
  sun: Colour
  sunRadius: number
  glow: number
  glitter: number
  swell: number
  stars?: number
}

const palettes: Record<MoodOf<'sea'>, Palette> = {
  sunrise: {
    sky: ['#4f7da6', '#9db7cf', '#f4c8b4', '#ffdf9f'],
    lit: '#ffd7b0',
    shaded: '#8d7c96',
    cloudAmount: 0.45,
    deep: '#123a52',
    sun: [1.8, 1.25, 0.7],
    sunRadius: 0.03,
    glow: 0.4,
    glitter: 1.1,
    swell: 0.7,
  },
  sunset: {
    sky: ['#1a2748', '#4b4a74', '#b0596a', '#f27f4a', '#ffc46a'],
    lit: '#ff9055',
    shaded: '#45345a',
    cloudAmount: 0.55,
    deep: '#0d1730',
    sun: [2.2, 1.05, 0.4],
    sunRadius: 0.04,
    glow: 0.5,
    glitter: 1.3,
    swell: 1,
  },
  moonlit: {
    sky: ['#02050f', '#081530', '#15305a', '#2f567c'],
    lit: '#7f9cb8',
    shaded: '#0f1c34',
    cloudAmount: 0.4,
    deep: '#020814',
    sun: [1.15, 1.15, 1.05],
    sunRadius: 0.035,
    glow: 0.16,
    glitter: 0.9,
    swell: 0.8,
    stars: 900,
  },
  storm: {
    sky: ['#252c33', '#4a545c', '#7d8685', '#b9b9a6'],
    lit: '#a9aea6',
    shaded: '#20282f',
    cloudAmount: 0.95,
    deep: '#10201f',
    sun: [1, 0.95, 0.75],
    sunRadius: 0,
    glow: 0.3,
    glitter: 0.5,
    swell: 2,
  },
}

export function paintSea({ seed, mood, width, height, phase }: Commission<'sea'>): Uint8Array {
  const random = createRandom(seed)
  const noise = createNoise(seed)
  const palette = palettes[mood]
  const light = relight(random, 12)
  const colour = (text: string) => light(hex(text))
  const canvas = createCanvas(width, height)
  const horizon = random.between(0.4, 0.62)
  const sun = {
    x: random.between(0.2, 0.8),
    y: horizon - random.between(0.01, mood === 'moonlit' ? 0.3 : 0.12),
    radius: palette.sunRadius * random.between(0.8, 1.5),
    colour: light(palette.sun),
    glow: palette.glow,
    reach: random.between(0.18, 0.34),
  }

  const stops = evenStops(palette.sky.map(colour))
  paintSky(canvas, stops, horizon)
  if (palette.stars) paintStars(canvas, random, { amount: palette.stars, horizon })
  paintSun(canvas, sun)
  const clouds = {
    lit: colour(palette.lit),
    shaded: colour(palette.shaded),
    amount: palette.cloudAmount * random.between(0.6, 1.2),
    stretch: random.between(1.6, 4),
    size: random.between(0.45, 1.1),
  }
  paintClouds(canvas, noise, clouds, { horizon, sun })
  if (random.chance(0.55))
    paintCoast(canvas, random, noise, { horizon, haze: colour(palette.shaded) })
  paintWater(canvas, noise, {
    horizon,
    sky: createRamp(stops),
    deep: colour(palette.deep),
    sun,
    glitter: palette.glitter,
    swell: palette.swell * random.between(0.7, 1.3),
    phase,
  })
  if (random.chance(0.5))
    paintSail(canvas, random, horizon, mix(colour(palette.deep), [0, 0, 0], 0.5))
  return develop(canvas, { vignette: 0.25 })
}

function paintWater(
  canvas: Canvas,
  noise: Noise,
  water: {
    horizon: number
    sky: { at(place: number): Colour }
    deep: Colour
    sun: { x: number; colour: Colour }
    glitter: number
    swell: number
    phase: number
  },
): void {
  const { width, height } = canvas
  const first = Math.round(water.horizon * height)
  const turn = water.phase * Math.PI * 2
  const swells = new Float32Array(width)
  const chops = new Float32Array(width)
  const ripples = new Float32Array(width)
  const driftX = Math.cos(turn) * 0.35
  const driftY = Math.sin(turn) * 0.35
  for (let y = first; y < height; y += 1) {
    const near = (y - first) / (height - first)
    const far = 1 / (near + 0.025)
    // Waves that are narrower than a pixel only flicker, so they fade out towards the horizon.
    const fine = smoothstep(0.02, 0.3, near)
    const spread = 0.05 + near * 0.2
    const step = far / height
    const start = (-width / 2) * step
    noise.row(swells, far * 1.5 + driftY, start * 0.7 + driftX, step * 0.7)
    noise.row(chops, far * 4.1 + driftX, start * 2.3 - driftY, step * 2.3)
    noise.row(ripples, far * 13 + driftY * 2, start * 7.3 + driftX * 2, step * 7.3)
    for (let x = 0; x < width; x += 1) {
      const ripple = (ripples[x] ?? 0) * fine
      const slope = ((swells[x] ?? 0) * 0.7 + (chops[x] ?? 0) + ripple * 0.9) * water.swell
      const mirrored = water.sky.at(0.96 - near * 0.6 - Math.abs(slope) * 0.55)
      const facing = clamp(0.62 - near * 0.38 + slope * 0.32, 0.08, 0.85)
      const pixel = y * width + x
      coverMixed(canvas, pixel, water.deep, mirrored, facing, 1)
      const away = (x / width - water.sun.x) * (width / height)
      const path = Math.exp(-((away / spread) ** 2) * 0.5)
      if (path < 0.01) continue
      const spark = smoothstep(0.12, 0.55, slope + (ripple - 0.1) * near + 0.14 * path) * path
      shine(canvas, pixel, water.sun.colour, spark * water.glitter * (1 - near * 0.5))
    }
  }
  for (let x = 0; x < width; x += 1) cover(canvas, first * width + x, water.deep, 0.35)
}

/** Paints headlands on the horizon, hazy with distance. */
function paintCoast(
  canvas: Canvas,
  random: Random,
  noise: Noise,
  coast: { horizon: number; haze: Colour },
): void {
  const { width, height } = canvas
  const fromLeft = random.chance(0.5)
  for (const distance of [0.7, 0.25]) {
    const reach = random.between(0.2, 0.6) * (1.2 - distance * 0.5)
    const tall = random.between(0.05, 0.13) * (1.2 - distance * 0.6)
    const offset = random.between(0, 60)
    const outline: number[] = []
    for (let i = 0; i <= 160; i += 1) {
      const along = i / 160
      const x = (fromLeft ? along : 1 - along) * reach * width
      const shape =
        smoothstep(1, 0.15, along) * (0.75 + noise.fbm(along * 5 + offset, offset, 5) * 0.9)
      outline.push(
        fromLeft ? x : width - reach * width + x,
        (coast.horizon - tall * shape) * height,
      )
    }
    const end = fromLeft ? 0 : width
    const foot = coast.horizon * height + 1
    const tip = fromLeft ? reach * width : width - reach * width
    const ordered = fromLeft
      ? [...outline, tip, foot, end, foot]
      : [...outline, tip, foot, end, foot]
    fillOutline(canvas, ordered, scale(coast.haze, 0.5 + distance * 0.45), 0.92)
  }
}

function paintSail(canvas: Canvas, random: Random, horizon: number, colour: Colour): void {
  const { width, height } = canvas
  const x = random.between(0.15, 0.85) * width
  const y = horizon * height + random.between(2, 14)
  const size = random.between(0.035, 0.07) * height
  const hull = [
    x - size * 0.42,
    y - size * 0.1,
    x + size * 0.46,
    y - size * 0.1,
    x + size * 0.3,
    y,
    x - size * 0.3,
    y,
  ]
  const main = [x, y - size, x + size * 0.04, y - size * 0.16, x + size * 0.42, y - size * 0.18]
  const jib = [
    x - size * 0.04,
    y - size * 0.86,
    x - size * 0.04,
    y - size * 0.16,
    x - size * 0.34,
    y - size * 0.16,
  ]
  for (const part of [hull, main, jib]) fillOutline(canvas, part, colour, 0.95)
}
