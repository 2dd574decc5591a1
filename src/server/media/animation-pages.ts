/**
 * Every page of an animation, small and upright, from one pass through the file: a page that is seen
 * for a moment only is a picture too.
 */
import { setImmediate } from 'node:timers/promises'
import { sharp } from './libvips.ts'
import { inTurn } from './picture-turns.ts'
import type { Picture } from './picture.ts'
import { decoding, maxPixelsOfAllPages, timeoutSeconds } from './picture.ts'

export const pageSide = 32
const pageBytes = pageSide * pageSide * 4
// A few milliseconds of work on them, after which others may have the thread.
const pagesInARow = 25

/** RGBA of 32 × 32 pixels for each page. */
export async function* smallPages(picture: Picture): AsyncGenerator<Buffer> {
  const pixels = await inTurn(() => decoding(() => drawAll(picture)))
  for (let page = 0; (page + 1) * pageBytes <= pixels.length; page += 1) {
    if (page % pagesInARow === 0) await setImmediate()
    yield upright(pixels.subarray(page * pageBytes, (page + 1) * pageBytes), picture.orientation)
  }
}

function drawAll({ bytes }: Picture): Promise<Buffer> {
  return (
    // A page that is damaged is seen as far as it goes, and so are those behind it.
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

/** The pages lie below each other, so none can be turned while they are decoded. */
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
