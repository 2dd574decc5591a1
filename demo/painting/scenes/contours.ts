/** Maps of imaginary places, with tints and contour lines for the heights. */
import { cover, createCanvas, develop, dim, put } from '../canvas/canvas.ts'
import { clamp, evenRamp, hex, relight, smoothstep } from '../canvas/colour.ts'
import { createField } from '../canvas/field.ts'
import { createNoise } from '../canvas/noise.ts'
import { createRandom } from '../canvas/random.ts'
import type { Commission, MoodOf } from '../repertoire.ts'

type Map = { sea: readonly string[]; land: readonly string[]; line: string; shore: string }

const maps: Record<MoodOf<'contours'>, readonly Map[]> = {
  atlas: [
    {
      sea: ['#5f9fb4', '#8fc4cc', '#c4e2dc'],
      land: ['#a9c48a', '#d8d69a', '#e6c98a', '#c99a68', '#a87a5c', '#f4ece0'],
      line: '#6a4a34',
      shore: '#2f5a68',
    },
    {
      sea: ['#86a9b8', '#b4ccd0', '#dde8e2'],
      land: ['#e8e4c8', '#d8d0a0', '#c4b07c', '#a88a64', '#8a6a58', '#f6f0e6'],
      line: '#5e4a3a',
      shore: '#46646c',
    },
  ],
  night: [
    {
      sea: ['#050b16', '#081424', '#0c1e34'],
      land: ['#10283c', '#143a4c', '#1c5460', '#2f7a78', '#6ab09a', '#e8e0a8'],
      line: '#7ac8c0',
      shore: '#e8c878',
    },
    {
      sea: ['#0a0712', '#120c20', '#1c1430'],
      land: ['#2a1a40', '#40204e', '#602a58', '#8c3f5c', '#c86a5c', '#f4c888'],
      line: '#f0a088',
      shore: '#f8dca8',
    },
  ],
  paper: [
    {
      sea: ['#f1ead8', '#f1ead8', '#f1ead8'],
      land: ['#f4eedf', '#f2e9d4', '#efe2c8', '#ead8b8', '#e4cda6', '#dcc094'],
      line: '#a8502f',
      shore: '#3a4a58',
    },
    {
      sea: ['#e6eaec', '#e6eaec', '#e6eaec'],
      land: ['#f2f3f0', '#e8ebe8', '#dde2e0', '#d0d8d8', '#c2ccce', '#b4c0c4'],
      line: '#2f4a68',
      shore: '#b04a34',
    },
  ],
}

export function paintContours({ seed, mood, width, height }: Commission<'contours'>): Uint8Array {
  const random = createRandom(seed)
  const noise = createNoise(seed)
  const light = relight(random, 10)
  const map = random.pick(maps[mood])
  const sea = evenRamp(map.sea.map((text) => light(hex(text))))
  const land = evenRamp(map.land.map((text) => light(hex(text))))
  const line = light(hex(map.line))
  const shore = light(hex(map.shore))
  const size = random.between(1, 1.7)
  const offset = random.between(0, 60)
  const level = random.between(-0.14, 0.08)
  const steps = random.between(20, 32)
  const pressure = mood === 'paper' ? 1.9 : 1.2
  // The lines are thicker in a larger picture.
  const pen = height / 660
  const canvas = createCanvas(width, height)
  const ground = createField(canvas, 3, (x, y) => {
    const u = (x / height) * size + offset
    const v = (y / height) * size
    const warp = noise.fbm(u * 0.9, v * 0.9 + 30, 3) * 0.5
    return (
      noise.fbm(u + warp, v - warp, 6, 0.44) +
      (noise.ridged(u * 0.8, v * 0.8 + 9, 4) - 0.5) * 0.34 -
      level
    )
  })
  const above = new Float32Array(width)
  const below = new Float32Array(width)
  const heights = new Float32Array(width)
  for (let y = 0; y < height; y += 1) {
    ground.row(above, y - 1)
    ground.row(heights, y)
    ground.row(below, y + 1)
    for (let x = 0; x < width; x += 1) {
      const here = heights[x] ?? 0
      const dx = (heights[Math.min(width - 1, x + 1)] ?? 0) - (heights[Math.max(0, x - 1)] ?? 0)
      const dy = (below[x] ?? 0) - (above[x] ?? 0)
      const steep = (Math.sqrt(dx * dx + dy * dy) / 2 + 1e-6) * pen
      const rise = here * steps
      const contour = Math.round(rise)
      const away = Math.abs(rise - contour) / steps / steep
      const index = contour % 5 === 0
      const thick = smoothstep(index ? 1.6 : 1, index ? 0.6 : 0.15, away)
      const drawn = thick * clamp(pressure * (here < 0 ? 0.2 : index ? 0.65 : 0.36))
      const coast = smoothstep(2.2, 0.9, Math.abs(here) / steep)
      const pixel = y * width + x
      put(canvas, pixel, here < 0 ? sea.at(1 + here * 2.6) : land.at(here * 1.9))
      if (here >= 0) dim(canvas, pixel, clamp(1 - (dx + dy) * 13 * pen, 0.72, 1.22))
      cover(canvas, pixel, line, drawn)
      if (coast > 0) cover(canvas, pixel, shore, coast * 0.9)
    }
  }
  return develop(canvas, { vignette: 0.14, grain: 2 })
}
