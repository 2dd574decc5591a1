/** A picture in the widths of screens, and where the eye goes in it (contract 1.3). */
import { pictureWidths } from '../../contract/session-records.ts'
import type { Sharp } from './libvips.ts'
import { sharp } from './libvips.ts'
import { inTurn } from './picture-turns.ts'
import type { Picture } from './picture.ts'
import { decoding, developPicture, timeoutSeconds } from './picture.ts'
import type { Thumbnail } from './thumbnails.ts'
import { asWebp, thumbnailMaxHeight } from './thumbnails.ts'

export type Focus = { readonly x: number; readonly y: number }

export type PictureSizes = { readonly sizes: readonly Thumbnail[]; readonly focus: Focus | null }

type Pixels = {
  readonly data: Buffer
  readonly info: {
    readonly width: number
    readonly height: number
    readonly channels: 1 | 2 | 3 | 4
  }
}

// Of the whole decoded picture, from which all sizes are drawn: 64 MB at most.
const maxPixelsOfSize = 16_000_000
const focusSide = 320
const focusMinSide = 16
// What libvips divides a picture into that is cropped to half its height.
const focusCells = { across: 32, down: 64 }
// Of 0 to 255: what varies less is one colour to the eye, which goes nowhere.
const flatWithin = 2

/** The widths that the picture reaches. A long strip has none in which it would be too high. */
export function widthsOf({ width, height }: Pick<Picture, 'width' | 'height'>): number[] {
  return pictureWidths.filter((wanted) => {
    const high = Math.round((height / width) * wanted)
    return wanted <= width && high <= thumbnailMaxHeight && wanted * high <= maxPixelsOfSize
  })
}

/** Decoded once, however many widths. Fails with UnfitPicture. */
export function drawSizes(picture: Picture, widths: readonly number[]): Promise<PictureSizes> {
  return inTurn(async () => {
    const decoded = await decodeAt(picture, Math.max(focusSide, ...widths))
    const sizes: Thumbnail[] = []
    for (const width of widths) {
      const bytes = await decoding(() => asWebp(open(decoded).resize({ width })))
      sizes.push({ width, bytes })
    }
    return { sizes, focus: await decoding(() => findFocus(decoded)) }
  })
}

function decodeAt(picture: Picture, width: number): Promise<Pixels> {
  const height = Math.max(1, Math.floor(maxPixelsOfSize / width))
  return developPicture(picture, (image) =>
    image
      .resize({ width, height, fit: 'inside', withoutEnlargement: true })
      .toColourspace('srgb')
      .raw()
      .toBuffer({ resolveWithObject: true }),
  )
}

/**
 * Detail, strong colours and the tones of skin draw the eye. Nobody is looked for, and no face
 * (contract, section 0; decision 26). Null where there is nothing to look at.
 */
async function findFocus(decoded: Pixels): Promise<Focus | null> {
  const { data, info } = await open(decoded)
    .resize({ width: focusSide, height: focusSide, fit: 'inside', withoutEnlargement: true })
    .flatten({ background: 'white' })
    .raw()
    .toBuffer({ resolveWithObject: true })
  const { width, height } = info
  if (Math.min(width, height) < focusMinSide) return null
  const small = { data, info }
  const { channels } = await open(small).stats()
  if (channels.every(({ stdev }) => stdev <= flatWithin)) return null
  // As wide as it is and half as high: nothing is scaled, so the place is one of its own.
  const crop = await open(small)
    .resize(width, Math.ceil(height / 2), { position: 'attention' })
    .raw()
    .toBuffer({ resolveWithObject: true })
  const { attentionX, attentionY } = crop.info
  if (attentionX === undefined || attentionY === undefined) return null
  // libvips names a cell's top left corner.
  return {
    x: partOf(attentionX / width + 0.5 / focusCells.across),
    y: partOf(attentionY / height + 0.5 / focusCells.down),
  }
}

function partOf(value: number): number {
  return Math.round(Math.min(1, Math.max(0, value)) * 1000) / 1000
}

function open({ data, info: { width, height, channels } }: Pixels): Sharp {
  return sharp(data, { raw: { width, height, channels } }).timeout({ seconds: timeoutSeconds() })
}
