/**
 * Hashes that stay alike when a picture is resized, recompressed, mirrored or lightly cropped, so
 * that one which was taken down is known again (contract, section 10). 256 bits each, as hex.
 */
import { bmvbhash } from 'blockhash-core'
import type { Picture } from './picture.ts'
import { developPicture } from './picture.ts'

const bitsPerSide = 16
const side = 256
type Crop = readonly [left: number, top: number, width: number, height: number]
const whole: Crop = [0, 0, 1, 1]
/** A tenth less: all around, in each corner, on each side. */
const crops: readonly Crop[] = [
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
/**
 * Of 256 bits: pictures that differ in no more are taken for the same one. `npm run faults
 * recognition` measures it: altered pictures are nearer, others further away.
 */
export const alikeWithinBits = 43
// Crops are held against whole pictures only: two crops of different pictures meet too easily.
/** So many of the hashes are those of whole pictures. */
export const wholeForms = 2

/**
 * The picture's own hash, its mirror's, then those of lightly cropped forms. Empty for a picture
 * that is almost of one colour: its hash would be that of any other.
 */
export async function hashPicture(picture: Picture): Promise<string[]> {
  const pixels = await developPicture(picture, (image) =>
    image
      .flatten({ background: 'white' })
      .resize(side, side, { fit: 'fill' })
      .toColourspace('srgb')
      .ensureAlpha()
      .raw()
      .toBuffer(),
  )
  if (isFlat(pixels)) return []
  const own = hashOf(pixels, whole)
  const mirrored = hashOf(mirror(pixels), whole)
  return [own, mirrored, ...crops.map((crop) => hashOf(pixels, crop))]
}

/** The share of bits in which two hashes differ: 0 is the same, unrelated pictures are near 0.5. */
export function hashDistance(one: string, other: string): number {
  let different = BigInt(`0x${one}`) ^ BigInt(`0x${other}`)
  let count = 0
  for (; different > 0n; different >>= 32n) count += bitsIn(Number(different & 0xffff_ffffn))
  return count / (bitsPerSide * bitsPerSide)
}

/** Between the nearest forms of two pictures; 1 where either has no hash. */
export function nearestDistance(ones: readonly string[], others: readonly string[]): number {
  return Math.min(1, ...distancesToWhole(ones, others), ...distancesToWhole(others, ones))
}

function distancesToWhole(wholes: readonly string[], forms: readonly string[]): number[] {
  return wholes
    .slice(0, wholeForms)
    .flatMap((one) => forms.map((other) => hashDistance(one, other)))
}

function hashOf(pixels: Buffer, [left, top, width, height]: Crop): string {
  const x = Math.round(left * side)
  const y = Math.round(top * side)
  const columns = Math.round(width * side)
  const rows = Math.round(height * side)
  const data = new Uint8Array(columns * rows * 4)
  for (let row = 0; row < rows; row += 1) {
    const from = ((y + row) * side + x) * 4
    data.set(pixels.subarray(from, from + columns * 4), row * columns * 4)
  }
  return bmvbhash({ data, width: columns, height: rows }, bitsPerSide)
}

function mirror(pixels: Buffer): Buffer {
  const mirrored = Buffer.alloc(pixels.length)
  for (let y = 0; y < side; y += 1)
    for (let x = 0; x < side; x += 1)
      pixels.copy(
        mirrored,
        (y * side + x) * 4,
        (y * side + side - 1 - x) * 4,
        (y * side + side - x) * 4,
      )
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
