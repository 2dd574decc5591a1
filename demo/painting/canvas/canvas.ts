/** A sheet of light that scenes are painted on, back to front, and the development to bytes. */
import type { Colour } from './colour.ts'
import { clamp, encodeGamma } from './colour.ts'
import { createRandom } from './random.ts'

/** Three numbers of linear light a pixel; more than 1 is brighter than paper. */
export type Canvas = {
  readonly width: number
  readonly height: number
  readonly light: Float32Array
}

export type Development = {
  /** 'plain' keeps colours as they were named, 'film' rolls strong light off as a camera does. */
  readonly curve?: 'plain' | 'film'
  readonly exposure?: number
  /** How much the corners darken, 0 to 1. */
  readonly vignette?: number
  /** In steps of 255; about one hides banding, more shows as grain. */
  readonly grain?: number
}

const curveSteps = 16_384
const brightestLight = 3
// Tones are reckoned in parts of a byte, so that grain can decide which byte they round to.
const finestBits = 4
const finest = 1 << finestBits
const grainTileSize = 128
const grainTileMask = grainTileSize - 1
const grainTile = makeGrainTile()

export function createCanvas(width: number, height: number): Canvas {
  return { width, height, light: new Float32Array(width * height * 3) }
}

/** Lays a colour over one pixel; `pixel` counts from the top left. */
export function cover(canvas: Canvas, pixel: number, colour: Colour, opacity: number): void {
  const { light } = canvas
  const i = pixel * 3
  const kept = 1 - opacity
  light[i] = (light[i] ?? 0) * kept + colour[0] * opacity
  light[i + 1] = (light[i + 1] ?? 0) * kept + colour[1] * opacity
  light[i + 2] = (light[i + 2] ?? 0) * kept + colour[2] * opacity
}

/** Lays a mixture of two colours over one pixel, without making a third. */
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

/** One colour for each row, from 0 at the top to 1 at the bottom. */
export function fillRows(canvas: Canvas, colourAt: (v: number) => Colour): void {
  for (let y = 0; y < canvas.height; y += 1) {
    const colour = colourAt((y + 0.5) / canvas.height)
    for (let x = 0; x < canvas.width; x += 1) put(canvas, y * canvas.width + x, colour)
  }
}

/** The bytes of the picture, red, green, blue. */
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

/** For each step of light the byte it becomes, in parts of `finest`. */
function toneCurve(kind: 'plain' | 'film', exposure: number): Int16Array {
  const tone = kind === 'film' ? filmTone : plainTone
  return Int16Array.from({ length: curveSteps + 1 }, (_, step) => {
    const light = (step / curveSteps) * brightestLight * exposure
    return Math.round(255 * finest * encodeGamma(clamp(tone(light))))
  })
}

/** True to the named colour up to bright tones, then a shoulder instead of a cut. */
function plainTone(light: number): number {
  const knee = 0.72
  if (light <= knee) return light
  return knee + (1 - knee) * (1 - Math.exp(-(light - knee) / (1 - knee)))
}

/** A toe and a long shoulder. */
function filmTone(light: number): number {
  const x = light * 0.92
  return (x * (x * 2.4 + 0.06)) / (x * (x * 2.3 + 0.62) + 0.13)
}

/** Triangular noise around zero: the sum of two draws dithers without a visible pattern. */
function makeGrainTile(): Float32Array {
  const random = createRandom(20_260)
  return Float32Array.from(
    { length: grainTileSize * grainTileSize },
    () => random.next() + random.next() - 1,
  )
}
