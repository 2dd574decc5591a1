/** A city after sunset: rows of towers, lit windows, and their reflection in the water. */
import type { Canvas } from '../canvas/canvas.ts'
import { cover, createCanvas, develop, shine } from '../canvas/canvas.ts'
import type { Colour } from '../canvas/colour.ts'
import { evenStops, hex, mix, relight, scale } from '../canvas/colour.ts'
import { mirrorWater, paintMist } from '../canvas/land.ts'
import { paintGlow } from '../canvas/marks.ts'
import { createNoise } from '../canvas/noise.ts'
import type { Random } from '../canvas/random.ts'
import { createRandom } from '../canvas/random.ts'
import { paintClouds, paintSky, paintStars, paintSun } from '../canvas/sky.ts'
import type { Commission, MoodOf } from '../repertoire.ts'

type Palette = {
  sky: readonly string[]
  cloud: readonly [string, string]
  far: string
  near: string
  water: string
  windows: readonly string[]
  lit: number
  glow: Colour
  stars?: number
}

const palettes: Record<MoodOf<'skyline'>, Palette> = {
  dusk: {
    sky: ['#141c38', '#3d3c62', '#a15e64', '#f0a066'],
    cloud: ['#ff9a72', '#3a3454'],
    far: '#71586c',
    near: '#12131f',
    water: '#1b1c30',
    windows: ['#ffd28a', '#ffe3b0', '#ffb866', '#ffe9c8'],
    lit: 0.34,
    glow: [1, 0.5, 0.25],
  },
  night: {
    sky: ['#03050d', '#0a1226', '#1b2748', '#3a3f63'],
    cloud: ['#3c4568', '#0b1020'],
    far: '#2a3252',
    near: '#05070d',
    water: '#040812',
    windows: ['#ffd894', '#fff0cf', '#9fd0ff', '#ffb05c', '#ff7f9f'],
    lit: 0.42,
    glow: [0.5, 0.4, 0.55],
    stars: 500,
  },
  rain: {
    sky: ['#1c242c', '#38444d', '#5f6a6c', '#8f9288'],
    cloud: ['#77837f', '#222b32'],
    far: '#66716f',
    near: '#171e22',
    water: '#1d282c',
    windows: ['#ffcf7a', '#ffe6b5', '#ff9f4a', '#f7f2d8'],
    lit: 0.3,
    glow: [0.7, 0.6, 0.4],
  },
  dawn: {
    sky: ['#6a8fb8', '#aebdd2', '#f2c9bd', '#ffe0b0'],
    cloud: ['#fff0dc', '#a898b4'],
    far: '#b9a9b4',
    near: '#3a4258',
    water: '#5c7088',
    windows: ['#fff0c4', '#ffdf9a'],
    lit: 0.07,
    glow: [1, 0.8, 0.55],
  },
}

export function paintSkyline({
  seed,
  mood,
  width,
  height,
  phase,
}: Commission<'skyline'>): Uint8Array {
  const random = createRandom(seed)
  const noise = createNoise(seed)
  const palette = palettes[mood]
  const light = relight(random, 12)
  const colour = (text: string) => light(hex(text))
  const canvas = createCanvas(width, height)
  const line = random.between(0.6, 0.78)
  const centre = random.between(0.2, 0.8)

  paintSky(canvas, evenStops(palette.sky.map(colour)), line)
  if (palette.stars) paintStars(canvas, random, { amount: palette.stars, horizon: line })
  paintSun(canvas, {
    x: centre,
    y: line,
    radius: 0,
    colour: light(palette.glow),
    glow: 0.32,
    reach: 0.4,
  })
  const clouds = {
    lit: colour(palette.cloud[0]),
    shaded: colour(palette.cloud[1]),
    amount: random.between(0.2, 0.7),
    stretch: 2.4,
    size: 0.8,
  }
  paintClouds(canvas, noise, clouds, { horizon: line, sun: { x: centre, y: line } })
  if (mood === 'night' && random.chance(0.6))
    paintSun(canvas, {
      x: random.between(0.1, 0.9),
      y: random.between(0.1, 0.25),
      radius: 0.028,
      colour: [1, 0.96, 0.84],
      halo: [0.3, 0.4, 0.6],
      glow: 0.2,
      reach: 0.14,
    })

  const windows = palette.windows.map((text) => scale(hex(text), 1.15))
  const style = { tall: random.between(0.75, 1.25), crowd: random.between(0.25, 0.5) }
  const rows = 4
  for (let row = 0; row < rows; row += 1) {
    const nearness = row / (rows - 1)
    const facade = mix(colour(palette.far), colour(palette.near), nearness)
    let x = -random.between(0, 0.06) * height
    while (x < width) {
      const wide = height * random.between(0.035, 0.1) * (0.8 + nearness * 0.4)
      const middle = Math.exp(
        -(((x + wide / 2) / width - centre) ** 2) / (2 * style.crowd ** 2 * 0.25),
      )
      const tall =
        height *
        (0.06 + random.next() ** 2 * 0.4 * (0.25 + middle)) *
        (1.15 - nearness * 0.55) *
        style.tall
      paintTower(canvas, random, {
        x,
        wide,
        tall: Math.min(tall, line * height * 0.86),
        foot: line * height,
        facade,
        windows,
        lit: palette.lit * (0.45 + nearness * 0.75),
        nearness,
      })
      x += wide * random.between(0.8, 1.25)
    }
    if (row < rows - 1)
      paintMist(canvas, noise, {
        centre: line,
        spread: 0.2,
        colour: mix(facade, light(palette.glow), 0.2),
        opacity: mood === 'rain' ? 0.5 : 0.22,
        offset: row * 5,
      })
  }
  paintQuay(canvas, random, line * height, windows)
  mirrorWater(canvas, noise, {
    line,
    tint: colour(palette.water),
    clarity: 0.66,
    ripple: random.between(0.5, 1.3),
    phase,
  })
  return develop(canvas, { vignette: 0.3 })
}

type Tower = {
  x: number
  wide: number
  tall: number
  foot: number
  facade: Colour
  windows: readonly Colour[]
  lit: number
  nearness: number
}

function paintTower(canvas: Canvas, random: Random, tower: Tower): void {
  const { x, wide, foot, facade } = tower
  const top = foot - tower.tall
  const mastWide = Math.max(1, canvas.height / 400)
  fillBox(canvas, x, top, wide, tower.tall, facade)
  if (tower.nearness > 0 && tower.nearness < 1) lightSide(canvas, x, top, wide, tower.tall)
  const crown = random.next()
  if (crown < 0.25)
    fillBox(canvas, x + wide * 0.2, top - wide * 0.35, wide * 0.6, wide * 0.36, facade)
  else if (crown < 0.4) {
    for (let step = 1; step <= 3; step += 1)
      fillBox(
        canvas,
        x + wide * 0.14 * step,
        top - wide * 0.24 * step,
        wide * (1 - 0.28 * step),
        wide * 0.25,
        facade,
      )
    fillBox(canvas, x + (wide - mastWide) / 2, top - wide * 1.5, mastWide, wide, facade)
  } else if (crown < 0.52) {
    const mast = random.between(0.4, 1.1) * wide
    fillBox(canvas, x + (wide - mastWide) / 2, top - mast, mastWide, mast, facade)
    if (tower.nearness > 0.3)
      paintGlow(
        canvas,
        { x: x + wide / 2, y: top - mast, radius: canvas.height * 0.01 },
        [1, 0.15, 0.1],
        0.9,
      )
  }
  // The number of windows depends on the size. A separate stream keeps the next tower in its position.
  const inside = random.fork(`${random.next()}`)
  if (tower.nearness > 0) lightWindows(canvas, inside, tower, top)
}

function lightWindows(canvas: Canvas, random: Random, tower: Tower, top: number): void {
  const unit = canvas.height / 800
  const gapX = random.between(7, 11) * unit * (0.75 + tower.nearness * 0.45)
  const gapY = random.between(9, 14) * unit * (0.75 + tower.nearness * 0.45)
  const office = random.chance(0.3)
  const lit = tower.lit * random.between(0.4, 1.4)
  const tint = random.pick(tower.windows)
  for (let y = top + gapY * 0.8; y < tower.foot - gapY; y += gapY) {
    const floorLit = office && random.chance(0.35)
    for (let x = tower.x + gapX * 0.7; x < tower.x + tower.wide - gapX * 0.7; x += gapX) {
      if (!floorLit && !random.chance(lit)) continue
      const colour = random.chance(0.75) ? tint : random.pick(tower.windows)
      fillBox(canvas, x, y, gapX * 0.5, gapY * 0.5, colour, random.between(0.25, 1))
    }
  }
}

/** Paints lamps along the water, each with a small glow. */
function paintQuay(canvas: Canvas, random: Random, foot: number, windows: readonly Colour[]): void {
  const gap = canvas.height * random.between(0.025, 0.05)
  for (let x = random.between(0, gap); x < canvas.width; x += gap * random.between(0.7, 1.3)) {
    const colour = random.pick(windows)
    const radius = canvas.height * random.between(0.012, 0.033)
    paintGlow(canvas, { x, y: foot - canvas.height * 0.007, radius }, colour, 0.55)
  }
}

function lightSide(canvas: Canvas, x: number, y: number, wide: number, tall: number): void {
  for (let row = Math.max(0, Math.round(y)); row < y + tall; row += 1) {
    const left = Math.max(0, Math.round(x))
    for (let column = left; column < Math.min(canvas.width, x + wide * 0.3); column += 1)
      shine(canvas, row * canvas.width + column, [0.9, 0.8, 1], 0.008)
  }
}

function fillBox(
  canvas: Canvas,
  x: number,
  y: number,
  wide: number,
  tall: number,
  colour: Colour,
  opacity = 1,
): void {
  const right = Math.min(canvas.width, Math.round(x + wide))
  const bottom = Math.min(canvas.height, Math.round(y + tall))
  for (let row = Math.max(0, Math.round(y)); row < bottom; row += 1) {
    for (let column = Math.max(0, Math.round(x)); column < right; column += 1)
      cover(canvas, row * canvas.width + column, colour, opacity)
  }
}
