/** Thumbnails of a picture, made once and stored (contract 1.4). */
import type { Sharp } from './libvips.ts'
import type { Picture } from './picture.ts'
import { developPicture } from './picture.ts'

export type Thumbnail = { readonly width: number; readonly bytes: Uint8Array }

// The maximum height of WebP. A comic strip is made narrower instead.
export const thumbnailMaxHeight = 16_383

/** Makes a WebP for each width up to the picture's own: pictures are never enlarged. */
export async function makeThumbnails(
  picture: Picture,
  widths: readonly number[],
): Promise<Thumbnail[]> {
  const made: Thumbnail[] = []
  for (const width of widths.filter((width) => width <= picture.width))
    made.push({ width, bytes: await makeThumbnail(picture, width) })
  return made
}

/** Makes a thumbnail with at most this width. */
export function makeThumbnail(picture: Picture, width: number): Promise<Uint8Array> {
  return developPicture(picture, (image) =>
    asWebp(
      image
        .resize({ width, height: thumbnailMaxHeight, fit: 'inside', withoutEnlargement: true })
        .toColourspace('srgb'),
    ),
  )
}

// More effort takes twice the time and saves a twentieth of the bytes.
export function asWebp(image: Sharp): Promise<Uint8Array> {
  return image.webp({ quality: 80, effort: 2 }).toBuffer()
}
