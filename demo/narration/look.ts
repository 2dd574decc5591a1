/** Describes how a picture looks, from its pixels alone. It does not know what the picture shows. */
import { sharp } from '../../src/server/media/libvips.ts'
import { inTurn } from '../../src/server/media/picture-turns.ts'

export type Look = {
  /** The most common colour. `accent` is the second most common one. */
  readonly main: string
  readonly accent: string
  readonly above: string
  readonly below: string
  readonly light: 'dark' | 'even' | 'bright'
  readonly contrast: 'soft' | 'plain' | 'sharp'
  readonly detail: 'calm' | 'busy'
  readonly warmth: 'warm' | 'cool' | 'neither'
  readonly shape: 'tall' | 'wide' | 'square'
  /** The brightest part of the picture. */
  readonly brightest: 'the left' | 'the right' | 'the top' | 'the bottom' | 'the middle'
}

const side = 32

export async function lookAt(picture: Buffer): Promise<Look> {
  const { width, height } = await sharp(picture).metadata()
  const pixels = await inTurn(() =>
    sharp(picture)
      .resize(side, side, { fit: 'fill' })
      .toColourspace('srgb')
      .removeAlpha()
      .raw()
      .toBuffer(),
  )
  return { ...judge(pixels), shape: shapeOf(width, height) }
}

type Tone = { readonly hue: number; readonly saturation: number; readonly lightness: number }

function judge(pixels: Buffer): Omit<Look, 'shape'> {
  const tones = Array.from({ length: side * side }, (_, i) => toneAt(pixels, i * 3))
  const lights = tones.map(({ lightness }) => lightness)
  const mean = average(lights)
  const spread = Math.sqrt(average(lights.map((value) => (value - mean) ** 2)))
  const steps = lights.flatMap((value, i) =>
    i % side === side - 1 ? [] : [Math.abs(value - (lights[i + 1] ?? value))],
  )
  const [main = 'grey', accent = main] = coloursOf(tones)
  return {
    main,
    accent,
    above: coloursOf(tones.slice(0, tones.length / 2))[0] ?? main,
    below: coloursOf(tones.slice(tones.length / 2))[0] ?? main,
    light: mean < 0.3 ? 'dark' : mean > 0.65 ? 'bright' : 'even',
    contrast: spread < 0.1 ? 'soft' : spread > 0.24 ? 'sharp' : 'plain',
    detail: average(steps) > 0.06 ? 'busy' : 'calm',
    warmth: warmthOf(tones),
    brightest: brightestOf(lights),
  }
}

function toneAt(pixels: Buffer, at: number): Tone {
  const [red = 0, green = 0, blue = 0] = [0, 1, 2].map((i) => (pixels[at + i] ?? 0) / 255)
  const high = Math.max(red, green, blue)
  const range = high - Math.min(red, green, blue)
  const lightness = high - range / 2
  if (range === 0) return { hue: 0, saturation: 0, lightness }
  const sixth =
    high === red
      ? (green - blue) / range
      : high === green
        ? 2 + (blue - red) / range
        : 4 + (red - green) / range
  const saturation = range / (1 - Math.abs(2 * lightness - 1) || 1)
  return { hue: (sixth * 60 + 360) % 360, saturation, lightness }
}

/** The families of hues: the end of each in degrees, and its dark, middle and light name. */
const families: readonly (readonly [number, string, string, string])[] = [
  [14, 'oxblood', 'red', 'coral'],
  [40, 'rust', 'amber', 'apricot'],
  [65, 'bronze', 'gold', 'straw'],
  [155, 'pine green', 'green', 'pale green'],
  [190, 'deep teal', 'teal', 'mint'],
  [235, 'midnight blue', 'blue', 'sky blue'],
  [265, 'indigo', 'violet-blue', 'periwinkle'],
  [300, 'plum', 'violet', 'lilac'],
  [345, 'wine', 'rose', 'blush'],
  [360, 'oxblood', 'red', 'coral'],
]

const greys = ['black', 'charcoal', 'grey', 'silver', 'white'] as const

/** Returns the names of the colours, the one that covers the largest area first. */
function coloursOf(tones: readonly Tone[]): string[] {
  const covered = new Map<string, number>()
  for (const tone of tones) {
    const name = nameOf(tone)
    // Colour attracts the eye more than grey does.
    const weight = isGrey(tone) ? 0.6 : 1
    covered.set(name, (covered.get(name) ?? 0) + weight)
  }
  return [...covered].sort((a, b) => b[1] - a[1]).map(([name]) => name)
}

function nameOf(tone: Tone): string {
  const { hue, lightness } = tone
  if (isGrey(tone)) return greys[Math.min(4, Math.floor(lightness * 5))] ?? 'grey'
  const [, dark, middle, light] = families.find(([end]) => hue < end) ?? ['', 'oxblood', 'red', '']
  if (lightness < 0.3) return dark
  return lightness > 0.68 ? light : middle
}

function isGrey({ saturation, lightness }: Tone): boolean {
  return saturation < 0.14 || lightness < 0.06 || lightness > 0.96
}

function warmthOf(tones: readonly Tone[]): Look['warmth'] {
  const coloured = tones.filter((tone) => !isGrey(tone))
  if (coloured.length < tones.length / 4) return 'neither'
  const warm = coloured.filter(({ hue }) => hue < 70 || hue > 330).length / coloured.length
  return warm > 0.6 ? 'warm' : warm < 0.25 ? 'cool' : 'neither'
}

function brightestOf(lights: readonly number[]): Look['brightest'] {
  const part = (belongs: (x: number, y: number) => boolean) =>
    average(lights.filter((_, i) => belongs(i % side, Math.floor(i / side))))
  const third = side / 3
  const isInner = (at: number) => at >= third && at < 2 * third
  const parts = [
    ['the left', part((x) => x < third)],
    ['the right', part((x) => x >= 2 * third)],
    ['the top', part((_, y) => y < third)],
    ['the bottom', part((_, y) => y >= 2 * third)],
    ['the middle', part((x, y) => isInner(x) && isInner(y))],
  ] as const
  return parts.reduce((best, next) => (next[1] > best[1] ? next : best))[0]
}

function shapeOf(width: number, height: number): Look['shape'] {
  if (width > height * 1.15) return 'wide'
  return height > width * 1.15 ? 'tall' : 'square'
}

function average(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / Math.max(1, values.length)
}
