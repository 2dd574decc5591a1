/**
 * Two pictures as one. The side that they share takes the size of the smaller, so that nothing is
 * enlarged; where a picture fits as it is, libvips joins it straight from its bytes.
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
  /** Where the second picture begins, in pixels from the left or from the top. */
  readonly seam: number
}

/** A picture, or a part of one. */
type Piece = Size & { readonly picture: Picture; readonly region?: PixelRegion }

const timeoutSeconds = 20

export function composePictures(pictures: Pair<Picture>, layout: Layout): Promise<Composition> {
  const [first, second] = pictures
  return compose([pieceOf(first), pieceOf(second)], layout)
}

/** Lays out parts of one picture, in the order given. */
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
 * Null where a picture has to be drawn first: to scale it, turn it upright or convert its colours.
 * libvips reads the joined ones more strictly, so what it refuses here has its second chance there.
 */
async function joinAsTheyAre(pieces: Pair<Piece>, sizes: Pair<Size>, layout: Layout) {
  if (pieces.some((piece, place) => piece.region || !isSameSize(piece, sizes[place]))) return null
  const [{ picture: one }, { picture: other }] = pieces
  if (!one.plainProfile || !other.plainProfile?.equals(one.plainProfile)) return null
  return join([one.bytes, other.bytes], sizes, layout, { hasAlpha: false }).catch(() => null)
}

async function joinDrawn([first, second]: Pair<Piece>, sizes: Pair<Size>, layout: Layout) {
  const [one, other] = await Promise.all([draw(first, sizes[0]), draw(second, sizes[1])])
  const hasAlpha = !one.isOpaque || !other.isOpaque
  return join([one.bytes, other.bytes], sizes, layout, { hasAlpha })
}

/** Upright, in sRGB and of that size, as a PNG that costs no time to pack and unpack. */
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

/** libvips gives both the room of the larger: the smaller one is put to the seam, the rest cut off. */
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
