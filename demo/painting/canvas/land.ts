/** Paints the horizon and the land and water below it: ridges, their trees, mist, reflections. */
import type { Canvas } from './canvas.ts'
import { cover, put } from './canvas.ts'
import type { Colour } from './colour.ts'
import { clamp, lerp, smoothstep } from './colour.ts'
import { createField } from './field.ts'
import type { Noise } from './noise.ts'
import { fillOutline } from './path.ts'
import type { Random } from './random.ts'

/** The top edge of the land in each column, in pixels from the top of the picture. */
export type Skyline = Float32Array

export type Ridge = {
  /** Average position of the ridge, as a fraction of the height. */
  readonly base: number
  /** Height of the rises and falls, as a fraction of the height. */
  readonly relief: number
  /** Number of hills across one picture height. */
  readonly frequency: number
  /** 0 is rolling, 1 is jagged. */
  readonly sharpness: number
}

export function traceRidge(canvas: Canvas, noise: Noise, ridge: Ridge, offset: number): Skyline {
  const { width, height } = canvas
  return Float32Array.from({ length: width }, (_, x) => {
    const at = (x / height) * ridge.frequency + offset
    const rolling = noise.fbm(at, offset * 1.7, 6, 0.46)
    const jagged = noise.ridged(at * 0.7, offset * 2.3, 6) - 0.55
    return (ridge.base - ridge.relief * lerp(rolling, jagged, ridge.sharpness)) * height
  })
}

/**
 * Fills the land under a skyline. `colourAt` gets the depth below the skyline, as a fraction of the height.
 */
export function paintLand(
  canvas: Canvas,
  skyline: Skyline,
  colourAt: (depth: number, x: number, y: number) => Colour,
  bottom = canvas.height,
): void {
  const { width, height } = canvas
  const highest = skyline.reduce((a, b) => Math.min(a, b), height)
  for (let y = Math.max(0, Math.floor(highest)); y < bottom; y += 1) {
    for (let x = 0; x < width; x += 1) {
      const below = y - (skyline[x] ?? height)
      if (below <= -1) continue
      const colour = colourAt(Math.max(0, below) / height, x, y)
      if (below < 0) cover(canvas, y * width + x, colour, 1 + below)
      else put(canvas, y * width + x, colour)
    }
  }
}

/**
 * Paints mist that is thickest at `centre` and ends `spread` above and below it (fractions of the height).
 */
export function paintMist(
  canvas: Canvas,
  noise: Noise,
  mist: { centre: number; spread: number; colour: Colour; opacity: number; offset?: number },
): void {
  const { width, height } = canvas
  const top = Math.max(0, Math.floor((mist.centre - mist.spread) * height))
  const bottom = Math.min(height, Math.ceil((mist.centre + mist.spread) * height))
  const drifts = createField({ width, height: bottom - top }, 8, (x, y) =>
    noise.fbm((x / height) * 1.6 + (mist.offset ?? 0), ((y + top) / height) * 7, 3),
  )
  const drift = new Float32Array(width)
  for (let y = top; y < bottom; y += 1) {
    const band = 1 - Math.abs(y / height - mist.centre) / mist.spread
    drifts.row(drift, y - top)
    for (let x = 0; x < width; x += 1) {
      const thick = smoothstep(0, 1, band * (1 + (drift[x] ?? 0) * 1.6))
      cover(canvas, y * width + x, mist.colour, mist.opacity * thick)
    }
  }
}

/** Reflects the picture above the waterline, distorted by ripples that grow towards the viewer. */
export function mirrorWater(
  canvas: Canvas,
  noise: Noise,
  water: { line: number; tint: Colour; clarity: number; ripple: number; phase?: number },
): void {
  const { width, height, light } = canvas
  const line = Math.round(water.line * height)
  const depth = height - line
  const [tintRed, tintGreen, tintBlue] = water.tint
  // The water moves in a circle instead of a line, so that an animation ends where it began.
  const turn = (water.phase ?? 0) * Math.PI * 2
  const flowX = Math.cos(turn) * 0.4
  const flowY = Math.sin(turn) * 0.4
  const broad = new Float32Array(width)
  const fine = new Float32Array(width)
  for (let y = line; y < height; y += 1) {
    const near = (y - line) / depth
    const far = 1 / (near + 0.06)
    const strength = water.ripple * (0.15 + near) * height
    const clear = water.clarity * (1 - 0.45 * near)
    const step = far / height
    noise.row(broad, far * 9 - flowY, (-width / 2) * step * 3.2 + flowX, step * 3.2)
    noise.row(fine, far * 21 + flowX, (-width / 2) * step * 8 + flowY, step * 8)
    const mirroredY = line - 1 - (y - line) * 0.94
    for (let x = 0; x < width; x += 1) {
      const wave = ((broad[x] ?? 0) + 0.5 * (fine[x] ?? 0)) * strength
      const fromY = clamp(Math.round(mirroredY - Math.abs(wave) * 0.16), 0, line - 1)
      const fromX = clamp(Math.round(x + wave * 0.045), 0, width - 1)
      const source = (fromY * width + fromX) * 3
      const target = (y * width + x) * 3
      light[target] = tintRed * (1 - clear) + (light[source] ?? 0) * clear
      light[target + 1] = tintGreen * (1 - clear) + (light[source + 1] ?? 0) * clear
      light[target + 2] = tintBlue * (1 - clear) + (light[source + 2] ?? 0) * clear
    }
  }
}

/** Paints a conifer. x and y are the position of its foot in pixels. */
export function paintConifer(
  canvas: Canvas,
  random: Random,
  tree: { x: number; y: number; height: number; colour: Colour; opacity?: number },
): void {
  const tiers = Math.max(5, Math.round(tree.height / 9))
  const left: number[] = []
  const right: number[] = []
  const lean = random.between(-0.02, 0.02) * tree.height
  for (let i = 0; i < tiers; i += 1) {
    const down = (i + 1) / tiers
    const half = tree.height * 0.2 * down ** 0.85
    const y = tree.y - tree.height * (1 - down * 0.94)
    const x = tree.x + lean * (1 - down)
    const inner = y - (tree.height / tiers) * 0.28
    left.push(x - half * random.between(0.7, 1.12), y, x - half * 0.42, inner)
    right.push(x + half * random.between(0.7, 1.12), y, x + half * 0.42, inner)
  }
  const outline = [tree.x + lean, tree.y - tree.height, ...right, tree.x, tree.y]
  for (let i = left.length - 2; i >= 0; i -= 2) outline.push(left[i] ?? 0, left[i + 1] ?? 0)
  fillOutline(canvas, outline, tree.colour, tree.opacity ?? 1)
}
