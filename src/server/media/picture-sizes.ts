/** Resizes a picture to the widths of screens, and finds its focus (contract 1.3). */
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

// The limit for the decoded picture that all sizes are made from: 64 MB.
const maxPixelsOfSize = 16_000_000
const focusSide = 320
const focusMinSide = 16
// The grid of cells that libvips uses for a picture cropped to half its height.
const focusCells = { across: 32, down: 64 }
// On a scale of 0 to 255: a picture that varies less looks like one colour and has no focus.
const flatWithin = 2

/** Returns the widths up to the picture's own. Omits widths at which a long strip would be too high. */
export function widthsOf({ width, height }: Pick<Picture, 'width' | 'height'>): number[] {
  return pictureWidths.filter((wanted) => {
    const high = Math.round((height / width) * wanted)
    return wanted <= width && high <= thumbnailMaxHeight && wanted * high <= maxPixelsOfSize
  })
}

/** Decodes the picture once for all widths. Throws UnfitPicture. */
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
 * Finds the focus by detail, strong colours and skin tones. It detects no people and no faces (contract,
 * section 0; decision 26). Returns null if there is no focus.
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
  // Keeps the width and halves the height: nothing is scaled, so the result is in the picture's own pixels.
  const crop = await open(small)
    .resize(width, Math.ceil(height / 2), { position: 'attention' })
    .raw()
    .toBuffer({ resolveWithObject: true })
  const { attentionX, attentionY } = crop.info
  if (attentionX === undefined || attentionY === undefined) return null
  // libvips returns the top left corner of a cell.
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
