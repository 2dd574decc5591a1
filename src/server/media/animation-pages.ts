/**
 * Returns every page of an animation, small and upright, in one pass through the file. Even a page that is
 * visible only briefly counts as a picture.
 */
import { setImmediate } from 'node:timers/promises'
import { sharp } from './libvips.ts'
import { inTurn } from './picture-turns.ts'
import type { Picture } from './picture.ts'
import { decoding, maxPixelsOfAllPages, timeoutSeconds } from './picture.ts'

export const pageSide = 32
const pageBytes = pageSide * pageSide * 4
// A few milliseconds of work, then other tasks may run.
const pagesInARow = 25

/** Yields RGBA of 32 × 32 pixels for each page. */
export async function* smallPages(picture: Picture): AsyncGenerator<Buffer> {
  const pixels = await inTurn(() => decoding(() => drawAll(picture)))
  for (let page = 0; (page + 1) * pageBytes <= pixels.length; page += 1) {
    if (page % pagesInARow === 0) await setImmediate()
    yield upright(pixels.subarray(page * pageBytes, (page + 1) * pageBytes), picture.orientation)
  }
}

function drawAll({ bytes }: Picture): Promise<Buffer> {
  return (
    // failOn 'none': damaged pages are drawn as far as possible, and so are the pages after them.
    sharp(bytes, { limitInputPixels: maxPixelsOfAllPages, failOn: 'none', animated: true })
      .timeout({ seconds: timeoutSeconds() })
      .flatten({ background: 'white' })
      .resize(pageSide, pageSide, { fit: 'fill' })
      .toColourspace('srgb')
      .ensureAlpha()
      .raw()
      .toBuffer()
  )
}

/** Rotates a page. The decoder stacks the pages vertically, so it cannot rotate them. */
function upright(page: Buffer, orientation: number): Buffer {
  if (orientation <= 1) return page
  const turned = Buffer.alloc(pageBytes)
  const last = pageSide - 1
  for (let y = 0; y < pageSide; y += 1)
    for (let x = 0; x < pageSide; x += 1) {
      const isTurned = orientation >= 5
      const column = isTurned ? y : x
      const row = isTurned ? x : y
      const fromColumn = [2, 3, 7, 8].includes(orientation) ? last - column : column
      const fromRow = [3, 4, 6, 7].includes(orientation) ? last - row : row
      page.copy(
        turned,
        (y * pageSide + x) * 4,
        (fromRow * pageSide + fromColumn) * 4,
        (fromRow * pageSide + fromColumn + 1) * 4,
      )
    }
  return turned
}
