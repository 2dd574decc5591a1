/** Hot-air balloons over hills, early in the day. */
import type { Canvas } from '../canvas/canvas.ts'
import { cover, createCanvas, develop } from '../canvas/canvas.ts'
import type { Colour } from '../canvas/colour.ts'
import {
  clamp,
  evenRamp,
  evenStops,
  hex,
  lerp,
  mix,
  relight,
  scale,
  smoothstep,
} from '../canvas/colour.ts'
import { paintLand, paintMist, traceRidge } from '../canvas/land.ts'
import { drawLine } from '../canvas/marks.ts'
import { createNoise } from '../canvas/noise.ts'
import { brushOutline, fillOutline } from '../canvas/path.ts'
import type { Random } from '../canvas/random.ts'
import { createRandom } from '../canvas/random.ts'
import { paintClouds, paintSky, paintSun } from '../canvas/sky.ts'
import type { Commission, MoodOf } from '../repertoire.ts'

type Palette = {
  sky: readonly string[]
  cloud: readonly [string, string]
  far: string
  near: string
  haze: string
  sun: Colour
}

const palettes: Record<MoodOf<'balloons'>, Palette> = {
  dawn: {
    sky: ['#5c8cc0', '#a9c4dc', '#f6d6c4', '#ffe2b2'],
    cloud: ['#fff2e0', '#b9a8b8'],
    far: '#a8a0bc',
    near: '#3a4a44',
    haze: '#f2d6c6',
    sun: [1.6, 1.15, 0.7],
  },
  day: {
    sky: ['#2f7cc4', '#7fb6e0', '#d6eaf2'],
    cloud: ['#ffffff', '#bccbd8'],
    far: '#8fb0b8',
    near: '#4a7038',
    haze: '#d0e2e6',
    sun: [1.2, 1.15, 1],
  },
  dusk: {
    sky: ['#2c3c70', '#7c6a98', '#e89a80', '#ffcf88'],
    cloud: ['#ffb690', '#6a5680'],
    far: '#8a6c88',
    near: '#2a2434',
    haze: '#e0a08c',
    sun: [1.8, 0.95, 0.5],
  },
}

const silks = [
  ['#d8402c', '#f2c14a', '#f6efe0'],
  ['#2f6cb0', '#f4f0e4', '#e8a03a'],
  ['#7a2a6c', '#f0a04a', '#f6e0b0'],
  ['#1f7a6c', '#f6d860', '#e8603c'],
  ['#c92a4a', '#f8f0e4', '#2a3a7c'],
  ['#e8702a', '#3a8ab0', '#f8e8c0'],
  ['#3a7a3c', '#e8d24a', '#b8342a'],
] as const

export function paintBalloons({
  seed,
  mood,
  width,
  height,
  phase,
}: Commission<'balloons'>): Uint8Array {
  const random = createRandom(seed)
  const noise = createNoise(seed)
  const palette = palettes[mood]
  const light = relight(random, 10)
  const colour = (text: string) => light(hex(text))
  const canvas = createCanvas(width, height)
  const horizon = random.between(0.62, 0.76)
  const sun = { x: random.between(0.1, 0.9), y: horizon - random.between(0.04, 0.2) }

  paintSky(canvas, evenStops(palette.sky.map(colour)), horizon)
  if (mood !== 'day')
    paintSun(canvas, { ...sun, radius: 0.03, colour: light(palette.sun), glow: 0.32, reach: 0.28 })
  const clouds = {
    lit: colour(palette.cloud[0]),
    shaded: colour(palette.cloud[1]),
    amount: random.between(0.2, 0.6),
    stretch: 1.8,
    size: 0.7,
  }
  paintClouds(canvas, noise, clouds, { horizon, sun })
  const haze = colour(palette.haze)
  const tones = evenRamp([colour(palette.far), colour(palette.near)])
  const balloons = random.whole(4, 13)
  const fleet = Array.from({ length: balloons }, (_, i) => ({
    nearness: i === 0 ? random.between(0.75, 1) : random.next() ** 2,
    x: (i + random.between(0.15, 0.85)) / balloons,
    y: random.between(0.12, 0.8),
    silk: random.pick(silks),
    bob: random.next(),
  })).sort((a, b) => a.nearness - b.nearness)
  const layers = 4
  for (let layer = 0; layer < layers; layer += 1) {
    const nearness = layer / (layers - 1)
    const ridge = {
      base: horizon + (0.97 - horizon) * nearness,
      relief: random.between(0.1, 0.2),
      frequency: random.between(1.2, 2.2),
      sharpness: random.between(0, 0.5),
    }
    const tone = tones.at(nearness)
    const shades = Array.from({ length: 65 }, (_, i) =>
      mix(tone, haze, (1 - nearness * 0.8) * 0.75 * (i / 64)),
    )
    paintLand(
      canvas,
      traceRidge(canvas, noise, ridge, random.between(0, 90)),
      (depth) => shades[Math.round(clamp(depth * 4) * 64)] ?? tone,
    )
    if (layer < layers - 1)
      paintMist(canvas, noise, {
        centre: ridge.base + 0.08,
        spread: 0.08,
        colour: haze,
        opacity: 0.45,
        offset: layer * 9,
      })
  }
  for (const { nearness, x, y, silk, bob } of fleet) {
    const size = Math.min(height, width * 1.2) * lerp(0.022, 0.13, nearness)
    const drift = Math.sin((phase + bob) * Math.PI * 2)
    paintBalloon(canvas, random.fork(`${bob}`), {
      x: x * width + drift * size * 0.06,
      y: lerp(0.1, horizon - 0.08, y) * height - drift * size * 0.1,
      size,
      silk: silk.map((text) => mix(light(hex(text)), haze, (1 - nearness) * 0.45)),
      litFrom: sun.x * width,
      sun: palette.sun,
    })
  }
  return develop(canvas, { vignette: 0.2 })
}

type Balloon = {
  x: number
  y: number
  size: number
  silk: readonly Colour[]
  litFrom: number
  sun: Colour
}

function paintBalloon(canvas: Canvas, random: Random, balloon: Balloon): void {
  const { x, y, size, silk } = balloon
  const outline: number[] = []
  for (let i = 0; i <= 40; i += 1) {
    const angle = -Math.PI / 2 + (i / 40) * Math.PI * 2
    const down = Math.sin(angle)
    // Round at the top, narrower towards the mouth at the bottom.
    const narrow = down > 0 ? 1 - down ** 2.2 * 0.72 : 1
    outline.push(x + Math.cos(angle) * size * narrow, y + down * size * (down > 0 ? 1.28 : 1))
  }
  const gores = random.whole(8, 14)
  const pattern = random.pick(['gores', 'rings', 'chevrons'] as const)
  const [one = [1, 1, 1], two = [1, 1, 1], three = [1, 1, 1]] = silk
  const litSide = clamp((balloon.litFrom - x) / (size * 4), -0.75, 0.75)
  brushOutline(canvas, outline, (pixel, coverage, px, py) => {
    const dy = (py - y) / size
    const narrow = dy > 0 ? 1 - clamp(dy / 1.28) ** 2.2 * 0.72 : 1
    const half = Math.sqrt(Math.max(0.02, 1 - (dy / (dy > 0 ? 1.28 : 1)) ** 2)) * narrow
    const dx = clamp((px - x) / size / half, -1, 1)
    const around = (Math.asin(dx) / Math.PI + 0.5) * gores
    const gore = Math.floor(around)
    const seam = smoothstep(0.06, 0, Math.abs(around - Math.round(around)))
    const ring = Math.floor((dy + 1) * 3.2)
    const zig = Math.floor((dy + 1) * 3.2 + Math.abs((around % 2) - 1) * 0.9)
    const which = pattern === 'gores' ? gore % 3 : pattern === 'rings' ? ring % 3 : zig % 3
    const cloth = which === 0 ? one : which === 1 ? two : three
    const shade = 0.62 + 0.5 * clamp(0.6 + dx * litSide - dx * dx * 0.45 - dy * 0.3)
    cover(canvas, pixel, scale(cloth, shade * (1 - seam * 0.18)), coverage)
  })
  const mouth = y + size * 1.28
  const basket = size * 0.15
  for (const side of [-1, 1])
    drawLine(
      canvas,
      [x + side * size * 0.24, mouth - size * 0.05, x + side * basket * 0.9, mouth + size * 0.34],
      () => Math.max(0.5, size * 0.008),
      [0.05, 0.04, 0.04],
      0.8,
    )
  const top = mouth + size * 0.33
  fillOutline(
    canvas,
    [
      x - basket,
      top,
      x + basket,
      top,
      x + basket * 0.8,
      top + basket * 1.5,
      x - basket * 0.8,
      top + basket * 1.5,
    ],
    [0.09, 0.05, 0.03],
  )
}
