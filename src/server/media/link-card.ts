/** Draws the card of a link: a picture in the shape and size that other sites show beside a posted link. */
import { sharp } from './libvips.ts'
import type { Focus } from './picture-sizes.ts'
import { inTurn } from './picture-turns.ts'
import type { Picture } from './picture.ts'
import { decoding, developPicture, timeoutSeconds } from './picture.ts'

export const cardSize = { width: 1200, height: 630 }

/** Some sites show no picture of more bytes. */
const maxBytes = 300_000
/** Tried in this order until the file is small enough. */
const qualities = [80, 65, 50, 35, 20]
/** Behind transparent pictures. */
const background = '#0f0c0a'

/** Crops the first page around its focus, or around its centre. Throws UnfitPicture. */
export function drawCard(picture: Picture, focus: Focus | null): Promise<Buffer> {
  return inTurn(async () => {
    const { data, info } = await developPicture(picture, (image) =>
      image
        .extract(cropOf(picture, focus ?? { x: 0.5, y: 0.5 }))
        .resize({ ...cardSize, fit: 'fill' })
        .flatten({ background })
        .toColourspace('srgb')
        .raw()
        .toBuffer({ resolveWithObject: true }),
    )
    let card = Buffer.alloc(0)
    for (const quality of qualities) {
      card = await decoding(() =>
        sharp(data, { raw: info })
          .timeout({ seconds: timeoutSeconds() })
          .jpeg({ quality })
          .toBuffer(),
      )
      if (card.length <= maxBytes) break
    }
    return card
  })
}

/** Returns the largest part of the card's shape that has the focus nearest to its centre. */
function cropOf({ width, height }: Pick<Picture, 'width' | 'height'>, focus: Focus) {
  const scale = Math.max(cardSize.width / width, cardSize.height / height)
  const cropWidth = Math.min(width, Math.max(1, Math.round(cardSize.width / scale)))
  const cropHeight = Math.min(height, Math.max(1, Math.round(cardSize.height / scale)))
  return {
    left: startOf(focus.x, width, cropWidth),
    top: startOf(focus.y, height, cropHeight),
    width: cropWidth,
    height: cropHeight,
  }
}

function startOf(centre: number, length: number, part: number): number {
  return Math.max(0, Math.min(length - part, Math.round(centre * length - part / 2)))
}
