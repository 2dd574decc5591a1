/** The bits of a block hash, compared with the package that defines them. */
import { bmvbhash } from 'blockhash-core'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { AreaSums } from '../../src/server/media/area-sums.ts'
import { blockHash } from '../../src/server/media/block-hash.ts'

const side = 48
const bitsPerSide = 16

/** RGBA of a square; few different shades make many blocks equal to their median. */
const anyPixels = fc
  .array(fc.constantFrom(0, 1, 128, 254, 255), { minLength: side * side, maxLength: side * side })
  .map((shades) => Uint8Array.from(shades.flatMap((shade) => [shade, shade, shade, 255])))

const anyArea = fc
  .record({
    left: fc.integer({ min: 0, max: 8 }),
    top: fc.integer({ min: 0, max: 8 }),
    width: fc.integer({ min: 16, max: side - 8 }),
    height: fc.integer({ min: 16, max: side - 8 }),
  })
  .filter(({ left, top, width, height }) => left + width <= side && top + height <= side)

test('any area of any picture has the bits that the package counts', () => {
  fc.assert(
    fc.property(anyPixels, anyArea, (pixels, area) => {
      const ours = blockHash(new AreaSums(side, side, shadesOf(pixels)), area, bitsPerSide)
      expect(ours).toBe(bmvbhash(cut(pixels, area), bitsPerSide))
    }),
    { numRuns: 200 },
  )
})

function shadesOf(pixels: Uint8Array): Int16Array {
  return Int16Array.from(
    { length: side * side },
    (_, pixel) =>
      (pixels[pixel * 4] ?? 0) + (pixels[pixel * 4 + 1] ?? 0) + (pixels[pixel * 4 + 2] ?? 0),
  )
}

function cut(
  pixels: Uint8Array,
  { left, top, width, height }: { left: number; top: number; width: number; height: number },
) {
  const rows = Array.from({ length: height }, (_, row) => {
    const from = ((top + row) * side + left) * 4
    return pixels.subarray(from, from + width * 4)
  })
  return { data: Uint8Array.from(rows.flatMap((row) => [...row])), width, height }
}
