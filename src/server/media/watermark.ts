/**
 * The watermark on published pictures: the site's name in a corner. It is small enough not to disturb the
 * picture, and large enough to read on bright and on dark pictures.
 */
import { reencode } from './displayable-picture.ts'
import { sharp } from './libvips.ts'
import type { Picture } from './picture.ts'

const words = 'Lanternist'
const font = 'DejaVu Sans Bold'
// The text is drawn once, large, and scaled down.
const drawnDpi = 400
const shareOfShorterSide = 0.22
const minWidth = 64
const maxWidth = 1200
const maxShareOfWidth = 0.6
// Below this size the mark could not be read.
const smallestSide = 48

/** Returns the picture, upright and without metadata, with the mark. */
export async function watermark(picture: Picture): Promise<Uint8Array> {
  const { width, height } = picture
  if (Math.min(width, height) < smallestSide) return reencode(picture)
  const wanted = Math.min(
    Math.max(Math.min(width, height) * shareOfShorterSide, minWidth),
    maxWidth,
    width * maxShareOfWidth,
  )
  const mark = await drawMark(Math.round(wanted))
  const margin = Math.round(wanted * 0.1)
  const left = Math.max(0, width - mark.width - margin)
  const top = Math.max(0, height - mark.height - margin)
  return reencode(picture, (image) => {
    const marked = image.composite([{ input: mark.png, left, top }])
    // The mark has an alpha channel, which the picture would keep.
    return picture.hasAlpha ? marked : marked.removeAlpha()
  })
}

/** Draws light letters on a soft shadow, so that they are readable on light pictures too. */
async function drawMark(width: number) {
  const text = await sharp({ text: { text: words, font, dpi: drawnDpi } })
    .resize({ width })
    .extractChannel(0)
    .raw()
    .toBuffer({ resolveWithObject: true })
  const letters = { width: text.info.width, height: text.info.height }
  const edge = Math.max(2, Math.ceil(letters.height * 0.3))
  const size = { width: letters.width + 2 * edge, height: letters.height + 2 * edge }
  const mask = await sharp(text.data, { raw: { ...letters, channels: 1 } })
    .extend({ top: edge, bottom: edge, left: edge, right: edge, background: 'black' })
    .extractChannel(0)
    .raw()
    .toBuffer()
  const shadow = await sharp(mask, { raw: { ...size, channels: 1 } })
    .blur(Math.max(0.6, letters.height * 0.09))
    .linear(2.2, 0)
    .extractChannel(0)
    .raw()
    .toBuffer()
  const png = await sharp(inked(shadow, { shade: 0, opacity: 0.75 }), {
    raw: { ...size, channels: 4 },
  })
    .composite([
      { input: inked(mask, { shade: 255, opacity: 0.85 }), raw: { ...size, channels: 4 } },
    ])
    .png()
    .toBuffer()
  return { png, ...size }
}

/** Converts a mask to pixels in one shade of grey. */
function inked(mask: Buffer, { shade, opacity }: { shade: number; opacity: number }): Buffer {
  const pixels = Buffer.alloc(mask.length * 4, shade)
  for (const [index, value] of mask.entries()) pixels[index * 4 + 3] = Math.round(value * opacity)
  return pixels
}
