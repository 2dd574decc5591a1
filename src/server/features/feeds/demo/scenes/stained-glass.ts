/** A window of coloured glass and lead, with daylight behind it. */
import type { Canvas } from '../canvas/canvas.ts'
import { cover, createCanvas, develop, dim, put } from '../canvas/canvas.ts'
import type { Colour } from '../canvas/colour.ts'
import { clamp, hex, lerp, mix, relight, scale, smoothstep } from '../canvas/colour.ts'
import type { Noise } from '../canvas/noise.ts'
import { createNoise } from '../canvas/noise.ts'
import type { Random } from '../canvas/random.ts'
import { createRandom } from '../canvas/random.ts'
import type { Commission, MoodOf } from '../repertoire.ts'

const glasses: Record<MoodOf<'stainedglass'>, readonly (readonly string[])[]> = {
  landscape: [
    ['#f6c945', '#f29a2e', '#6fb4d8', '#2f74b0', '#3f8a4a', '#1f5a3c', '#7a3a8c'],
    ['#ffe08a', '#e8603a', '#f2a87a', '#8a4a9c', '#3a5aa8', '#1f3a6c', '#2f7a6c'],
  ],
  rose: [
    ['#f4c24a', '#c92a34', '#1f4fa0', '#2a8a5a', '#7a2a8c', '#e87a2a', '#3aa0c0'],
    ['#fff0b0', '#d9486a', '#5a3aa0', '#2f9aa0', '#f0a03a', '#2a4a8c', '#8ac04a'],
  ],
  abstract: [
    ['#f8d878', '#e86a3a', '#c0304a', '#5a2a7a', '#2a4a9c', '#2f9ab0', '#6ab86a'],
    ['#f0f0d8', '#a8d0c8', '#4a9ab8', '#2a5a98', '#2a2f6a', '#e0a040', '#c84a3a'],
  ],
}

const leadColour: Colour = [0.006, 0.006, 0.008]

type Pane = { u: number; v: number; tone: number }

export function paintStainedGlass({
  seed,
  mood,
  width,
  height,
}: Commission<'stainedglass'>): Uint8Array {
  const random = createRandom(seed)
  const noise = createNoise(seed)
  const light = relight(random, 16)
  const glass = random.pick(glasses[mood]).map((text) => light(hex(text)))
  const canvas = createCanvas(width, height)
  const design =
    mood === 'rose'
      ? roseDesign(random, glass)
      : mood === 'landscape'
        ? landscapeDesign(random, noise, glass)
        : abstractDesign(random, noise, glass)
  const cells = mood === 'landscape' ? random.between(15, 21) : random.between(9, 15)
  paintPanes(canvas, noise, {
    cells,
    polar: mood === 'rose' ? random.whole(8, 14) : 0,
    seed,
    colourOf: design,
  })
  return develop(canvas, { curve: 'film', vignette: 0.3, exposure: 1.5 })
}

type Design = (pane: Pane) => Colour

/** Hills, a river of light and a sun, by where the middle of a pane lies. */
function landscapeDesign(random: Random, noise: Noise, glass: readonly Colour[]): Design {
  const sun = {
    u: random.between(0.25, 0.75),
    v: random.between(0.2, 0.34),
    radius: random.between(0.1, 0.16),
  }
  const horizon = random.between(0.5, 0.62)
  const offset = random.between(0, 50)
  const tone = (i: number) => glass[i] ?? [1, 1, 1]
  return ({ u, v, tone: own }) => {
    const away = Math.hypot(u - sun.u, v - sun.v)
    if (away < sun.radius) return scale(tone(0), 1.25)
    const hill = horizon + noise.at(u * 2.2 + offset, 1) * 0.22
    const near = horizon + 0.2 + noise.at(u * 1.7 + offset, 9) * 0.2
    if (v > near) return mix(tone(5), tone(4), own)
    if (v > hill) return own < 0.18 ? tone(6) : mix(tone(4), tone(5), own * 0.6)
    const ray = Math.sin(Math.atan2(v - sun.v, u - sun.u) * 8)
    return away < sun.radius * 2.6 && ray > -0.1
      ? mix(tone(1), tone(0), own)
      : mix(tone(2), tone(3), clamp(away * 1.1 + own * 0.4 - 0.2))
  }
}

/** Rings around a middle, each ring with a pair of glasses by turns. */
function roseDesign(random: Random, glass: readonly Colour[]): Design {
  const rings = Array.from({ length: 16 }, () => [random.pick(glass), random.pick(glass)] as const)
  return ({ u, v }) => {
    const [even, odd] = rings[Math.floor(v) % rings.length] ?? [
      [1, 1, 1],
      [1, 1, 1],
    ]
    return Math.floor(u) % 2 === 0 ? even : odd
  }
}

function abstractDesign(random: Random, noise: Noise, glass: readonly Colour[]): Design {
  const offset = random.between(0, 60)
  const size = random.between(0.8, 1.8)
  return ({ u, v, tone }) => {
    const flow = noise.fbm(u * size + offset, v * size, 2) * 1.3 + 0.5 + (tone - 0.5) * 0.3
    return glass[Math.floor(clamp(flow, 0, 0.999) * glass.length)] ?? [1, 1, 1]
  }
}

/** Panes around scattered points; lead wherever two panes are nearly as near. */
function paintPanes(
  canvas: Canvas,
  noise: Noise,
  window: { cells: number; polar: number; seed: number; colourOf: Design },
): void {
  const { width, height } = canvas
  const { cells, polar } = window
  const middle = { x: width / 2, y: height / 2 }
  const reach = Math.min(width, height) / 2
  const found: Pane & { colour: Colour; first: number; second: number } = {
    u: 0,
    v: 0,
    tone: 0,
    colour: [0, 0, 0],
    first: 0,
    second: 0,
  }
  const known = new Map<number, Colour>()
  const leadWidth = 0.07
  const broad = new Float32Array(width)
  const fine = new Float32Array(width)
  for (let y = 0; y < height; y += 1) {
    noise.row(broad, y * 0.018, 0, 0.018)
    noise.row(fine, y * 0.09, 0, 0.09)
    for (let x = 0; x < width; x += 1) {
      const px = x - middle.x
      const py = y - middle.y
      const away = Math.sqrt(px * px + py * py) / reach
      // In a rose window the grid is bent around the middle; wider rings hold more panes.
      const ring = Math.sqrt(away) * 6.5
      const across = polar
        ? ((Math.atan2(py, px) / (Math.PI * 2) + 1) % 1) * polar * 2
        : (x / height) * cells
      const down = polar ? ring : (y / height) * cells
      nearestPanes(across, down, polar * 2, window.seed, found, polar > 0)
      const key = Math.round(found.u * 97) * 100_003 + Math.round(found.v * 97)
      let colour = known.get(key)
      if (!colour) {
        const pane = polar
          ? found
          : { u: found.u / cells / (width / height), v: found.v / cells, tone: found.tone }
        colour = window.colourOf(pane)
        known.set(key, colour)
      }
      const gap = found.second - found.first
      const squeeze = polar ? clamp(away * 1.4, 0.25, 1) : 1
      const lead = smoothstep(leadWidth, leadWidth * 0.45, gap * squeeze)
      const swirl = 1 + 0.24 * (broad[x] ?? 0) + 0.14 * (fine[x] ?? 0)
      const glow = lerp(1.15, 0.55, clamp(away * 0.62)) * (0.75 + found.tone * 0.5)
      const outside = polar && away > 1 ? smoothstep(1, 1.01, away) : 0
      const pixel = y * width + x
      put(canvas, pixel, colour)
      dim(canvas, pixel, swirl * glow * (1 - outside * 0.75))
      cover(canvas, pixel, leadColour, lead)
    }
  }
}

/** The two nearest points of a jittered grid; a rose keeps its points in place, to stay regular. */
function nearestPanes(
  x: number,
  y: number,
  wrap: number,
  seed: number,
  found: Pane & { first: number; second: number },
  regular: boolean,
): void {
  const column = Math.floor(x)
  const row = Math.floor(y)
  found.first = 9
  found.second = 9
  for (let j = row - 1; j <= row + 1; j += 1) {
    for (let i = column - 1; i <= column + 1; i += 1) {
      const spot = scatter(wrap > 0 ? (i + wrap) % wrap : i, j, seed)
      const jx = regular ? 0.5 + (j % 2 === 0 ? 0 : 0.5) : 0.15 + 0.7 * spot
      const jy = regular ? 0.5 : 0.15 + 0.7 * scatter(j, i, seed + 7)
      const dx = i + jx - x
      const dy = j + jy - y
      const distance = Math.sqrt(dx * dx + dy * dy)
      if (distance < found.first) {
        found.second = found.first
        found.first = distance
        found.u = regular ? i + (j % 2 === 0 ? 0 : 0.5) : i + jx
        found.v = j + jy
        found.tone = spot
      } else if (distance < found.second) found.second = distance
    }
  }
}

function scatter(i: number, j: number, seed: number): number {
  let hash = Math.imul(i, 0x27d4eb2d) ^ Math.imul(j, 0x165667b1) ^ seed
  hash = Math.imul(hash ^ (hash >>> 15), 0x2c1b3c6d)
  hash = Math.imul(hash ^ (hash >>> 12), 0x297a2d39)
  return ((hash ^ (hash >>> 15)) >>> 0) / 4294967296
}
