/**
 * By what a picture is known again when it was resized, recompressed, mirrored, marked or lightly
 * cropped (contract, section 10). Each of its forms is 256 bits that tell light from dark block by
 * block, and a small sketch of its light and colours: bits alone take every sunset for every other.
 */
import { setImmediate } from 'node:timers/promises'
import { bmvbhash } from 'blockhash-core'
import { pageSide, smallPages } from './animation-pages.ts'
import type { Area } from './area-sums.ts'
import { AreaSums } from './area-sums.ts'
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
/** A twentieth less all around; a tenth less all around, in each corner, on each side. */
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
/** So many of the forms of a page, the first ones, are those of all of it. */
const wholeForms = 2
const formsPerPage = wholeForms + crops.length
/** At so many moments of an animation, spread over all its time, one looks at what is seen. */
const moments = 8

/**
 * Pictures that differ in no more bits, and in whose sketches light and colour differ by no more than
 * this of 255 on average, are taken for the same one. `npm run faults recognition` measures both.
 */
export const alikeWithinBits = 43
const alikeWithinShades = 10

// Two pages that differ by no more are one picture that moves a little.
const steadyWithinBits = 4
const steadyWithinShades = 2
/** Before the form of a single page, which comes without crops. */
const pageMark = 'p'

export type Form = { readonly form: string; readonly isWhole: boolean; readonly isPage: boolean }

/**
 * The picture itself, its mirror image, then lightly cropped forms, each as hexadecimal digits; then
 * the same of further pages that look different, and at last every other page by itself. Nothing for
 * what is almost of one colour: it would be like any other.
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

/** What hashes of `hashPicture` say. */
export function formsOf(hashes: readonly string[]): Form[] {
  return hashes.map((hash, place) => {
    const isPage = hash.startsWith(pageMark)
    const form = isPage ? hash.slice(pageMark.length) : hash
    return { form, isPage, isWhole: isPage || place % formsPerPage < wholeForms }
  })
}

/** The bits of a form, as digits. */
export function bitsOf(form: string): string {
  return form.slice(0, hashDigits)
}

/** Whether two pictures are one, by all of their forms. */
export function areAlike(ones: readonly string[], others: readonly string[]): boolean {
  return meetsWhole(ones, others) || meetsWhole(others, ones)
}

/** For two forms whose bits are alike: whether light and colours are too. */
export function haveAlikeSketches(one: string, other: string): boolean {
  return shadesApart(one, other) <= alikeWithinShades
}

function shadesApart(one: string, other: string): number {
  const [first, second] = [sketchOf(one), sketchOf(other)]
  // A picture that was made lighter or darker as a whole is still the same.
  const shift = average(first.light) - average(second.light)
  const light = averageOf(first.light, (value, place) => value - (second.light[place] ?? 0) - shift)
  // A colour is the difference of two channels, kept at half its size.
  const colour = averageOf(
    first.colour,
    (value, place) => 2 * (value - (second.colour[place] ?? 0)),
  )
  return light + colour
}

/** Crops are held against whole pictures only: two crops of different pictures meet too easily. */
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

/** Each page once, and of those in a row that hardly differ the first. */
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

/** By time and not by number: a page among many short ones is as long in sight as it likes. */
function laterPages({ pages, delaysMs }: Picture): number[] {
  if (pages === 1) return []
  const ends: number[] = []
  for (let page = 0; page < pages; page += 1)
    ends.push((ends.at(-1) ?? 0) + Math.max(1, delaysMs[page] ?? 1))
  const totalMs = ends.at(-1) ?? 0
  const seen = Array.from({ length: moments }, (_, moment) =>
    ends.findIndex((endMs) => endMs > ((moment + 0.5) * totalMs) / moments),
  )
  // Whatever is not repeated stops at its last page.
  return [...new Set([...seen, pages - 1])].filter((page) => page > 0)
}

/** The first page is the picture; without one of the others there is still all that is seen before. */
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
    // Each takes a while, and others have something to do as well.
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

/** The pixels of a square, and what is told of any part of them. */
type Surface = {
  readonly pixels: Uint8Array
  readonly side: number
  readonly light: AreaSums
  readonly blue: AreaSums
  readonly red: AreaSums
}

function surfaceOf(pixels: Uint8Array, side: number): Surface {
  const channel = (place: number) => (pixel: number) => pixels[pixel * 4 + place] ?? 0
  const [red, green, blue] = [channel(0), channel(1), channel(2)]
  return {
    pixels,
    side,
    light: new AreaSums(side, side, (pixel) =>
      Math.round(0.3 * red(pixel) + 0.59 * green(pixel) + 0.11 * blue(pixel)),
    ),
    blue: new AreaSums(side, side, (pixel) => blue(pixel) - green(pixel)),
    red: new AreaSums(side, side, (pixel) => red(pixel) - green(pixel)),
  }
}

function formOf(surface: Surface, [left, top, across, down]: Crop): string {
  const pixelsOf = (part: number) => Math.round(part * surface.side)
  const area = {
    left: pixelsOf(left),
    top: pixelsOf(top),
    width: pixelsOf(across),
    height: pixelsOf(down),
  }
  return bmvbhash(cut(surface, area), bitsPerSide) + sketch(surface, area)
}

function cut({ pixels, side }: Surface, { left, top, width, height }: Area) {
  const data = new Uint8Array(width * height * 4)
  for (let row = 0; row < height; row += 1) {
    const from = ((top + row) * side + left) * 4
    data.set(pixels.subarray(from, from + width * 4), row * width * 4)
  }
  return { data, width, height }
}

/** How light each of 64 cells is, and how blue and how red each of 16 is beside its green. */
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
  difference: (value: number, place: number) => number,
): number {
  let sum = 0
  for (const [place, value] of values.entries()) sum += Math.abs(difference(value, place))
  return sum / values.length
}

function mirror(pixels: Buffer): Buffer {
  const mirrored = Buffer.from(pixels)
  const whole = new Uint32Array(mirrored.buffer, mirrored.byteOffset, mirrored.length / 4)
  for (let y = 0; y < side; y += 1) whole.subarray(y * side, (y + 1) * side).reverse()
  return mirrored
}

/** Whether hardly any pixel differs from the average of its colour. */
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
