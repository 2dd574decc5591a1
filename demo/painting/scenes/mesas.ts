/** Table mountains and buttes, their layers of rock laid bare. */
import { createCanvas, develop } from '../canvas/canvas.ts'
import type { Colour } from '../canvas/colour.ts'
import { clamp, evenRamp, evenStops, hex, relight, smoothstep } from '../canvas/colour.ts'
import { createNoise } from '../canvas/noise.ts'
import { createRandom } from '../canvas/random.ts'
import { paintClouds, paintSky, paintStars, paintSun } from '../canvas/sky.ts'
import { paintTerrain } from '../canvas/terrain.ts'
import type { Commission, MoodOf } from '../repertoire.ts'

type Palette = {
  sky: readonly string[]
  cloud: readonly [string, string]
  strata: readonly string[]
  floor: string
  haze: string
  sun: Colour
  fill: Colour
  sunHeight: number
  stars?: number
}

const palettes: Record<MoodOf<'mesas'>, Palette> = {
  day: {
    sky: ['#2f74b5', '#7fb2d8', '#d5e4e6'],
    cloud: ['#ffffff', '#b6c4d0'],
    strata: ['#8c3f26', '#c66a3c', '#a84e2e', '#dd9a66', '#b5583a', '#e8bb8a'],
    floor: '#c08a5a',
    haze: '#cfd8d6',
    sun: [1.75, 1.5, 1.15],
    fill: [0.28, 0.33, 0.44],
    sunHeight: 0.55,
  },
  dusk: {
    sky: ['#2a2c5e', '#7c5488', '#e27d6a', '#ffc07e'],
    cloud: ['#ff9f78', '#5e4470'],
    strata: ['#6e2a24', '#b5482c', '#8c3428', '#d4703e', '#9a3e2e', '#e29a5e'],
    floor: '#9a5a40',
    haze: '#c9808a',
    sun: [2.3, 1.05, 0.5],
    fill: [0.24, 0.2, 0.4],
    sunHeight: 0.24,
  },
  dawn: {
    sky: ['#6d97c2', '#b7c6d8', '#f6d5bf', '#ffe2b0'],
    cloud: ['#fff0dc', '#b4a3b4'],
    strata: ['#94584a', '#cc8a6a', '#b0705a', '#e0b08c', '#bb7e68', '#eccaa6'],
    floor: '#c9a284',
    haze: '#f0d3c2',
    sun: [1.7, 1.2, 0.85],
    fill: [0.32, 0.34, 0.46],
    sunHeight: 0.3,
  },
  night: {
    sky: ['#04071a', '#0c1a3a', '#21406a', '#48708c'],
    cloud: ['#4c6888', '#0e1a30'],
    strata: ['#2c2838', '#4a4050', '#3a3344', '#5e5262', '#433a4a', '#6e6272'],
    floor: '#3e3a48',
    haze: '#2f4f6c',
    sun: [0.55, 0.7, 0.95],
    fill: [0.07, 0.1, 0.18],
    sunHeight: 0.4,
    stars: 1700,
  },
}

export function paintMesas({ seed, mood, width, height }: Commission<'mesas'>): Uint8Array {
  const random = createRandom(seed)
  const noise = createNoise(seed)
  const palette = palettes[mood]
  const light = relight(random, 7)
  const colour = (text: string) => light(hex(text))
  const canvas = createCanvas(width, height)
  const horizon = random.between(0.5, 0.66)
  const side = random.chance(0.5) ? 1 : -1
  const sunX = 0.5 + side * random.between(0.15, 0.45)

  paintSky(canvas, evenStops(palette.sky.map(colour)), horizon)
  if (palette.stars) paintStars(canvas, random, { amount: palette.stars, horizon })
  if (mood !== 'day')
    paintSun(canvas, {
      x: sunX,
      y: horizon - random.between(0.03, 0.16),
      radius: mood === 'night' ? 0 : 0.026,
      colour: light(palette.sun),
      glow: 0.2,
      reach: 0.26,
    })
  const clouds = {
    lit: colour(palette.cloud[0]),
    shaded: colour(palette.cloud[1]),
    amount: random.between(0.1, 0.6),
    stretch: random.between(1.5, 3),
    size: random.between(0.5, 0.9),
  }
  paintClouds(canvas, noise, clouds, { horizon, sun: { x: sunX, y: horizon - 0.1 } })

  const offset = random.between(0, 60)
  const rarity = random.between(-0.02, 0.1)
  const tall = random.between(1.6, 2.6)
  const wide = random.between(0.16, 0.26)
  const heightAt = (x: number, z: number) => {
    const plain = noise.fbm(x * 0.2 + offset, z * 0.2, 2) * 0.35
    // No mesa stands so near that it would fill the picture.
    const room = smoothstep(4.5, 8, z)
    const mass = noise.fbm(x * wide + offset, z * wide * 0.8 + 7, 4, 0.42) * room - rarity
    const talus = smoothstep(-0.02, 0.1, mass) * 0.28
    const cliff = smoothstep(0.075, 0.1, mass) * 0.5 + smoothstep(0.15, 0.17, mass) * 0.22
    return plain + (talus + cliff) * tall
  }
  const view = {
    eyeHeight: heightAt(0, 1) + random.between(0.7, 1.3),
    horizon,
    zoom: random.between(0.95, 1.35),
    near: 0.9,
    far: 55,
  }
  const steep = palette.sunHeight
  const flat = Math.sqrt(1 - steep * steep)
  const turn = random.between(-0.5, 0.3)
  const sun = { x: side * flat * Math.cos(turn), y: steep, z: flat * Math.sin(turn) }
  const strata = evenRamp(palette.strata.map(colour))
  const floor = colour(palette.floor)
  const haze = colour(palette.haze)
  const bands = random.between(3.5, 6)
  paintTerrain(canvas, view, {
    heightAt,
    sun,
    paint(place, into) {
      const wall = smoothstep(0.9, 0.6, place.normalY)
      const layer = place.height * bands + noise.at(place.x * 0.7, place.z * 0.7) * 0.35
      const rock = strata.at(layer * 0.33 - Math.floor(layer * 0.33))
      const crack = 1 + 0.28 * noise.at(place.x * 5 + place.z * 3, place.height * 0.8)
      const scrub =
        1 -
        0.3 *
          smoothstep(
            0.12,
            0.4,
            noise.at(place.x * 8.3, place.z * 8.3) + noise.at(place.x * 1.3, place.z * 1.3) * 0.6,
          ) *
          (1 - wall)
      const facing = clamp(place.normalX * sun.x + place.normalY * sun.y + place.normalZ * sun.z)
      const direct = facing * place.sunlit * 1.1
      const far = 1 - Math.exp(-Math.max(0, place.z - 3) * 0.026)
      for (let channel = 0; channel < 3; channel += 1) {
        const own = (floor[channel] ?? 0) * (1 - wall) * scrub + (rock[channel] ?? 0) * wall * crack
        const ground =
          own *
          (direct * (palette.sun[channel] ?? 0) +
            (0.6 + 0.4 * place.normalY) * (palette.fill[channel] ?? 0))
        into[channel] = ground + ((haze[channel] ?? 0) - ground) * far
      }
    },
  })
  return develop(canvas, { curve: 'film', vignette: 0.25, exposure: 1.15 })
}
