/**
 * The perceptual hash recognises a picture after resizing, recompression, mirroring, a watermark or a light
 * crop (contract, section 10). Each form has 256 bits that compare the brightness of blocks, and a small
 * sketch of brightness and colours. With the bits alone, all sunsets would match each other.
 */
import { setImmediate } from 'node:timers/promises'
import { pageSide, smallPages } from './animation-pages.ts'
import type { Area } from './area-sums.ts'
import { AreaSums } from './area-sums.ts'
import { blockHash } from './block-hash.ts'
import { inTurn } from './picture-turns.ts'
import type { Picture } from './picture.ts'
import { developPicture, UnfitPicture } from './picture.ts'

const bitsPerSide = 16
const side = 256
const lightCells = 8
const colourCells = 4
const hashDigits = (bitsPerSide * bitsPerSide) / 4

type Crop = readonly [left: number, top: number, width: number, height: number]
const whole: Crop = [0, 0, 1, 1]
/** The crops: a twentieth less overall; then a tenth less overall, in each corner, on each side. */
const crops: readonly Crop[] = [
  [0.025, 0.025, 0.95, 0.95],
  [0.05, 0.05, 0.9, 0.9],
  [0, 0, 0.9, 0.9],
  [0.1, 0, 0.9, 0.9],
  [0, 0.1, 0.9, 0.9],
  [0.1, 0.1, 0.9, 0.9],
  [0.1, 0, 0.9, 1],
  [0, 0, 0.9, 1],
  [0, 0.1, 1, 0.9],
  [0, 0, 1, 0.9],
]
/** The number of forms of a page that cover all of it. They are the first ones. */
const wholeForms = 2
const formsPerPage = wholeForms + crops.length
/** The number of moments of an animation that are hashed, spread over its duration. */
const moments = 8

/**
 * The maximum number of differing bits for two pictures to match. Their sketches, too, may differ by at
 * most `alikeWithinShades` of 255 on average. `npm run faults recognition` measures both.
 */
export const alikeWithinBits = 43
const alikeWithinShades = 10

// Two pages within these limits are one picture that moves a little.
const steadyWithinBits = 4
const steadyWithinShades = 2
/** The prefix of the form of a single page, which has no crops. */
const pageMark = 'p'

export type Form = { readonly form: string; readonly isWhole: boolean; readonly isPage: boolean }

/**
 * Returns the hashes of a picture as hexadecimal digits: the picture, its mirror image, then lightly
 * cropped forms. The same forms of further pages follow if these look different, and then every page on its
 * own. Returns nothing for a picture of almost one colour: it would match any other.
 */
export function hashPicture(picture: Picture): Promise<string[]> {
  return inTurn(async () => {
    const hashes = await hashPage(picture, 0)
    for (const page of laterPages(picture)) {
      const forms = await hashPage(picture, page).catch(nothingIfUnfit)
      if (!areAlike(hashes, forms)) hashes.push(...forms)
    }
    return picture.pages > 1 ? [...hashes, ...(await hashEveryPage(picture))] : hashes
  })
}

/** Parses hashes of `hashPicture`. */
export function formsOf(hashes: readonly string[]): Form[] {
  return hashes.map((hash, index) => {
    const isPage = hash.startsWith(pageMark)
    const form = isPage ? hash.slice(pageMark.length) : hash
    return { form, isPage, isWhole: isPage || index % formsPerPage < wholeForms }
  })
}

/** Returns the bits of a form, as digits. */
export function bitsOf(form: string): string {
  return form.slice(0, hashDigits)
}

/** Returns true if two pictures match, by all of their forms. */
export function areAlike(ones: readonly string[], others: readonly string[]): boolean {
  return meetsWhole(ones, others) || meetsWhole(others, ones)
}

/** Returns true if brightness and colours match too, for two forms whose bits match. */
export function haveAlikeSketches(one: string, other: string): boolean {
  return shadesApart(one, other) <= alikeWithinShades
}

function shadesApart(one: string, other: string): number {
  const [first, second] = [sketchOf(one), sketchOf(other)]
  // A picture that was brightened or darkened evenly still matches.
  const shift = average(first.light) - average(second.light)
  const light = averageOf(first.light, (value, index) => value - (second.light[index] ?? 0) - shift)
  // A colour is the difference of two channels, stored at half its size.
  const colour = averageOf(
    first.colour,
    (value, index) => 2 * (value - (second.colour[index] ?? 0)),
  )
  return light + colour
}

/** Compares crops with whole pictures only: crops of different pictures match too easily. */
function meetsWhole(wholes: readonly string[], others: readonly string[]): boolean {
  const forms = formsOf(others)
  return formsOf(wholes)
    .filter(({ isWhole }) => isWhole)
    .some(({ form: one }) =>
      forms.some(
        ({ form: other }) =>
          differentBits(one, other) <= alikeWithinBits && haveAlikeSketches(one, other),
      ),
    )
}

/** Returns the form of each page once. Of consecutive pages that hardly differ it uses the first. */
async function hashEveryPage(picture: Picture): Promise<string[]> {
  const forms = new Set<string>()
  let latest: string | null = null
  for await (const data of smallPages(picture)) {
    if (isFlat(data)) continue
    const form = formOf(surfaceOf(data, pageSide), whole)
    if (latest !== null && isSteady(form, latest)) continue
    latest = form
    forms.add(pageMark + form)
  }
  return [...forms]
}

function isSteady(one: string, other: string): boolean {
  return (
    differentBits(one, other) <= steadyWithinBits && shadesApart(one, other) <= steadyWithinShades
  )
}

/** Selects pages by time instead of number: one page among many short ones may be visible for long. */
function laterPages({ pages, delaysMs }: Picture): number[] {
  if (pages === 1) return []
  const ends: number[] = []
  for (let page = 0; page < pages; page += 1)
    ends.push((ends.at(-1) ?? 0) + Math.max(1, delaysMs[page] ?? 1))
  const totalMs = ends.at(-1) ?? 0
  const seen = Array.from({ length: moments }, (_, moment) =>
    ends.findIndex((endMs) => endMs > ((moment + 0.5) * totalMs) / moments),
  )
  // An animation that does not repeat stops at its last page.
  return [...new Set([...seen, pages - 1])].filter((page) => page > 0)
}

/** Ignores unfit later pages: the first page is the picture, and the other forms remain. */
function nothingIfUnfit(error: unknown): string[] {
  if (error instanceof UnfitPicture) return []
  throw error
}

async function hashPage(picture: Picture, page: number): Promise<string[]> {
  const pixels = await developPicture(
    picture,
    (image) =>
      image
        .flatten({ background: 'white' })
        .resize(side, side, { fit: 'fill' })
        .toColourspace('srgb')
        .ensureAlpha()
        .raw()
        .toBuffer(),
    { page },
  )
  if (isFlat(pixels)) return []
  const surface = surfaceOf(pixels, side)
  const forms = [formOf(surface, whole), formOf(surfaceOf(mirror(pixels), side), whole)]
  for (const crop of crops) {
    // Each crop takes a while, so other tasks may run in between.
    await setImmediate()
    forms.push(formOf(surface, crop))
  }
  return forms
}

function differentBits(one: string, other: string): number {
  let different = BigInt(`0x${bitsOf(one)}`) ^ BigInt(`0x${bitsOf(other)}`)
  let count = 0
  for (; different > 0n; different >>= 32n) count += bitsIn(Number(different & 0xffff_ffffn))
  return count
}

/** A square picture, as the sums over any part of it. */
type Surface = {
  readonly side: number
  /** All three channels. */
  readonly shades: AreaSums
  readonly light: AreaSums
  readonly blue: AreaSums
  readonly red: AreaSums
}

function surfaceOf(pixels: Uint8Array, side: number): Surface {
  const count = side * side
  const [shades, light] = [new Int16Array(count), new Int16Array(count)]
  const [blues, reds] = [new Int16Array(count), new Int16Array(count)]
  for (let pixel = 0; pixel < count; pixel += 1) {
    const red = pixels[pixel * 4] ?? 0
    const green = pixels[pixel * 4 + 1] ?? 0
    const blue = pixels[pixel * 4 + 2] ?? 0
    shades[pixel] = red + green + blue
    light[pixel] = Math.round(0.3 * red + 0.59 * green + 0.11 * blue)
    blues[pixel] = blue - green
    reds[pixel] = red - green
  }
  const sums = (values: Int16Array) => new AreaSums(side, side, values)
  return { side, shades: sums(shades), light: sums(light), blue: sums(blues), red: sums(reds) }
}

function formOf(surface: Surface, [left, top, across, down]: Crop): string {
  const pixelsOf = (part: number) => Math.round(part * surface.side)
  const area = {
    left: pixelsOf(left),
    top: pixelsOf(top),
    width: pixelsOf(across),
    height: pixelsOf(down),
  }
  return blockHash(surface.shades, area, bitsPerSide) + sketch(surface, area)
}

/** Encodes the brightness of 64 cells, and the blue and red of 16 cells relative to their green. */
function sketch({ light, blue, red }: Surface, area: Area): string {
  const colour = [...blue.averages(colourCells, area), ...red.averages(colourCells, area)].map(
    (difference) => (difference + 255) / 2,
  )
  const shades = [...light.averages(lightCells, area), ...colour]
  return Buffer.from(shades.map(Math.round)).toString('hex')
}

function sketchOf(form: string): { readonly light: Uint8Array; readonly colour: Uint8Array } {
  const bytes = Buffer.from(form.slice(hashDigits), 'hex')
  const cells = lightCells * lightCells
  return { light: bytes.subarray(0, cells), colour: bytes.subarray(cells) }
}

function average(values: Uint8Array): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length
}

function averageOf(
  values: Uint8Array,
  difference: (value: number, index: number) => number,
): number {
  let sum = 0
  for (const [index, value] of values.entries()) sum += Math.abs(difference(value, index))
  return sum / values.length
}

function mirror(pixels: Buffer): Buffer {
  const mirrored = Buffer.from(pixels)
  const whole = new Uint32Array(mirrored.buffer, mirrored.byteOffset, mirrored.length / 4)
  for (let y = 0; y < side; y += 1) whole.subarray(y * side, (y + 1) * side).reverse()
  return mirrored
}

/** Returns true if hardly any pixel differs from the average brightness. */
function isFlat(pixels: Buffer): boolean {
  let sum = 0
  let squares = 0
  const count = pixels.length / 4
  for (let at = 0; at < pixels.length; at += 4) {
    const light = (pixels[at] ?? 0) + (pixels[at + 1] ?? 0) + (pixels[at + 2] ?? 0)
    sum += light
    squares += light * light
  }
  const mean = sum / count
  return squares / count - mean * mean < 9
}

function bitsIn(word: number): number {
  let rest = word
  let count = 0
  for (; rest !== 0; rest &= rest - 1) count += 1
  return count
}
