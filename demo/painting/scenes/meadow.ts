/** Fields in flower, row by row up to the hills. */
import { createCanvas, develop } from '../canvas/canvas.ts'
import type { Colour } from '../canvas/colour.ts'
import { clamp, evenRamp, evenStops, hex, mix, relight, smoothstep } from '../canvas/colour.ts'
import { paintLand, traceRidge } from '../canvas/land.ts'
import { createNoise } from '../canvas/noise.ts'
import type { Noise } from '../canvas/noise.ts'
import { brushOutline } from '../canvas/path.ts'
import type { Random } from '../canvas/random.ts'
import { createRandom } from '../canvas/random.ts'
import { paintClouds, paintSky, paintSun } from '../canvas/sky.ts'
import type { Canvas } from '../canvas/canvas.ts'
import { coverMixed } from '../canvas/canvas.ts'
import { oval } from '../canvas/marks.ts'
import { paintTerrain, project } from '../canvas/terrain.ts'
import type { View } from '../canvas/terrain.ts'
import type { Commission, MoodOf } from '../repertoire.ts'

type Palette = {
  flowers: readonly string[]
  leaf: string
  hill: string
}

const palettes: Record<MoodOf<'meadow'>, Palette> = {
  lavender: {
    flowers: ['#7a5cc0', '#9a7cd8', '#5f46a0', '#b39ae4'],
    leaf: '#6a7a4e',
    hill: '#6f7fa6',
  },
  tulips: {
    flowers: ['#e03a5a', '#f2a032', '#f6e04a', '#f08ab0', '#b03a8c'],
    leaf: '#4f8038',
    hill: '#86a48c',
  },
}

const skies = [
  {
    sky: ['#3f86c8', '#8fc0e2', '#dcedf2'],
    lit: '#ffffff',
    shaded: '#b9c9d6',
    sun: [1.25, 1.15, 0.95],
    fill: [0.4, 0.46, 0.52],
    haze: '#d3e4ea',
    low: false,
  },
  {
    sky: ['#5d7fb4', '#b3b8cf', '#f6cdb4', '#ffe2a8'],
    lit: '#ffe9cf',
    shaded: '#b79fac',
    sun: [1.5, 1.05, 0.65],
    fill: [0.36, 0.35, 0.45],
    haze: '#f4d8bd',
    low: true,
  },
  {
    sky: ['#3a3f78', '#94699a', '#f08f7a', '#ffc884'],
    lit: '#ffb08a',
    shaded: '#7a5a88',
    sun: [1.7, 0.85, 0.5],
    fill: [0.3, 0.27, 0.42],
    haze: '#e8a896',
    low: true,
  },
] as const

export function paintMeadow({ seed, mood, width, height }: Commission<'meadow'>): Uint8Array {
  const random = createRandom(seed)
  const noise = createNoise(seed)
  const palette = palettes[mood]
  const air = random.pick(skies)
  const light = relight(random, 8)
  const colour = (text: string) => light(hex(text))
  const canvas = createCanvas(width, height)
  const horizon = random.between(0.36, 0.52)
  const sunX = random.between(0.1, 0.9)

  paintSky(canvas, evenStops(air.sky.map(colour)), horizon)
  if (air.low)
    paintSun(canvas, {
      x: sunX,
      y: horizon - random.between(0.02, 0.12),
      radius: 0.028,
      colour: light(air.sun),
      glow: 0.26,
      reach: 0.26,
    })
  const clouds = {
    lit: colour(air.lit),
    shaded: colour(air.shaded),
    amount: random.between(0.25, 0.7),
    stretch: random.between(1.2, 2.2),
    size: random.between(0.45, 0.8),
  }
  paintClouds(canvas, noise, clouds, { horizon, sun: { x: sunX, y: horizon - 0.15 } })
  const haze = colour(air.haze)
  for (const back of [0.6, 0.35]) {
    const ridge = {
      base: horizon + 0.01,
      relief: random.between(0.08, 0.22) * (0.4 + back),
      frequency: 1.7,
      sharpness: 0.2,
    }
    const tone = mix(colour(palette.hill), haze, back)
    paintLand(canvas, traceRidge(canvas, noise, ridge, random.between(0, 90)), () => tone)
  }

  const field = drawField(random, noise, palette, colour)
  const view: View = {
    eyeHeight: field.heightAt(0, 1) + random.between(0.75, 1.2),
    horizon,
    zoom: 1.05,
    near: 0.75,
    far: 40,
  }
  const sun = { x: (sunX - 0.5) * 1.7, y: air.low ? 0.34 : 0.66, z: air.low ? 0.72 : 0.35 }
  paintTerrain(canvas, view, {
    heightAt: field.heightAt,
    sun,
    paint(place, into) {
      const own = field.colourAt(place.x, place.z)
      const facing = clamp(place.normalX * sun.x + place.normalY * sun.y + place.normalZ * sun.z)
      const direct = (0.25 + 0.75 * facing) * (0.5 + 0.5 * place.sunlit)
      const far = 1 - Math.exp(-place.z * 0.03)
      for (let channel = 0; channel < 3; channel += 1) {
        const ground =
          (own[channel] ?? 0) *
          (direct * air.sun[channel as 0 | 1 | 2] + air.fill[channel as 0 | 1 | 2])
        into[channel] = ground + ((haze[channel] ?? 0) - ground) * far
      }
    },
  })
  plantFlowers(canvas, random, view, field, air.fill[0] + air.sun[0] * 0.7, haze)
  return develop(canvas, { curve: 'film', vignette: 0.25, exposure: 1.1 })
}

type Meadow = {
  readonly heightAt: (x: number, z: number) => number
  readonly colourAt: (x: number, z: number) => Colour
  readonly flowerAt: (x: number, z: number) => Colour
}

function drawField(
  random: Random,
  noise: Noise,
  palette: Palette,
  colour: (text: string) => Colour,
): Meadow {
  const flowers = palette.flowers.map(colour)
  const leaf = colour(palette.leaf)
  const tones = evenRamp(flowers)
  const spacing = random.between(0.5, 0.75)
  const slant = random.between(-0.35, 0.35)
  const offset = random.between(0, 60)
  const ridge = (x: number, z: number) => Math.abs(Math.sin(((x + z * slant) / spacing) * Math.PI))
  const rolling = (x: number, z: number) => noise.fbm(x * 0.09 + offset, z * 0.08, 2) * 1.7
  const flowerAt = (x: number, z: number): Colour => {
    if (flowers.length > 4) {
      const row = Math.floor((x + z * slant) / spacing / 3)
      return flowers[((row % flowers.length) + flowers.length) % flowers.length] ?? leaf
    }
    return tones.at(0.5 + noise.at(x * 13, z * 13 + offset) * 1.1)
  }
  return {
    flowerAt,
    heightAt: (x, z) => rolling(x, z) + ridge(x, z) * 0.2,
    colourAt(x, z) {
      const tuft = noise.at(x * 9, z * 9) + 0.6 * noise.at(x * 21, z * 19)
      const here = smoothstep(0.25, 0.75, ridge(x, z) + tuft * 0.35)
      return mix(
        mix(leaf, [0.02, 0.03, 0.01], clamp(0.3 - tuft * 0.5)),
        flowerAt(x, z),
        here * 0.92,
      )
    },
  }
}

/** The nearest flowers are seen one by one. */
function plantFlowers(
  canvas: Canvas,
  random: Random,
  view: View,
  field: Meadow,
  lit: number,
  haze: Colour,
): void {
  const count = 2200
  const places = Array.from({ length: count }, () => {
    const z = 0.85 / (1 - random.next() * 0.9)
    return { z, x: random.between(-0.75, 0.75) * z * (canvas.width / canvas.height) }
  }).sort((a, b) => b.z - a.z)
  for (const { x, z } of places) {
    const on = field.heightAt(x, z)
    const foot = project(canvas, view, { x, height: on, z })
    const size = foot.scale * random.between(0.008, 0.018)
    if (size < 0.8 || size > canvas.height * 0.05) continue
    const tone = mix(field.flowerAt(x, z), haze, 1 - Math.exp(-z * 0.03))
    const dark: Colour = [tone[0] * lit * 0.45, tone[1] * lit * 0.45, tone[2] * lit * 0.45]
    const bright: Colour = [tone[0] * lit * 1.25, tone[1] * lit * 1.25, tone[2] * lit * 1.25]
    const y = foot.y - size * random.between(1, 4)
    const outline = oval(foot.x, y, {
      long: size,
      wide: size * random.between(0.55, 0.85),
      angle: random.between(-0.4, 0.4),
      points: 9,
    })
    brushOutline(canvas, outline, (pixel, coverage, _, py) =>
      coverMixed(canvas, pixel, dark, bright, clamp(0.5 - (py - y) / (size * 2)), coverage),
    )
  }
}
