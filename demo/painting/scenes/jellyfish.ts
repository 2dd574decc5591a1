/** Jellyfish in deep water, lit from within. */
import type { Canvas } from '../canvas/canvas.ts'
import { createCanvas, develop, shine } from '../canvas/canvas.ts'
import type { Colour } from '../canvas/colour.ts'
import { clamp, evenStops, hex, lerp, relight, smoothstep } from '../canvas/colour.ts'
import { createField } from '../canvas/field.ts'
import { paintGlow } from '../canvas/marks.ts'
import type { Noise } from '../canvas/noise.ts'
import { createNoise } from '../canvas/noise.ts'
import { brushOutline, strokeOutline } from '../canvas/path.ts'
import type { Random } from '../canvas/random.ts'
import { createRandom } from '../canvas/random.ts'
import { paintSky } from '../canvas/sky.ts'
import type { Commission, MoodOf } from '../repertoire.ts'

type Water = { depths: readonly string[]; rays: Colour; bells: readonly Colour[] }

const waters: Record<MoodOf<'jellyfish'>, Water> = {
  blue: {
    depths: ['#1f6f9c', '#0d3f6c', '#06203f', '#030d1e'],
    rays: [0.5, 0.85, 1],
    bells: [
      [0.75, 0.85, 1.1],
      [1, 0.75, 0.95],
      [0.6, 1, 1.05],
    ],
  },
  violet: {
    depths: ['#4a3a8c', '#2a1f60', '#150f38', '#08061a'],
    rays: [0.75, 0.6, 1],
    bells: [
      [1.1, 0.6, 0.85],
      [0.9, 0.75, 1.2],
      [1.15, 0.75, 0.5],
    ],
  },
  green: {
    depths: ['#1f7a6c', '#0d4a4c', '#062a30', '#031416'],
    rays: [0.5, 1, 0.8],
    bells: [
      [0.7, 1.05, 0.8],
      [1.05, 0.95, 0.6],
      [0.6, 0.9, 1.05],
    ],
  },
}

export function paintJellyfish({
  seed,
  mood,
  width,
  height,
  phase,
}: Commission<'jellyfish'>): Uint8Array {
  const random = createRandom(seed)
  const noise = createNoise(seed)
  const water = waters[mood]
  const light = relight(random, 14)
  const canvas = createCanvas(width, height)
  paintSky(canvas, evenStops(water.depths.map((text) => light(hex(text)))))
  paintShafts(canvas, noise, light(water.rays), random.between(0.2, 0.8))
  for (let i = 0; i < 150; i += 1) {
    const depth = random.next() ** 3
    const y = (random.next() + 1 - phase * (depth > 0.3 ? 1 : 0)) % 1
    paintGlow(
      canvas,
      { x: random.next() * width, y: y * height, radius: height * lerp(0.002, 0.009, depth) },
      light(water.rays),
      0.25,
    )
  }
  const animals = Array.from({ length: random.whole(3, 8) }, (_, i) => ({
    nearness: i === 0 ? 1 : random.next() ** 1.6,
    x: random.between(0.12, 0.88),
    y: random.between(0.14, 0.6),
    lean: random.between(-0.5, 0.5),
    beat: random.next(),
    colour: light(random.pick(water.bells)),
  })).sort((a, b) => a.nearness - b.nearness)
  for (const { nearness, x, y, lean, beat, colour } of animals) {
    const pulse = Math.sin((phase + beat) * Math.PI * 2)
    const size = Math.min(width, height * 1.2) * lerp(0.035, 0.15, nearness)
    paintAnimal(canvas, random.fork(`${beat}`), noise, {
      x: x * width,
      y: y * height - pulse * size * 0.08,
      size,
      lean,
      pulse,
      colour,
      strength: lerp(0.22, 0.62, nearness),
    })
  }
  return develop(canvas, { vignette: 0.35 })
}

function paintShafts(canvas: Canvas, noise: Noise, colour: Colour, from: number): void {
  const { width, height } = canvas
  const shafts = createField(canvas, 5, (x, y) => {
    const angle = Math.atan2(x - from * width, y + height * 0.5)
    return smoothstep(0, 0.4, noise.fbm(angle * 11, 2.2, 3) + 0.08) * Math.exp((-y / height) * 2.6)
  })
  const row = new Float32Array(width)
  for (let y = 0; y < height; y += 1) {
    shafts.row(row, y)
    for (let x = 0; x < width; x += 1) shine(canvas, y * width + x, colour, (row[x] ?? 0) * 0.16)
  }
}

type Animal = {
  x: number
  y: number
  size: number
  lean: number
  pulse: number
  colour: Colour
  strength: number
}

function paintAnimal(canvas: Canvas, random: Random, noise: Noise, animal: Animal): void {
  const { x, y, size, lean, pulse, colour, strength } = animal
  const wide = size * (1 + pulse * 0.09)
  const tall = size * (0.86 - pulse * 0.08)
  const cosine = Math.cos(lean)
  const sine = Math.sin(lean)
  const turn = (dx: number, dy: number) =>
    [x + dx * cosine - dy * sine, y + dx * sine + dy * cosine] as const
  paintGlow(canvas, { x, y, radius: size * 3 }, colour, strength * 0.14)
  const threads = random.whole(12, 20)
  for (let i = 0; i < threads; i += 1) {
    const across = (i / (threads - 1) - 0.5) * 1.7
    const long = size * random.between(1.6, 3.6)
    const wave = random.between(0, 9)
    const points: number[] = []
    for (let step = 0; step <= 54; step += 1) {
      const t = step / 54
      const sway = noise.at(t * 2.4 - pulse * 0.12 + wave, wave) * size * 0.85 * t
      points.push(...turn(across * wide * (1 - t * 0.35) + sway, tall * 0.12 + t * long))
    }
    addLight(
      canvas,
      strokeOutline(points, (t) => size * 0.028 * (1.15 - t)),
      colour,
      strength * 0.55,
    )
  }
  for (let i = 0; i < 4; i += 1) {
    const wave = random.between(0, 9)
    const long = size * random.between(2, 2.1)
    const points: number[] = []
    for (let step = 0; step <= 64; step += 1) {
      const t = step / 64
      const frill = noise.at(t * 5 + wave, wave) * size * 0.45
      points.push(...turn((i - 1.5) * wide * 0.17 + frill * t, t * long))
    }
    addLight(
      canvas,
      strokeOutline(points, (t) => size * 0.17 * (1 - t) * (1 + 0.5 * Math.sin(t * 26 + wave))),
      colour,
      strength * 0.5,
    )
  }
  paintBell(canvas, { wide, tall, turn, cosine, sine }, animal)
}

/** Paints the bell: thin in the middle, bright at its edge and along its ribs. */
function paintBell(
  canvas: Canvas,
  bell: {
    wide: number
    tall: number
    turn: (dx: number, dy: number) => readonly [number, number]
    cosine: number
    sine: number
  },
  { x, y, colour, strength }: Animal,
): void {
  const outline: number[] = []
  for (let i = 0; i <= 108; i += 1) {
    const angle = Math.PI + (i / 108) * Math.PI
    outline.push(...bell.turn(Math.cos(angle) * bell.wide, Math.sin(angle) * bell.tall))
  }
  for (let i = 0; i <= 96; i += 1) {
    const across = 1 - i / 48
    outline.push(
      ...bell.turn(
        across * bell.wide,
        bell.tall * (0.1 + 0.05 * Math.cos(across * 16)) * (1 - across * across) + 2,
      ),
    )
  }
  brushOutline(canvas, outline, (pixel, coverage, px, py) => {
    const dx = px - x
    const dy = py - y
    const across = (dx * bell.cosine + dy * bell.sine) / bell.wide
    const down = (dy * bell.cosine - dx * bell.sine) / bell.tall
    const away = clamp(Math.sqrt(across * across + down * down))
    const ribs = 0.5 + 0.5 * Math.cos(Math.atan2(across, 0.35 - down) * 15)
    const shell = 0.16 + 0.95 * away ** 3.4 + 0.14 * ribs * away
    const heart = Math.exp(-(across * across * 9 + (down + 0.3) ** 2 * 14)) * 0.5
    shine(canvas, pixel, colour, coverage * strength * (shell + heart))
  })
}

function addLight(
  canvas: Canvas,
  outline: readonly number[],
  colour: Colour,
  strength: number,
): void {
  brushOutline(canvas, outline, (pixel, coverage) =>
    shine(canvas, pixel, colour, coverage * strength * 0.5),
  )
}
