/** Mountains with light and shadow on their slopes, reflected in still water. */
import { createCanvas, develop } from '../canvas/canvas.ts'
import type { Canvas } from '../canvas/canvas.ts'
import type { Colour } from '../canvas/colour.ts'
import { clamp, evenStops, hex, mix, relight, smoothstep } from '../canvas/colour.ts'
import { createField } from '../canvas/field.ts'
import { mirrorWater, paintConifer, paintLand, paintMist, traceRidge } from '../canvas/land.ts'
import type { Skyline } from '../canvas/land.ts'
import type { Noise } from '../canvas/noise.ts'
import { createNoise } from '../canvas/noise.ts'
import type { Random } from '../canvas/random.ts'
import { createRandom } from '../canvas/random.ts'
import { paintClouds, paintSky, paintStars, paintSun } from '../canvas/sky.ts'
import type { Commission, MoodOf } from '../repertoire.ts'

type Palette = {
  sky: readonly string[]
  cloud: readonly [lit: string, shaded: string]
  rockLit: string
  rockShaded: string
  snow: string
  snowShaded: string
  haze: string
  wood: string
  water: string
  stars?: number
  sun?: { colour: Colour; glow: number }
}

const palettes: Record<MoodOf<'lake'>, Palette> = {
  dawn: {
    sky: ['#5b83ae', '#a9bfd6', '#f0cfc4', '#ffdcb0'],
    cloud: ['#ffe0c8', '#a999b0'],
    rockLit: '#c98f76',
    rockShaded: '#4c5876',
    snow: '#ffd9c2',
    snowShaded: '#8695bd',
    haze: '#e8cfc8',
    wood: '#22343c',
    water: '#2e4a60',
    sun: { colour: [1.5, 1.1, 0.75], glow: 0.25 },
  },
  noon: {
    sky: ['#2f6fb2', '#6fa6d3', '#bcdcea'],
    cloud: ['#ffffff', '#b9c8d8'],
    rockLit: '#a2a093',
    rockShaded: '#4d6072',
    snow: '#fbfdff',
    snowShaded: '#9db7d6',
    haze: '#c3dbe6',
    wood: '#1e4030',
    water: '#17506a',
  },
  dusk: {
    sky: ['#232c5c', '#5a5488', '#c27a8c', '#f7ab74'],
    cloud: ['#ffa27c', '#5b4a74'],
    rockLit: '#b56a63',
    rockShaded: '#33335a',
    snow: '#ffb898',
    snowShaded: '#6a6aa0',
    haze: '#c08a94',
    wood: '#141527',
    water: '#2b2a4e',
    sun: { colour: [1.7, 0.9, 0.5], glow: 0.3 },
  },
  night: {
    sky: ['#04081a', '#0b1a38', '#1d3a5c', '#365a74'],
    cloud: ['#5a7590', '#142136'],
    rockLit: '#4d6580',
    rockShaded: '#0e1a30',
    snow: '#a9c0d8',
    snowShaded: '#2c4468',
    haze: '#2b4862',
    wood: '#03070e',
    water: '#071222',
    stars: 1400,
  },
}

export function paintLake({ seed, mood, width, height, phase }: Commission<'lake'>): Uint8Array {
  const random = createRandom(seed)
  const noise = createNoise(seed)
  const palette = palettes[mood]
  const light = relight(random, 12)
  const colour = (text: string) => light(hex(text))
  const canvas = createCanvas(width, height)
  const line = random.between(0.52, 0.66)
  const sunX = random.between(0.1, 0.9)

  const stops = evenStops(palette.sky.map(colour))
  paintSky(canvas, stops, line)
  if (palette.stars) paintStars(canvas, random, { amount: palette.stars, horizon: line })
  if (palette.sun)
    paintSun(canvas, { x: sunX, y: line - 0.12, radius: 0, reach: 0.35, ...palette.sun })
  const [lit, shaded] = palette.cloud
  const clouds = {
    lit: colour(lit),
    shaded: colour(shaded),
    amount: random.between(0.15, 0.6),
    stretch: random.between(1.2, 2.6),
    size: random.between(0.4, 0.9),
  }
  paintClouds(canvas, noise, clouds, { horizon: line, sun: { x: sunX, y: line - 0.2 } })

  const ranges = random.whole(2, 3)
  for (let i = 0; i < ranges; i += 1) {
    const nearness = i / ranges
    const peaks = {
      base: line - 0.14 + nearness * 0.1,
      relief: random.between(0.55, 0.85) * (1 - nearness * 0.6),
      frequency: random.between(0.9, 1.5) * (1 + nearness * 0.5),
      sharpness: random.between(0.75, 1),
    }
    const skyline = traceRidge(canvas, noise, peaks, random.between(0, 90))
    paintMountain(canvas, noise, skyline, {
      colours: {
        rockLit: colour(palette.rockLit),
        rockShaded: colour(palette.rockShaded),
        snow: colour(palette.snow),
        snowShaded: colour(palette.snowShaded),
        haze: colour(palette.haze),
      },
      line,
      haze: 0.38 - nearness * 0.36,
      snowline: line - random.between(0.1, 0.26),
      sunLeft: sunX < 0.5,
      offset: i * 31,
    })
  }
  paintShore(canvas, random, noise, {
    line,
    colour: colour(palette.wood),
    haze: colour(palette.haze),
  })
  paintMist(canvas, noise, {
    centre: line - 0.01,
    spread: random.between(0.04, 0.1),
    colour: colour(palette.haze),
    opacity: random.between(0.15, 0.6),
  })
  mirrorWater(canvas, noise, {
    line,
    tint: colour(palette.water),
    clarity: random.between(0.72, 0.88),
    ripple: random.between(0.05, 0.5),
    phase,
  })
  return develop(canvas, { vignette: 0.2 })
}

type MountainColours = Record<'rockLit' | 'rockShaded' | 'snow' | 'snowShaded' | 'haze', Colour>

function paintMountain(
  canvas: Canvas,
  noise: Noise,
  skyline: Skyline,
  mountain: {
    colours: MountainColours
    line: number
    haze: number
    snowline: number
    sunLeft: boolean
    offset: number
  },
): void {
  const { width, height } = canvas
  const { colours, line, snowline, offset } = mountain
  const side = mountain.sunLeft ? 1 : -1
  const near = height * 0.006 * side
  const creases = createField(canvas, 3, (x, y) => {
    const lean = noise.at((x / height) * 3 + offset, (y / height) * 3) * 0.16
    return noise.ridged((x / height + lean) * 3.1 + offset, (y / height) * 2.2 + lean, 5)
  })
  // The slope of the crest decides the light near it. Further down the creases decide it.
  const falls = Float32Array.from(skyline, (_, x) => {
    const reach = Math.round(height * 0.04)
    const before = skyline[Math.max(0, x - reach)] ?? 0
    const after = skyline[Math.min(width - 1, x + reach)] ?? 0
    return ((before - after) / reach) * side
  })
  paintLand(
    canvas,
    skyline,
    (depth, x, y) => {
      const face = (creases.at(x + near, y) - creases.at(x - near, y)) * 3.6
      const crest = (falls[x] ?? 0) * 0.55 * Math.exp(-depth * 9)
      const lit = smoothstep(-0.34, 0.5, face + crest)
      const snowy = smoothstep(0.03, -0.03, y / height - snowline + (creases.at(x, y) - 0.6) * 0.2)
      const rock = mix(colours.rockShaded, colours.rockLit, lit)
      const veil =
        mountain.haze + (1 - mountain.haze) * 0.7 * smoothstep(0.16, 0, line - y / height)
      const ground = snowy > 0 ? mix(rock, mix(colours.snowShaded, colours.snow, lit), snowy) : rock
      return mix(ground, colours.haze, veil)
    },
    Math.round(line * height),
  )
}

/** Paints woods along the far shore. */
function paintShore(
  canvas: Canvas,
  random: Random,
  noise: Noise,
  shore: { line: number; colour: Colour; haze: Colour },
): void {
  const { width, height } = canvas
  const foot = shore.line * height
  const wide = random.between(0.2, 0.6)
  for (const back of [0.55, 0.3, 0.05]) {
    const colour = mix(shore.colour, shore.haze, back)
    const offset = random.between(0, 50)
    for (let x = -8; x < width + 8; x += height * random.between(0.003, 0.009)) {
      const stand = noise.fbm((x / width) * 2.2 + offset, back * 9, 3) + wide - 0.32
      if (stand < 0) continue
      const tall = height * clamp(0.012 + stand * 0.12, 0, 0.07) * random.between(0.6, 1.2)
      paintConifer(canvas, random, { x, y: foot + 1, height: tall, colour })
    }
  }
}
