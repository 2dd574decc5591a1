/**
 * Prepares a picture for a provider: upright, in sRGB, padded to a common shape. Crops the result to the
 * picture and encodes it in the picture's own format.
 */
import type { Sharp } from '../../media/libvips.ts'
import type { Picture } from '../../media/picture.ts'
import { developPicture, UnfitPicture } from '../../media/picture.ts'

export type Frame = {
  /** A PNG without metadata, with 8 bits per channel. */
  readonly bytes: Buffer
  readonly width: number
  readonly height: number
  readonly hasAlpha: boolean
  /** The picture's rectangle in the frame. */
  readonly picture: {
    readonly left: number
    readonly top: number
    readonly width: number
    readonly height: number
  }
  readonly format: ResultFormat
}

export type ResultFormat = 'jpeg' | 'png' | 'webp'

const shapes = [
  [1, 1],
  [4, 3],
  [3, 4],
  [3, 2],
  [2, 3],
  [16, 9],
  [9, 16],
] as const

// The result has four times the pixels, and we must be able to read it. Twice this side must fit into a
// WebP.
const maxFramePixels = 15_000_000
const maxSide = 8191

/** Builds the frame. Fails with UnfitPicture, because the whole picture is decoded here. */
export async function framePicture(picture: Picture, format: ResultFormat): Promise<Frame> {
  const fitted = fitIntoFrame(picture)
  const { left, top, width, height } = fitted
  if (width * height > maxFramePixels || Math.max(width, height) > maxSide)
    throw new UnfitPicture('too-many-pixels')
  const { data, info } = await developPicture(picture, (image) =>
    image
      .toColourspace('srgb')
      .extend({
        left,
        top,
        right: width - picture.width - left,
        bottom: height - picture.height - top,
        extendWith: 'mirror',
      })
      // It is read again soon, so speed matters more than size.
      .png({ compressionLevel: 1, adaptiveFiltering: false })
      .toBuffer({ resolveWithObject: true }),
  )
  return {
    bytes: data,
    width,
    height,
    hasAlpha: info.channels === 2 || info.channels === 4,
    picture: { left, top, width: picture.width, height: picture.height },
    format,
  }
}

/** Returns the closest shape that contains the picture, and the picture's position in it. */
export function fitIntoFrame(size: { readonly width: number; readonly height: number }) {
  const ratio = size.width / size.height
  const distance = ([across, down]: readonly [number, number]) =>
    Math.abs(Math.log(ratio / (across / down)))
  const [across, down] = shapes.reduce((best, shape) =>
    distance(shape) < distance(best) ? shape : best,
  )
  const width = Math.max(size.width, Math.round((size.height * across) / down))
  const height = Math.max(size.height, Math.round((size.width * down) / across))
  return {
    width,
    height,
    left: Math.floor((width - size.width) / 2),
    top: Math.floor((height - size.height) / 2),
  }
}

/** Crops the padding off the result, and encodes the rest. */
export function finishPicture(image: Sharp, { picture, format }: Frame, scale: number) {
  const cut = image.extract({
    left: picture.left * scale,
    top: picture.top * scale,
    width: picture.width * scale,
    height: picture.height * scale,
  })
  switch (format) {
    case 'jpeg':
      // Optimal codes make files a few per cent smaller, but need six times the picture's memory.
      return cut.jpeg({ quality: 92, chromaSubsampling: '4:4:4', optimizeCoding: false }).toBuffer()
    case 'png':
      return cut.png({ compressionLevel: 6 }).toBuffer()
    case 'webp':
      return cut.webp({ quality: 92 }).toBuffer()
  }
}
