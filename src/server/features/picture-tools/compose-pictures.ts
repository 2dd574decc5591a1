/**
 * Joins two pictures into one. Their common side gets the length of the smaller picture, so that
 * nothing is enlarged. If both pictures fit unchanged, libvips joins them straight from their bytes.
 */
import type { Layout, Pair, PixelRegion, Size } from '../../../contract/composition-layout.ts'
import { fittedSizes } from '../../../contract/composition-layout.ts'
import { sharp } from '../../media/libvips.ts'
import { inTurn } from '../../media/picture-turns.ts'
import type { Picture } from '../../media/picture.ts'
import { decoding, openPicture, photograph } from '../../media/picture.ts'

export type Composition = {
  readonly bytes: Uint8Array
  readonly extension: 'jpg' | 'png'
  readonly width: number
  readonly height: number
  readonly layout: Layout
  /** The position of the second picture, in pixels from the left or the top. */
  readonly seam: number
}

/** A picture, or a region of one. */
type Piece = Size & { readonly picture: Picture; readonly region?: PixelRegion }

const timeoutSeconds = 20

export function composePictures(pictures: Pair<Picture>, layout: Layout): Promise<Composition> {
  const [first, second] = pictures
  return compose([pieceOf(first), pieceOf(second)], layout)
}

/** Joins two parts of one picture, in the given order. */
export function composeParts(
  picture: Picture,
  [first, second]: Pair<PixelRegion>,
  layout: Layout,
): Promise<Composition> {
  return compose([pieceOf(picture, first), pieceOf(picture, second)], layout)
}

function pieceOf(picture: Picture, region?: PixelRegion): Piece {
  const { width, height } = region ?? picture
  return { picture, width, height, ...(region && { region }) }
}

function compose(pieces: Pair<Piece>, layout: Layout): Promise<Composition> {
  return inTurn(() =>
    decoding(async () => {
      const sizes = fittedSizes(pieces, layout)
      const joined =
        (await joinAsTheyAre(pieces, sizes, layout)) ?? (await joinDrawn(pieces, sizes, layout))
      const [{ width: firstWidth, height: firstHeight }] = sizes
      return { ...joined, layout, seam: layout === 'side-by-side' ? firstWidth : firstHeight }
    }),
  )
}

/**
 * Joins the pictures without drawing them first. Returns null if one must be scaled, rotated or
 * colour-converted. Also returns null if libvips refuses: it is stricter when it reads joined pictures,
 * and `joinDrawn` may succeed.
 */
async function joinAsTheyAre(pieces: Pair<Piece>, sizes: Pair<Size>, layout: Layout) {
  if (pieces.some((piece, index) => piece.region || !isSameSize(piece, sizes[index]))) return null
  const [{ picture: one }, { picture: other }] = pieces
  if (!one.plainProfile || !other.plainProfile?.equals(one.plainProfile)) return null
  return join([one.bytes, other.bytes], sizes, layout, { hasAlpha: false }).catch(() => null)
}

async function joinDrawn([first, second]: Pair<Piece>, sizes: Pair<Size>, layout: Layout) {
  const [one, other] = await Promise.all([draw(first, sizes[0]), draw(second, sizes[1])])
  const hasAlpha = !one.isOpaque || !other.isOpaque
  return join([one.bytes, other.bytes], sizes, layout, { hasAlpha })
}

/** Draws the piece upright, in sRGB and in the given size, as an uncompressed PNG. */
async function draw({ picture, region }: Piece, { width, height }: Size) {
  const image = openPicture(picture)
  const part = region ? image.extract(region) : image
  const bytes = await part
    .resize(width, height, { fit: 'fill' })
    .toColourspace('srgb')
    .png({ compressionLevel: 0 })
    .toBuffer()
  const isOpaque = !picture.hasAlpha || (await sharp(bytes).stats()).isOpaque
  return { bytes, isOpaque }
}

/**
 * Joins the parts. libvips gives both parts the size of the larger one, so align the smaller one to the
 * seam and cut the rest off.
 */
async function join(
  parts: Pair<Uint8Array>,
  [first, second]: Pair<Size>,
  layout: Layout,
  { hasAlpha }: { readonly hasAlpha: boolean },
) {
  const isAcross = layout === 'side-by-side'
  const missing = isAcross ? second.width - first.width : second.height - first.height
  const image = sharp([...parts], {
    join: {
      across: isAcross ? 2 : 1,
      halign: isAcross && missing > 0 ? 'right' : 'left',
      valign: !isAcross && missing > 0 ? 'bottom' : 'top',
    },
  })
    .extract({
      left: isAcross ? Math.max(0, missing) : 0,
      top: isAcross ? 0 : Math.max(0, missing),
      width: isAcross ? first.width + second.width : first.width,
      height: isAcross ? first.height : first.height + second.height,
    })
    .timeout({ seconds: timeoutSeconds })
  const encoded = hasAlpha ? image.png({ compressionLevel: 3 }) : image.jpeg(photograph)
  const { data, info } = await encoded.toBuffer({ resolveWithObject: true })
  const extension: Composition['extension'] = hasAlpha ? 'png' : 'jpg'
  return { bytes: data, extension, width: info.width, height: info.height }
}

function isSameSize(one: Size, other: Size | undefined): boolean {
  return one.width === other?.width && one.height === other.height
}
