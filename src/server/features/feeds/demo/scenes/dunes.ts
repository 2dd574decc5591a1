/** Sand in long crests, with a lit and a shadowed side. */
import { createCanvas, develop } from '../canvas/canvas.ts'
import type { Colour } from '../canvas/colour.ts'
import { clamp, evenStops, hex, relight, smoothstep } from '../canvas/colour.ts'
import type { Noise } from '../canvas/noise.ts'
import { createNoise } from '../canvas/noise.ts'
import type { Random } from '../canvas/random.ts'
import { createRandom } from '../canvas/random.ts'
import { paintClouds, paintSky, paintStars, paintSun } from '../canvas/sky.ts'
import { paintTerrain } from '../canvas/terrain.ts'
import type { Commission, MoodOf } from '../repertoire.ts'

type Palette = {
  sky: readonly string[]
  sand: string
  haze: string
  sunColour: Colour
  fill: Colour
  sunHeight: number
  cloud: readonly [string, string]
  stars?: number
}

const palettes: Record<MoodOf<'dunes'>, Palette> = {
  day: {
    sky: ['#3f7fb8', '#8fbcd6', '#e6e2cc'],
    sand: '#d9964f',
    haze: '#ecd9b4',
    sunColour: [1.9, 1.6, 1.2],
    fill: [0.26, 0.29, 0.38],
    sunHeight: 0.5,
    cloud: ['#ffffff', '#c9d2d8'],
  },
  dusk: {
    sky: ['#2b3566', '#7a5b86', '#e08a6c', '#ffc07a'],
    sand: '#d07a3c',
    haze: '#f0a070',
    sunColour: [2.2, 1.1, 0.55],
    fill: [0.24, 0.2, 0.4],
    sunHeight: 0.22,
    cloud: ['#ffa878', '#6f4f74'],
  },
  dawn: {
    sky: ['#7fa3c4', '#c5c9d6', '#f6d4c0', '#ffdcb0'],
    sand: '#d2a07c',
    haze: '#f4d2be',
    sunColour: [1.7, 1.25, 0.95],
    fill: [0.32, 0.33, 0.46],
    sunHeight: 0.28,
    cloud: ['#fff0e2', '#b9a5b4'],
  },
  night: {
    sky: ['#03061a', '#0a1736', '#1c3a5e', '#3b6480'],
    sand: '#8a8290',
    haze: '#33566f',
    sunColour: [0.5, 0.62, 0.85],
    fill: [0.05, 0.08, 0.15],
    sunHeight: 0.4,
    cloud: ['#4f6c88', '#101c32'],
    stars: 1900,
  },
}

const crestWidth = 0.07

export function paintDunes({ seed, mood, width, height }: Commission<'dunes'>): Uint8Array {
  const random = createRandom(seed)
  const noise = createNoise(seed)
  const palette = palettes[mood]
  const light = relight(random, 6)
  const colour = (text: string) => light(hex(text))
  const canvas = createCanvas(width, height)
  const horizon = random.between(0.26, 0.46)
  const sunSide = random.chance(0.5) ? 1 : -1

  const stops = evenStops(palette.sky.map(colour))
  paintSky(canvas, stops, horizon + 0.04)
  if (palette.stars) paintStars(canvas, random, { amount: palette.stars, horizon })
  const sun = {
    x: 0.5 + sunSide * random.between(0.2, 0.55),
    y: horizon - random.between(0.02, 0.2),
  }
  if (mood !== 'day')
    paintSun(canvas, {
      ...sun,
      radius: mood === 'night' ? 0 : 0.028,
      colour: light(palette.sunColour),
      glow: 0.22,
      reach: 0.25,
    })
  const clouds = {
    lit: colour(palette.cloud[0]),
    shaded: colour(palette.cloud[1]),
    amount: random.between(0, 0.45),
    stretch: 3,
    size: 0.8,
  }
  paintClouds(canvas, noise, clouds, { horizon, sun })

  const steep = palette.sunHeight * random.between(0.8, 1.2)
  const across = Math.sqrt(1 - steep * steep)
  const turn = random.between(0.15, 0.75)
  const sunlight = { x: sunSide * across * Math.cos(turn), y: steep, z: across * Math.sin(turn) }
  const heightAt = shapeDunes(random, noise)
  const sand = colour(palette.sand)
  const haze = colour(palette.haze)
  const ripples = random.between(7, 12)
  const rippleTurn = random.between(-0.6, 0.6)
  paintTerrain(
    canvas,
    {
      eyeHeight: heightAt(0, 0) + random.between(1.9, 3.4),
      horizon,
      zoom: random.between(0.85, 1.25),
      near: 1.1,
      far: 60,
    },
    {
      heightAt,
      sun: sunlight,
      paint(place, into) {
        const facing =
          place.normalX * sunlight.x + place.normalY * sunlight.y + place.normalZ * sunlight.z
        const wind = place.x + place.z * rippleTurn + noise.at(place.x * 0.9, place.z * 0.9) * 0.5
        const ripple = 1 + 0.1 * Math.sin(wind * ripples * 2.2) * Math.exp(-place.z * 0.16)
        const direct = clamp(facing) * place.sunlit * ripple
        const open = 0.55 + 0.45 * place.normalY
        const far = 1 - Math.exp(-Math.max(0, place.z - 4) * 0.028)
        for (let channel = 0; channel < 3; channel += 1) {
          const ground =
            (sand[channel] ?? 0) *
            (direct * (palette.sunColour[channel] ?? 0) + open * (palette.fill[channel] ?? 0))
          into[channel] = ground + ((haze[channel] ?? 0) - ground) * far
        }
      },
    },
  )
  return develop(canvas, { curve: 'film', vignette: 0.25, exposure: 1.15 })
}

/** Slow rise on one side, a slip face on the other, along crests that wander and die out. */
function shapeDunes(random: Random, noise: Noise): (x: number, z: number) => number {
  const turn = random.between(-1.1, 1.1)
  const alongX = Math.cos(turn)
  const alongZ = Math.sin(turn)
  const spacing = random.between(0.13, 0.24)
  const wander = random.between(1.2, 2.6)
  const tall = random.between(1.1, 2.1)
  return (x, z) => {
    const bend = noise.at(x * 0.07 + 3, z * 0.07) * wander + noise.at(x * 0.21, z * 0.21 + 9) * 0.45
    const across = (x * alongX + z * alongZ) * spacing + bend
    const at = across - Math.floor(across)
    const rise = smoothstep(0, 0.78, at)
    const fall = 1 - smoothstep(0.66, 1, at)
    // The lower of the two, with a crest a few grains wide: a sharper one would show as steps.
    const blunt = Math.max(0, 1 - Math.abs(rise - fall) / crestWidth)
    const profile = Math.min(rise, fall) - (blunt * blunt * crestWidth) / 4
    const size = tall * (0.55 + 0.9 * Math.max(-0.4, noise.at(x * 0.09 + 20, z * 0.08)))
    return profile * size + noise.fbm(x * 0.3, z * 0.3, 2) * 0.35
  }
}
