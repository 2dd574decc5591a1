/** Waves, a mountain and a sun as a woodblock print: flat ink, outlines, the grain of the block. */
import type { Canvas } from '../canvas/canvas.ts'
import { createCanvas, develop, dim } from '../canvas/canvas.ts'
import type { Colour } from '../canvas/colour.ts'
import { clamp, evenStops, hex, mix, relight, scale, smoothstep } from '../canvas/colour.ts'
import { drawLine, paintDisc } from '../canvas/marks.ts'
import type { Noise } from '../canvas/noise.ts'
import { createNoise } from '../canvas/noise.ts'
import { fillOutline } from '../canvas/path.ts'
import type { Random } from '../canvas/random.ts'
import { createRandom } from '../canvas/random.ts'
import { paintSky } from '../canvas/sky.ts'
import type { Commission, MoodOf } from '../repertoire.ts'

type Inks = {
  sky: readonly string[]
  sun: string
  mountain: string
  cap: string
  waves: readonly string[]
  foam: string
  line: string
}

const inks: Record<MoodOf<'woodblock'>, Inks> = {
  morning: {
    sky: ['#e9d9b4', '#f3e6c8', '#f2d3b0', '#e9b48c'],
    sun: '#c9412c',
    mountain: '#5f7f92',
    cap: '#f6eedb',
    waves: ['#9cc0c4', '#5f95a6', '#33688a', '#1d4468', '#152f4e'],
    foam: '#f7f0df',
    line: '#16283c',
  },
  evening: {
    sky: ['#2c3f63', '#6f6a86', '#d58e78', '#f2c48a'],
    sun: '#f0d9a0',
    mountain: '#3c4766',
    cap: '#ecd8c4',
    waves: ['#7d8fa4', '#4f6d8e', '#304e78', '#1e335c', '#141f40'],
    foam: '#f3e6cf',
    line: '#10162c',
  },
  snow: {
    sky: ['#8d9aa2', '#b9c0c0', '#d8d6cc', '#e6e0d2'],
    sun: '#d9b9a4',
    mountain: '#8a98a0',
    cap: '#f7f5ef',
    waves: ['#a9bcc2', '#7d9aa6', '#557886', '#365a6a', '#22404e'],
    foam: '#f7f4ec',
    line: '#1c2c34',
  },
}

export function paintWoodblock({ seed, mood, width, height }: Commission<'woodblock'>): Uint8Array {
  const random = createRandom(seed)
  const noise = createNoise(seed)
  const ink = inks[mood]
  const light = relight(random, 9)
  const colour = (text: string) => light(hex(text))
  const canvas = createCanvas(width, height)
  const sea = random.between(0.5, 0.64)
  const line = colour(ink.line)

  paintSky(canvas, evenStops(ink.sky.map(colour)), sea + 0.05)
  const sun = {
    x: random.between(0.15, 0.85) * width,
    y: random.between(0.13, 0.32) * height,
    radius: random.between(0.06, 0.11) * height,
  }
  paintDisc(canvas, sun, colour(ink.sun), { opacity: 0.95 })
  paintBands(canvas, random, sea, mix(colour(ink.sky[1] ?? '#ffffff'), colour(ink.foam), 0.5))
  paintMountain(canvas, random, noise, {
    sea,
    mountain: colour(ink.mountain),
    cap: colour(ink.cap),
    line,
  })
  const rows = random.whole(6, 8)
  const swell = random.between(0.7, 1.25)
  for (let row = 0; row < rows; row += 1) {
    const nearness = row / (rows - 1)
    const tone = colour(ink.waves[Math.round(nearness * (ink.waves.length - 1))] ?? ink.line)
    paintWave(canvas, random, noise, {
      base: (sea + (1.04 - sea) * nearness ** 1.1) * height,
      tall: (0.018 + 0.085 * nearness) * height * swell,
      long: (0.1 + 0.34 * nearness) * height * random.between(0.85, 1.15),
      tone,
      foam: colour(ink.foam),
      line,
      nearness,
    })
  }
  if (mood === 'snow') scatterSnow(canvas, random, colour(ink.foam))
  printGrain(canvas, noise)
  return develop(canvas, { vignette: 0.2 })
}

/** The crest of a breaking wave: steep in front, hollow behind. */
function crestAt(turn: number): number {
  const at = turn - Math.floor(turn)
  const rise = smoothstep(0, 0.62, at) ** 1.4
  const fall = 1 - smoothstep(0.6, 1, at)
  return Math.min(rise, fall * 1.05) * 1.1
}

type Wave = {
  base: number
  tall: number
  long: number
  tone: Colour
  foam: Colour
  line: Colour
  nearness: number
}

function paintWave(canvas: Canvas, random: Random, noise: Noise, wave: Wave): void {
  const { width, height } = canvas
  const offset = random.between(0, 9)
  const crest: number[] = []
  const step = 3
  const yAt = (x: number, lift = 0) => {
    const turn = x / wave.long + offset + noise.at((x / wave.long) * 0.7, offset) * 0.35
    const size = 0.7 + 0.6 * noise.at(x / wave.long / 1.7, offset + 5)
    return wave.base - crestAt(turn) * wave.tall * size * (1 - lift) + wave.tall * lift * 1.1
  }
  for (let x = -step; x <= width + step; x += step) crest.push(x, yAt(x))
  fillOutline(canvas, [...crest, width + step, height + 2, -step, height + 2], wave.tone)
  const stripe = mix(wave.tone, wave.foam, 0.26)
  const inside = Math.round(2 + wave.nearness * 3)
  for (let i = 1; i <= inside; i += 1) {
    const points: number[] = []
    for (let x = -step; x <= width + step; x += step * 2)
      points.push(x, yAt(x, i * 0.2) + i * wave.tall * 0.12)
    drawLine(canvas, points, () => 0.5 + wave.nearness * 0.9, stripe, 0.85)
  }
  paintFoam(canvas, random, wave, yAt)
  drawLine(canvas, crest, () => 0.7 + wave.nearness * 1.1, wave.line)
}

/** Foam as a chain of scallops on the crests, larger where the wave is higher. */
function paintFoam(canvas: Canvas, random: Random, wave: Wave, yAt: (x: number) => number): void {
  const size = wave.tall * 0.16
  if (size < 1.6) return
  for (let x = -size; x < canvas.width + size; x += size * random.between(0.55, 0.95)) {
    const y = yAt(x)
    const high = clamp((wave.base - y) / wave.tall - 0.42)
    if (high <= 0) continue
    const radius = size * (0.45 + high * 1.05) * random.between(0.8, 1.2)
    paintDisc(canvas, { x, y: y + radius * 0.35, radius: radius + 0.9 + wave.nearness }, wave.line)
    paintDisc(canvas, { x, y: y + radius * 0.35, radius }, wave.foam)
    if (random.chance(0.4 * high))
      paintDisc(
        canvas,
        {
          x: x + size * random.between(-1, 3),
          y: y - size * random.between(1, 4),
          radius: radius * random.between(0.12, 0.3),
        },
        wave.foam,
      )
  }
}

function paintMountain(
  canvas: Canvas,
  random: Random,
  noise: Noise,
  view: { sea: number; mountain: Colour; cap: Colour; line: Colour },
): void {
  const { width, height } = canvas
  const x = random.between(0.25, 0.75) * width
  const tall = random.between(0.16, 0.32) * height
  const half = tall * random.between(1.5, 2.1)
  const foot = view.sea * height + 8
  const slope = (along: number) => {
    const side = Math.abs(along)
    return (
      foot -
      tall * (1 - side) ** 1.45 * (1 + 0.0001) -
      (side < 0.06 ? 0 : noise.at(along * 9, 3) * tall * 0.02)
    )
  }
  const ridge: number[] = []
  for (let i = -60; i <= 60; i += 1)
    ridge.push(x + (i / 60) * half, Math.max(foot - tall * 0.95, slope(i / 60)))
  fillOutline(canvas, [...ridge, x + half, foot + 4, x - half, foot + 4], view.mountain)
  const cap: number[] = []
  for (let i = -18; i <= 18; i += 1)
    cap.push(x + (i / 60) * half, Math.max(foot - tall * 0.95, slope(i / 60)))
  for (let i = 18; i >= -18; i -= 2) {
    const tooth = i % 4 === 0 ? 0.14 : 0.02
    cap.push(x + (i / 60) * half, slope(i / 60) + tall * (tooth + 0.05 * (1 - Math.abs(i) / 18)))
  }
  fillOutline(canvas, cap, view.cap)
  drawLine(canvas, ridge, () => 0.8, view.line, 0.9)
}

/** Bars of cloud with round ends. */
function paintBands(canvas: Canvas, random: Random, sea: number, colour: Colour): void {
  for (let i = random.whole(3, 6); i > 0; i -= 1) {
    const y = random.between(0.08, sea * 0.85) * canvas.height
    const radius = random.between(0.008, 0.017) * canvas.height
    const from = random.between(-0.1, 0.8) * canvas.width
    const long = random.between(0.15, 0.4) * canvas.width
    const step = random.between(0.3, 0.7) * long
    drawLine(canvas, [from, y, from + long, y], () => radius, colour, 1)
    drawLine(
      canvas,
      [from + step, y + radius * 1.7, from + long + step, y + radius * 1.7],
      () => radius,
      scale(colour, 0.97),
      1,
    )
  }
}

function scatterSnow(canvas: Canvas, random: Random, colour: Colour): void {
  for (let i = 0; i < 260; i += 1) {
    const spot = {
      x: random.next() * canvas.width,
      y: random.next() * canvas.height,
      radius: random.between(1.2, 4.2),
    }
    paintDisc(canvas, spot, colour, { opacity: 0.9 })
  }
}

/** The block's grain takes a little ink from everything. */
function printGrain(canvas: Canvas, noise: Noise): void {
  const { width, height } = canvas
  const broad = new Float32Array(width)
  const fine = new Float32Array(width)
  for (let y = 0; y < height; y += 1) {
    const knot = noise.at(y * 0.006, 9) * 12
    noise.row(broad, y * 0.2 + knot, 0, 0.009)
    noise.row(fine, y * 0.5, 3, 0.02)
    for (let x = 0; x < width; x += 1)
      dim(canvas, y * width + x, 1 + (broad[x] ?? 0) * 0.09 + (fine[x] ?? 0) * 0.05)
  }
}
