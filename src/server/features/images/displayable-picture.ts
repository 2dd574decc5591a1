/** A picture as others may see it: upright, in the colours of the web, and silent about its owner. */
import type { Sharp } from '../../platform/libvips.ts'
import type { Picture, PictureFormat } from './picture.ts'
import { developPicture, inspectPicture, UnfitPicture } from './picture.ts'
import type { PublicParts } from './public-parts.ts'
import { publicPartsOf } from './public-parts.ts'

/**
 * Null where there is nothing to hide and the picture can be shown as it is. A still is drawn anew;
 * what moves, or is too large to be drawn, loses its private parts and nothing else.
 */
export async function makeDisplayable(
  bytes: Uint8Array,
  format: PictureFormat,
): Promise<Uint8Array | null> {
  const known = publicPartsOf(format, bytes)
  if (known && !known.dropped) return null
  if (known && (format === 'gif' || known.isAnimated)) return joined(known)
  try {
    return await redraw(await inspectPicture(bytes))
  } catch (error) {
    if (!(error instanceof UnfitPicture) || !known) throw error
    return joined(known)
  }
}

/** Drawn anew in its own format, without metadata, after whatever `change` does to it. */
export function redraw(
  picture: Picture,
  change: (image: Sharp) => Sharp = (image) => image,
): Promise<Uint8Array> {
  return developPicture(picture, (image) =>
    encodeAs(change(image), picture).toColourspace('srgb').toBuffer(),
  )
}

function encodeAs(image: Sharp, { format, bytes }: Picture): Sharp {
  if (format === 'jpeg') return image.jpeg({ quality: 90, chromaSubsampling: '4:4:4' })
  if (format === 'png') return image.png({ compressionLevel: 6 })
  if (format === 'gif') return image.gif()
  return image.webp(isLossless(bytes) ? { lossless: true } : { quality: 90 })
}

function isLossless(webp: Uint8Array): boolean {
  return Buffer.from(webp.subarray(0, 64)).includes('VP8L')
}

function joined({ parts }: PublicParts): Uint8Array {
  return Buffer.concat(parts)
}
