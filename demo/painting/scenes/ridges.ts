/** Hills behind hills, each paler than the one in front of it. */
import { createCanvas, develop } from '../canvas/canvas.ts'
import type { Canvas } from '../canvas/canvas.ts'
import type { Colour } from '../canvas/colour.ts'
import { clamp, evenRamp, evenStops, hex, mix, relight } from '../canvas/colour.ts'
import { paintConifer, paintLand, paintMist, traceRidge } from '../canvas/land.ts'
import type { Skyline } from '../canvas/land.ts'
import { createNoise } from '../canvas/noise.ts'
import type { Random } from '../canvas/random.ts'
import { createRandom } from '../canvas/random.ts'
import type { Sun } from '../canvas/sky.ts'
import { paintClouds, paintSky, paintStars, paintSun } from '../canvas/sky.ts'
import type { Commission, MoodOf } from '../repertoire.ts'

type SunLook = { colour: Colour; halo?: Colour; glow: number; radius: number; low: boolean }

type Palette = {
  sky: readonly string[]
  haze: string
  far: string
  near: string
  sun: SunLook | null
  clouds: { lit: string; shaded: string; amount: number } | null
  stars?: number
}

const palettes: Record<MoodOf<'ridges'>, Palette> = {
  dawn: {
    sky: ['#6f9fc4', '#b6c9d8', '#f3d9c9', '#ffd9a8'],
    haze: '#f6d3bd',
    far: '#b9b3c4',
    near: '#27354a',
    sun: { colour: [1.6, 1.15, 0.7], glow: 0.42, radius: 0.026, low: true },
    clouds: { lit: '#fff0de', shaded: '#c9a9ae', amount: 0.42 },
  },
  dusk: {
    sky: ['#1b2f52', '#53587e', '#b3697a', '#f08e5d', '#ffc681'],
    haze: '#e88a63',
    far: '#9d6a77',
    near: '#150f1e',
    sun: { colour: [1.9, 0.95, 0.4], glow: 0.5, radius: 0.034, low: true },
    clouds: { lit: '#ff9d6e', shaded: '#5d4263', amount: 0.5 },
  },
  haze: {
    sky: ['#9fc0c9', '#cfe0d6', '#f0ead2', '#f6ecd0'],
    haze: '#e4e8d3',
    far: '#a9bfae',
    near: '#2c4a2a',
    sun: null,
    clouds: { lit: '#ffffff', shaded: '#c4d0cd', amount: 0.4 },
  },
  night: {
    sky: ['#050a1c', '#0d1c3a', '#1f3a5a', '#3d5f78'],
    haze: '#3f5f7a',
    far: '#29445f',
    near: '#03060d',
    sun: {
      colour: [1.1, 1.05, 0.92],
      halo: [0.35, 0.6, 0.95],
      glow: 0.16,
      radius: 0.03,
      low: false,
    },
    clouds: null,
    stars: 900,
  },
  storm: {
    sky: ['#30383f', '#565f63', '#8b8f8a', '#c9c3a8'],
    haze: '#a9aa9a',
    far: '#6d7674',
    near: '#12181a',
    sun: { colour: [1.1, 1, 0.75], glow: 0.35, radius: 0, low: true },
    clouds: { lit: '#a5a99f', shaded: '#2a3237', amount: 0.85 },
  },
  autumn: {
    sky: ['#7c9fb0', '#c2cdbf', '#f4dfae', '#ffd791'],
    haze: '#f0cf97',
    far: '#c79a63',
    near: '#3a160d',
    sun: { colour: [1.7, 1.2, 0.6], glow: 0.35, radius: 0.03, low: true },
    clouds: { lit: '#fff1cf', shaded: '#b9a58f', amount: 0.38 },
  },
}

export function paintRidges({ seed, mood, width, height }: Commission<'ridges'>): Uint8Array {
  const random = createRandom(seed)
  const noise = createNoise(seed)
  const palette = palettes[mood]
  const light = relight(random, 14)
  const colour = (text: string) => light(hex(text))
  const canvas = createCanvas(width, height)
  const horizon = random.between(0.42, 0.6)

  const stops = evenStops(palette.sky.map(colour))
  paintSky(canvas, stops, horizon + 0.08)
  if (palette.stars) paintStars(canvas, random, { amount: palette.stars, horizon })
  const sun = palette.sun && placeSun(random, palette.sun, horizon)
  if (sun) paintSun(canvas, sun)
  if (palette.clouds) {
    const { lit, shaded, amount } = palette.clouds
    const clouds = {
      lit: colour(lit),
      shaded: colour(shaded),
      amount: amount * random.between(0.6, 1.15),
      stretch: random.between(1.2, 3.4),
      size: random.between(0.5, 1.1),
    }
    paintClouds(canvas, noise, clouds, { horizon: horizon + 0.04, ...(sun ? { sun } : {}) })
  }

  const layers = random.whole(4, 7)
  const sharpness = random.between(0.1, 0.85)
  const tones = evenRamp([
    colour(palette.far),
    mix(colour(palette.far), colour(palette.near), 0.62),
    colour(palette.near),
  ])
  const haze = colour(palette.haze)
  for (let layer = 0; layer < layers; layer += 1) {
    const nearness = layer / (layers - 1)
    const skyline = traceRidge(
      canvas,
      noise,
      {
        base: horizon + (0.95 - horizon) * nearness ** 1.15,
        relief: random.between(0.2, 0.34) * (1 - nearness * 0.25),
        frequency: random.between(1.3, 2.4) * (1 + nearness * 0.4),
        sharpness: sharpness * (1 - nearness * 0.6),
      },
      random.between(0, 90),
    )
    const tone = tones.at(nearness)
    if (nearness === 1 || (nearness > 0.6 && random.chance(0.5)))
      plantTrees(canvas, random, skyline, { colour: tone, size: 0.03 + 0.05 * nearness ** 2 })
    paintHill(canvas, skyline, { tone, haze, nearness })
    if (nearness < 0.9 && random.chance(0.5)) {
      const centre = horizon + (1 - horizon) * nearness + 0.1
      paintMist(canvas, noise, {
        centre,
        spread: 0.09,
        colour: haze,
        opacity: 0.4,
        offset: layer * 7,
      })
    }
  }
  return develop(canvas, { vignette: 0.25 })
}

function placeSun(random: Random, look: SunLook, horizon: number): Sun {
  return {
    ...look,
    x: random.between(0.16, 0.84),
    y: look.low ? horizon - random.between(-0.02, 0.13) : random.between(0.12, 0.3),
    radius: look.radius * random.between(0.8, 1.3),
    reach: random.between(0.2, 0.36),
  }
}

function paintHill(
  canvas: Canvas,
  skyline: Skyline,
  hill: { tone: Colour; haze: Colour; nearness: number },
): void {
  const veil = 0.7 * (1 - hill.nearness) ** 1.2
  const shades = Array.from({ length: 129 }, (_, i) =>
    mix(hill.tone, hill.haze, veil * (i / 128) ** 0.8),
  )
  paintLand(canvas, skyline, (depth) => shades[Math.round(clamp(depth * 3.2) * 128)] ?? hill.tone)
}

function plantTrees(
  canvas: Canvas,
  random: Random,
  skyline: Skyline,
  trees: { colour: Colour; size: number },
): void {
  const { width, height } = canvas
  const tallest = trees.size * height
  for (let x = -10; x < width + 10; x += tallest * random.between(0.08, 0.3)) {
    const at = Math.max(0, Math.min(width - 1, Math.round(x)))
    const tall = tallest * random.between(0.45, 1.1)
    const foot = (skyline[at] ?? height) + tall * 0.12
    paintConifer(canvas, random, { x, y: foot, height: tall, colour: trees.colour })
  }
}
