/** Fresh snow, firs that carry it, and sometimes a window with a light in it. */
import type { Canvas } from '../canvas/canvas.ts'
import { createCanvas, develop } from '../canvas/canvas.ts'
import type { Colour } from '../canvas/colour.ts'
import { clamp, evenStops, hex, mix, relight, scale } from '../canvas/colour.ts'
import { paintLand, traceRidge } from '../canvas/land.ts'
import { paintDisc } from '../canvas/marks.ts'
import { createNoise } from '../canvas/noise.ts'
import type { Random } from '../canvas/random.ts'
import { createRandom } from '../canvas/random.ts'
import { paintClouds, paintSky, paintStars, paintSun } from '../canvas/sky.ts'
import { paintTerrain, project } from '../canvas/terrain.ts'
import type { Commission, MoodOf } from '../repertoire.ts'
import { castShadow, paintCabin, paintFir } from './snow-figures.ts'

type Palette = {
  sky: readonly string[]
  cloud: readonly [string, string]
  snow: string
  sun: Colour
  fill: Colour
  haze: string
  fir: string
  stars?: number
  lamps: boolean
}

const palettes: Record<MoodOf<'snowfield'>, Palette> = {
  day: {
    sky: ['#5f9ccb', '#a9cde4', '#e3eef3'],
    cloud: ['#ffffff', '#c3d2df'],
    snow: '#f4f8fb',
    sun: [0.85, 0.78, 0.66],
    fill: [0.32, 0.45, 0.62],
    haze: '#dfeaf0',
    fir: '#2a4a48',
    lamps: false,
  },
  bluehour: {
    sky: ['#14254a', '#345284', '#7d95bd', '#c3bccb'],
    cloud: ['#a9b4d4', '#33466e'],
    snow: '#dbe6f6',
    sun: [0.26, 0.22, 0.28],
    fill: [0.13, 0.19, 0.34],
    haze: '#7486ae',
    fir: '#12233c',
    stars: 260,
    lamps: true,
  },
  dusk: {
    sky: ['#3f5386', '#8f84ad', '#f0ab98', '#ffd6a0'],
    cloud: ['#ffc4a0', '#7a6c94'],
    snow: '#f8eef0',
    sun: [1.05, 0.56, 0.34],
    fill: [0.24, 0.27, 0.46],
    haze: '#eebfb0',
    fir: '#2a3350',
    lamps: true,
  },
  snowing: {
    sky: ['#a9b7c2', '#c6d1d8', '#e1e7ea'],
    cloud: ['#e2e8ec', '#a4b2bd'],
    snow: '#eef3f6',
    sun: [0.1, 0.1, 0.1],
    fill: [0.72, 0.78, 0.84],
    haze: '#dce4e9',
    fir: '#3f545c',
    lamps: false,
  },
}

export function paintSnowfield({
  seed,
  mood,
  width,
  height,
  phase,
}: Commission<'snowfield'>): Uint8Array {
  const random = createRandom(seed)
  const noise = createNoise(seed)
  const palette = palettes[mood]
  const light = relight(random, 8)
  const colour = (text: string) => light(hex(text))
  const canvas = createCanvas(width, height)
  const horizon = random.between(0.4, 0.55)
  const sunX = random.between(0.1, 0.9)

  paintSky(canvas, evenStops(palette.sky.map(colour)), horizon)
  if (palette.stars) paintStars(canvas, random, { amount: palette.stars, horizon })
  if (mood === 'dusk' || mood === 'day')
    paintSun(canvas, {
      x: sunX,
      y: horizon - random.between(0.05, 0.2),
      radius: mood === 'dusk' ? 0.024 : 0,
      colour: [1.3, 0.95, 0.7],
      glow: 0.25,
      reach: 0.25,
    })
  const clouds = {
    lit: colour(palette.cloud[0]),
    shaded: colour(palette.cloud[1]),
    amount: random.between(0.2, 0.6),
    stretch: 2,
    size: 0.7,
  }
  paintClouds(canvas, noise, clouds, { horizon, sun: { x: sunX, y: horizon - 0.1 } })
  const haze = colour(palette.haze)
  const fir = colour(palette.fir)
  for (const back of [0.72, 0.5]) {
    const ridge = {
      base: horizon + 0.02,
      relief: random.between(0.3, 0.6) * back,
      frequency: 1.6,
      sharpness: random.between(0.3, 0.9),
    }
    const tone = mix(mix(fir, colour(palette.snow), 0.45), haze, back)
    const shades = Array.from({ length: 33 }, (_, i) => mix(tone, haze, i / 40))
    paintLand(
      canvas,
      traceRidge(canvas, noise, ridge, random.between(0, 90)),
      (depth) => shades[Math.round(clamp(depth * 5) * 32)] ?? tone,
    )
  }

  const sun = { x: (sunX - 0.5) * 1.6, y: mood === 'day' ? 0.5 : 0.26, z: 0.75 }
  const bumps = random.between(0.5, 1)
  const heightAt = (x: number, z: number) =>
    noise.fbm(x * 0.11, z * 0.09 + 3, 2) * 1.9 + noise.at(x * 0.55, z * 0.4) * 0.16 * bumps
  const view = {
    eyeHeight: heightAt(0, 1) + random.between(1, 1.7),
    horizon,
    zoom: 1,
    near: 0.9,
    far: 46,
  }
  const snow = colour(palette.snow)
  paintTerrain(canvas, view, {
    heightAt,
    sun,
    paint(place, into) {
      const facing = clamp(place.normalX * sun.x + place.normalY * sun.y + place.normalZ * sun.z)
      const direct = facing * (0.35 + 0.65 * place.sunlit) * 1.15
      const sparkle = 1 + 0.05 * noise.at(place.x * 14, place.z * 14)
      const far = 1 - Math.exp(-place.z * 0.035)
      for (let channel = 0; channel < 3; channel += 1) {
        const ground =
          (snow[channel] ?? 0) *
          sparkle *
          (direct * (palette.sun[channel] ?? 0) +
            (0.55 + 0.45 * place.normalY) * (palette.fill[channel] ?? 0))
        into[channel] = ground + ((haze[channel] ?? 0) - ground) * far
      }
    },
  })

  const cabin = palette.lamps && random.chance(0.7) ? random.between(9, 15) : null
  const trees = Array.from({ length: random.whole(60, 150) }, () => {
    const z = random.between(2.4, 6) / (1 - random.next() * 0.86)
    return {
      z,
      x: random.between(-0.7, 0.7) * z * (width / height),
      size: random.between(0.6, 1.5),
    }
  }).sort((a, b) => b.z - a.z)
  let built = cabin === null
  const clearing = random.between(-0.25, 0.25)
  for (const { x, z, size } of trees) {
    if (!built && cabin !== null && z < cabin) {
      paintCabin(
        canvas,
        random,
        project(canvas, view, {
          x: clearing * cabin,
          height: heightAt(clearing * cabin, cabin),
          z: cabin,
        }),
        fir,
        snow,
      )
      built = true
    }
    // A way is left open down the middle.
    if (Math.abs(x / z - clearing) < 0.16 + 0.4 / z) continue
    const foot = project(canvas, view, { x, height: heightAt(x, z), z })
    if (mood !== 'snowing') castShadow(canvas, foot, size * foot.scale, sunX * width)
    const far = 1 - Math.exp(-z * 0.04)
    paintFir(canvas, random, {
      x: foot.x,
      y: foot.y + 2,
      tall: foot.scale * size,
      fir: mix(fir, haze, far),
      snow: mix(scale(snow, mood === 'bluehour' ? 0.45 : 0.8), haze, far),
    })
  }
  if (mood === 'snowing' || random.chance(0.35)) letItSnow(canvas, random, phase)
  return develop(canvas, { vignette: 0.15 })
}

function letItSnow(canvas: Canvas, random: Random, phase: number): void {
  const { width, height } = canvas
  for (let i = 0; i < 420; i += 1) {
    const nearness = random.next() ** 3
    const falls = 1 + Math.floor(nearness * 2)
    const y = (random.next() + phase * falls) % 1
    const sway = Math.sin((phase + random.next()) * Math.PI * 2) * 0.008
    const radius = (0.0012 + nearness * 0.006) * height
    paintDisc(canvas, { x: (random.next() + sway) * width, y: y * height, radius }, [1, 1, 1], {
      opacity: 0.75 - nearness * 0.4,
      softness: 1 + radius,
    })
  }
}
