/** Small pictures of a picture, made once and kept (contract 1.4). */
import type { Sharp } from './libvips.ts'
import type { Picture } from './picture.ts'
import { developPicture } from './picture.ts'

export type Thumbnail = { readonly width: number; readonly bytes: Uint8Array }

// The most that WebP can be high; a strip of comics gets narrower instead.
export const thumbnailMaxHeight = 16_383

/** WebP in each of the widths that the picture reaches: nothing is made larger than it was. */
export async function makeThumbnails(
  picture: Picture,
  widths: readonly number[],
): Promise<Thumbnail[]> {
  const made: Thumbnail[] = []
  for (const width of widths.filter((width) => width <= picture.width))
    made.push({ width, bytes: await makeThumbnail(picture, width) })
  return made
}

/** Not wider than this. */
export function makeThumbnail(picture: Picture, width: number): Promise<Uint8Array> {
  return developPicture(picture, (image) =>
    asWebp(
      image
        .resize({ width, height: thumbnailMaxHeight, fit: 'inside', withoutEnlargement: true })
        .toColourspace('srgb'),
    ),
  )
}

// More effort takes twice the time for a twentieth of the bytes.
export function asWebp(image: Sharp): Promise<Uint8Array> {
  return image.webp({ quality: 80, effort: 2 }).toBuffer()
}
