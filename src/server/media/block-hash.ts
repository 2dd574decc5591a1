/**
 * The bits of a block hash (blockhash.io): each says whether a block of the picture is brighter than the median
 * of its band. The result equals that of the package `blockhash-core`, which reads all pixels again for each of
 * the dozen crops of a picture. Here all crops share one table of sums.
 */
import type { Area, AreaSums } from './area-sums.ts'

const bands = 4
/** The sum of the three channels of a white pixel. */
const white = 765

/** Hashes an area into `side` × `side` bits, as hexadecimal digits. `shades` sums the three channels. */
export function blockHash(shades: AreaSums, area: Area, side: number): string {
  const blocks = shades.shares(side, area)
  const half = ((area.width / side) * (area.height / side) * (white + 3)) / 2
  const inBand = blocks.length / bands
  const bits = Array.from({ length: bands }, (_, band) =>
    bitsOfBand(blocks.slice(band * inBand, (band + 1) * inBand), half),
  ).join('')
  return bits.replaceAll(/.{4}/g, (digit) => Number.parseInt(digit, 2).toString(16))
}

/** In a band that is mostly black or mostly white, many blocks equal the median: they count as dark or bright. */
function bitsOfBand(blocks: readonly number[], half: number): string {
  const median = medianOf(blocks)
  return blocks
    .map((block) => (block > median || (Math.abs(block - median) < 1 && median > half) ? '1' : '0'))
    .join('')
}

function medianOf(values: readonly number[]): number {
  const sorted = values.toSorted((one, other) => one - other)
  const middle = sorted.length / 2
  return ((sorted[middle - 1] ?? 0) + (sorted[middle] ?? 0)) / 2
}
