/**
 * What a provider gets to see: the picture upright, in plain colours, padded to a common shape. What
 * it makes of that is cut back to the picture and written in the picture's own format.
 */
import type { Sharp } from '../../media/libvips.ts'
import type { Picture } from '../../media/picture.ts'
import { developPicture, UnfitPicture } from '../../media/picture.ts'

export type Frame = {
  /** A PNG without metadata, 8 bits a channel. */
  readonly bytes: Buffer
  readonly width: number
  readonly height: number
  readonly hasAlpha: boolean
  /** Where the picture lies in it. */
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

// Four times as many come out, and are still a picture that we read; twice the side must fit into a WebP.
const maxFramePixels = 15_000_000
const maxSide = 8191

/** Fails with UnfitPicture: everything of the picture is decoded here. */
export async function framePicture(picture: Picture, format: ResultFormat): Promise<Frame> {
  const place = placeInFrame(picture)
  const { left, top, width, height } = place
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
      // Read again within moments: quickly written is worth more than small.
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

/** The nearest shape that the picture fits into, and where it lies in it. */
export function placeInFrame(size: { readonly width: number; readonly height: number }) {
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

/** Cuts the padding off what was made of a frame, and writes the rest. */
export function finishPicture(image: Sharp, { picture, format }: Frame, scale: number) {
  const cut = image.extract({
    left: picture.left * scale,
    top: picture.top * scale,
    width: picture.width * scale,
    height: picture.height * scale,
  })
  switch (format) {
    case 'jpeg':
      // Optimal codes are a few per cent smaller, and take the whole picture's memory six times over.
      return cut.jpeg({ quality: 92, chromaSubsampling: '4:4:4', optimizeCoding: false }).toBuffer()
    case 'png':
      return cut.png({ compressionLevel: 6 }).toBuffer()
    case 'webp':
      return cut.webp({ quality: 92 }).toBuffer()
  }
}
