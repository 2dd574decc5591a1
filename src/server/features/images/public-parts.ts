/**
 * What of a picture file is for everyone to see: its pixels and how to draw them. Cameras and
 * editors put much more into it (where it was taken, with which device, a thumbnail from before the
 * crop, a whole video behind the end), so only parts that are known to be harmless are kept.
 */
import type { PictureFormat } from './picture.ts'
import { publicPartsOfGif } from './gif-parts.ts'
import { publicPartsOfJpeg } from './jpeg-parts.ts'
import { publicPartsOfPng } from './png-parts.ts'
import { publicPartsOfWebp } from './webp-parts.ts'

export type PublicParts = {
  /** In order, they are the file without the rest. */
  readonly parts: readonly Uint8Array[]
  /** Whether there was a rest. */
  readonly dropped: boolean
  /** Moves, so that drawing its first picture anew would not do. */
  readonly isAnimated: boolean
}

const readers: Record<PictureFormat, (bytes: Uint8Array) => PublicParts | null> = {
  jpeg: publicPartsOfJpeg,
  png: publicPartsOfPng,
  webp: publicPartsOfWebp,
  gif: publicPartsOfGif,
}

/** Null where the bytes are not built as their format wants it. */
export function publicPartsOf(format: PictureFormat, bytes: Uint8Array): PublicParts | null {
  return readers[format](bytes)
}
