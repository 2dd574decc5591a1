/** Makes the version of a picture that other people see: upright, in sRGB, without private metadata. */
import type { Sharp } from './libvips.ts'
import { sharp } from './libvips.ts'
import { joinDrawing } from './picture-parts.ts'
import { inTurn } from './picture-turns.ts'
import type { Picture } from './picture.ts'
import { decoding, developPicture, inspectPicture } from './picture.ts'

// Decoding a page decodes all pages before it: this is some seconds of work.
const maxPixelsToTurn = 500_000_000
const turningTimeoutSeconds = 20

/**
 * Returns null if the picture has nothing to hide and can be shown unchanged. Still pictures (except GIFs)
 * and rotated WebP animations are encoded again. Others only lose their private parts. Throws UnfitPicture.
 */
export async function makeDisplayable(file: Uint8Array): Promise<Uint8Array | null> {
  const picture = await inspectPicture(file)
  const { parts } = picture
  if (parts.isPlain) return null
  if (picture.format !== 'gif' && !isAnimated(picture)) return reencode(picture)
  return canBeTurned(picture) ? turnPages(picture) : joinDrawing(parts)
}

/** Encodes the picture again in its own format, without metadata, after applying `change`. */
export function reencode(
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

/** Returns true for animations. libvips reads an animated PNG as one page, but browsers show all. */
export function isAnimated({ format, pages, parts }: Picture): boolean {
  return format === 'png' ? parts.isAnimated : pages > 1
}

function canBeTurned({ orientation, format, width, height, pages }: Picture): boolean {
  const pixels = (width * height * pages * (pages + 1)) / 2
  return orientation > 1 && format === 'webp' && pixels <= maxPixelsToTurn
}

/** Encodes every page upright, because no browser applies the orientation of a WebP. */
async function turnPages(picture: Picture): Promise<Uint8Array> {
  const pages: Buffer[] = []
  for (let page = 0; page < picture.pages; page += 1) {
    pages.push(await developPicture(picture, packed, { page }))
  }
  const { delaysMs, loop } = picture
  return inTurn(() =>
    decoding(() =>
      encodeAs(sharp(pages, { join: { animated: true } }), picture)
        .webp({ delay: [...delaysMs], loop })
        .timeout({ seconds: turningTimeoutSeconds })
        .toBuffer(),
    ),
  )
}

/** Returns a page, lightly compressed, to hold until all pages are ready. */
function packed(page: Sharp): Promise<Buffer> {
  return page.toColourspace('srgb').png({ compressionLevel: 1 }).toBuffer()
}

function isLossless(webp: Uint8Array): boolean {
  return Buffer.from(webp.subarray(0, 64)).includes('VP8L')
}
