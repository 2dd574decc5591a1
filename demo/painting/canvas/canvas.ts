/** A canvas of linear light on which scenes are painted from back to front, and its conversion to bytes. */
import type { Colour } from './colour.ts'
import { clamp, encodeGamma } from './colour.ts'
import { createRandom } from './random.ts'

/** Three numbers of linear light for each pixel; above 1 is brighter than white paper. */
export type Canvas = {
  readonly width: number
  readonly height: number
  readonly light: Float32Array
}

export type Development = {
  /** 'plain' keeps the original colours; 'film' compresses bright light as a camera does. */
  readonly curve?: 'plain' | 'film'
  readonly exposure?: number
  /** Darkening of the corners, 0 to 1. */
  readonly vignette?: number
  /** Strength in steps of 255. About 1 hides banding; more is visible as grain. */
  readonly grain?: number
}

const curveSteps = 16_384
const brightestLight = 3
// Tones are computed in sixteenths of a step, so that grain decides in which direction they are rounded.
const finestBits = 4
const finest = 1 << finestBits
const grainTileSize = 128
const grainTileMask = grainTileSize - 1
const grainTile = makeGrainTile()

export function createCanvas(width: number, height: number): Canvas {
  return { width, height, light: new Float32Array(width * height * 3) }
}

/** Blends a colour over one pixel. `pixel` counts from the top left. */
export function cover(canvas: Canvas, pixel: number, colour: Colour, opacity: number): void {
  const { light } = canvas
  const i = pixel * 3
  const kept = 1 - opacity
  light[i] = (light[i] ?? 0) * kept + colour[0] * opacity
  light[i + 1] = (light[i + 1] ?? 0) * kept + colour[1] * opacity
  light[i + 2] = (light[i + 2] ?? 0) * kept + colour[2] * opacity
}

/** Blends a mixture of two colours over one pixel, without allocating the mixed colour. */
export function coverMixed(
  canvas: Canvas,
  pixel: number,
  a: Colour,
  b: Colour,
  t: number,
  opacity: number,
): void {
  const { light } = canvas
  const i = pixel * 3
  const kept = 1 - opacity
  const ofB = opacity * t
  const ofA = opacity - ofB
  light[i] = (light[i] ?? 0) * kept + a[0] * ofA + b[0] * ofB
  light[i + 1] = (light[i + 1] ?? 0) * kept + a[1] * ofA + b[1] * ofB
  light[i + 2] = (light[i + 2] ?? 0) * kept + a[2] * ofA + b[2] * ofB
}

export function shine(canvas: Canvas, pixel: number, colour: Colour, strength: number): void {
  const { light } = canvas
  const i = pixel * 3
  light[i] = (light[i] ?? 0) + colour[0] * strength
  light[i + 1] = (light[i + 1] ?? 0) + colour[1] * strength
  light[i + 2] = (light[i + 2] ?? 0) + colour[2] * strength
}

/** Multiplies the light of one pixel. */
export function dim(canvas: Canvas, pixel: number, factor: number): void {
  const { light } = canvas
  const i = pixel * 3
  light[i] = (light[i] ?? 0) * factor
  light[i + 1] = (light[i + 1] ?? 0) * factor
  light[i + 2] = (light[i + 2] ?? 0) * factor
}

export function put(canvas: Canvas, pixel: number, colour: Colour): void {
  const i = pixel * 3
  canvas.light[i] = colour[0]
  canvas.light[i + 1] = colour[1]
  canvas.light[i + 2] = colour[2]
}

/** Fills each row with one colour. `colourAt` gets 0 at the top and 1 at the bottom. */
export function fillRows(canvas: Canvas, colourAt: (v: number) => Colour): void {
  for (let y = 0; y < canvas.height; y += 1) {
    const colour = colourAt((y + 0.5) / canvas.height)
    for (let x = 0; x < canvas.width; x += 1) put(canvas, y * canvas.width + x, colour)
  }
}

/** Returns the bytes of the picture: red, green, blue. */
export function develop(canvas: Canvas, options: Development = {}): Uint8Array {
  const { width, height, light } = canvas
  const { vignette = 0, grain = 1.4 } = options
  const curve = toneCurve(options.curve ?? 'plain', options.exposure ?? 1)
  const specks = Int16Array.from(grainTile, (speck) => Math.round(speck * grain * finest))
  const toStep = curveSteps / brightestLight
  const bytes = new Uint8ClampedArray(light.length)
  let i = 0
  for (let y = 0; y < height; y += 1) {
    const down = (y / height - 0.5) ** 2
    const grainRow = (y & grainTileMask) * grainTileSize
    for (let x = 0; x < width; x += 1) {
      const across = x / width - 0.5
      const shade = toStep * (1 - vignette * 1.6 * (across * across + down))
      const speck = (specks[grainRow + (x & grainTileMask)] ?? 0) + finest / 2
      const red = (light[i] ?? 0) * shade
      const green = (light[i + 1] ?? 0) * shade
      const blue = (light[i + 2] ?? 0) * shade
      bytes[i] = ((curve[red < curveSteps ? red | 0 : curveSteps] ?? 0) + speck) >> finestBits
      bytes[i + 1] =
        ((curve[green < curveSteps ? green | 0 : curveSteps] ?? 0) + speck) >> finestBits
      bytes[i + 2] = ((curve[blue < curveSteps ? blue | 0 : curveSteps] ?? 0) + speck) >> finestBits
      i += 3
    }
  }
  return new Uint8Array(bytes.buffer)
}

/** Maps each step of light to its byte value, in fractions of `finest`. */
function toneCurve(kind: 'plain' | 'film', exposure: number): Int16Array {
  const tone = kind === 'film' ? filmTone : plainTone
  return Int16Array.from({ length: curveSteps + 1 }, (_, step) => {
    const light = (step / curveSteps) * brightestLight * exposure
    return Math.round(255 * finest * encodeGamma(clamp(tone(light))))
  })
}

/** Keeps the colour up to bright tones, then compresses the highlights instead of clipping them. */
function plainTone(light: number): number {
  const knee = 0.72
  if (light <= knee) return light
  return knee + (1 - knee) * (1 - Math.exp(-(light - knee) / (1 - knee)))
}

/** An S-curve with a toe for dark tones and a long shoulder for bright ones. */
function filmTone(light: number): number {
  const x = light * 0.92
  return (x * (x * 2.4 + 0.06)) / (x * (x * 2.3 + 0.62) + 0.13)
}

/** Triangular noise around zero. The sum of two random numbers dithers without a visible pattern. */
function makeGrainTile(): Float32Array {
  const random = createRandom(20_260)
  return Float32Array.from(
    { length: grainTileSize * grainTileSize },
    () => random.next() + random.next() - 1,
  )
}
