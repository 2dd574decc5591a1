/** Above the clouds: a white sea with the highest peaks for islands. */
import { createCanvas, develop } from '../canvas/canvas.ts'
import type { Colour } from '../canvas/colour.ts'
import { clamp, evenStops, hex, relight, smoothstep } from '../canvas/colour.ts'
import { createNoise } from '../canvas/noise.ts'
import { createRandom } from '../canvas/random.ts'
import { paintClouds, paintSky, paintStars, paintSun } from '../canvas/sky.ts'
import { paintTerrain } from '../canvas/terrain.ts'
import type { Commission, MoodOf } from '../repertoire.ts'

type Palette = {
  sky: readonly string[]
  cloud: string
  rock: string
  snow: string
  haze: string
  sun: Colour
  fill: Colour
  sunHeight: number
  stars?: number
}

const palettes: Record<MoodOf<'cloudsea'>, Palette> = {
  dawn: {
    sky: ['#4f84ba', '#a9c3db', '#f8d6c4', '#ffe2ae'],
    cloud: '#f6ecec',
    rock: '#5a5f78',
    snow: '#fff0e6',
    haze: '#f6dccd',
    sun: [1.05, 0.72, 0.5],
    fill: [0.38, 0.42, 0.56],
    sunHeight: 0.25,
  },
  dusk: {
    sky: ['#24305f', '#6c5a90', '#e07f78', '#ffb975'],
    cloud: '#e9dbe2',
    rock: '#3a304c',
    snow: '#e6c2c4',
    haze: '#dd9a92',
    sun: [1.35, 0.58, 0.34],
    fill: [0.22, 0.2, 0.36],
    sunHeight: 0.18,
  },
  day: {
    sky: ['#1f62b0', '#5f9bd4', '#c9e2f0'],
    cloud: '#ffffff',
    rock: '#5d6670',
    snow: '#ffffff',
    haze: '#dbe9f2',
    sun: [0.75, 0.7, 0.62],
    fill: [0.36, 0.45, 0.58],
    sunHeight: 0.55,
  },
  moonlit: {
    sky: ['#02050f', '#091634', '#1c3762', '#41658a'],
    cloud: '#a9bdd6',
    rock: '#0f1626',
    snow: '#8fa6c4',
    haze: '#3a5c80',
    sun: [0.5, 0.6, 0.78],
    fill: [0.06, 0.1, 0.19],
    sunHeight: 0.35,
    stars: 1300,
  },
}

export function paintCloudSea({ seed, mood, width, height }: Commission<'cloudsea'>): Uint8Array {
  const random = createRandom(seed)
  const noise = createNoise(seed)
  const palette = palettes[mood]
  const light = relight(random, 8)
  const colour = (text: string) => light(hex(text))
  const canvas = createCanvas(width, height)
  const horizon = random.between(0.36, 0.5)
  const sunX = random.between(0.15, 0.85)

  paintSky(canvas, evenStops(palette.sky.map(colour)), horizon)
  if (palette.stars) paintStars(canvas, random, { amount: palette.stars, horizon })
  const moon = mood === 'moonlit'
  if (mood !== 'day')
    paintSun(canvas, {
      x: sunX,
      y: horizon - random.between(0.04, moon ? 0.3 : 0.12),
      radius: moon ? 0.026 : 0.03,
      colour: moon ? [1, 1, 0.92] : light([1.6, 1.05, 0.62]),
      halo: moon ? [0.3, 0.45, 0.75] : light([1.6, 1, 0.6]),
      glow: 0.26,
      reach: 0.24,
    })
  const high = {
    lit: colour(palette.cloud),
    shaded: colour(palette.haze),
    amount: random.between(0.05, 0.35),
    stretch: 4,
    size: 1,
    opacity: 0.5,
  }
  paintClouds(canvas, noise, high, { horizon, sun: { x: sunX, y: horizon } })

  const offset = random.between(0, 60)
  const swell = random.between(0.7, 1.2)
  const peaks = random.between(-0.02, 0.14)
  const cloudAt = (x: number, z: number) => {
    const bank = noise.fbm(x * 0.16 + offset, z * 0.16, 3)
    const puff =
      Math.abs(noise.at(x * 0.6, z * 0.6 + offset)) +
      0.5 * Math.abs(noise.at(x * 1.4 + offset, z * 1.4))
    return (bank * 1.5 + puff * 0.7 - 0.3) * swell
  }
  const rockAt = (x: number, z: number) => {
    const mass = noise.fbm(x * 0.13 + offset * 2, z * 0.13, 2) - 0.12 + peaks
    return mass <= -0.1 ? -9 : mass * 9 + noise.ridged(x * 0.55, z * 0.55 + offset, 4) * 1.5 - 1.7
  }
  const heightAt = (x: number, z: number) => {
    // No rock stands in the viewer's face.
    const away = smoothstep(3, 7, z)
    return Math.max(cloudAt(x, z), rockAt(x, z) * away - (1 - away) * 5)
  }
  const sun = { x: (sunX - 0.5) * 1.7, y: palette.sunHeight, z: 0.7 }
  const cloud = colour(palette.cloud)
  const rock = colour(palette.rock)
  const snow = colour(palette.snow)
  const haze = colour(palette.haze)
  paintTerrain(
    canvas,
    {
      eyeHeight: random.between(1.7, 2.6),
      horizon,
      zoom: random.between(0.95, 1.25),
      near: 1.3,
      far: 55,
    },
    {
      heightAt,
      sun,
      paint(place, into) {
        const vapour = cloudAt(place.x, place.z)
        // Cloud hides the foot of a rock gradually, as it does.
        const bare = smoothstep(0.02, 0.3, place.height - vapour)
        const facing = place.normalX * sun.x + place.normalY * sun.y + place.normalZ * sun.z
        const hard = clamp(facing) * place.sunlit * 1.3
        const soft = clamp(0.42 + facing * 0.6) * (0.55 + 0.45 * place.sunlit)
        const white = smoothstep(
          0.55,
          0.75,
          place.normalY + noise.at(place.x * 3, place.z * 3) * 0.2,
        )
        const far = 1 - Math.exp(-place.z * 0.028)
        for (let channel = 0; channel < 3; channel += 1) {
          const solid = (rock[channel] ?? 0) * (1 - white) + (snow[channel] ?? 0) * white
          const own = (cloud[channel] ?? 0) * (1 - bare) + solid * bare
          const direct = soft * (1 - bare) + hard * bare
          const ground =
            own *
            (direct * (palette.sun[channel] ?? 0) +
              (0.5 + 0.5 * place.normalY) * (palette.fill[channel] ?? 0))
          into[channel] = ground + ((haze[channel] ?? 0) - ground) * far
        }
      },
    },
  )
  return develop(canvas, { vignette: 0.2, exposure: 1.15 })
}
