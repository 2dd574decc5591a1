/**
 * Chooses the file of a picture: the smallest that is sharp on this screen. The original is for zooming
 * in, for small pictures, and for pictures without other sizes.
 */
import type { PlaylistSlide } from '../playlist.ts'

export type Screen = {
  readonly widthPx: number
  readonly heightPx: number
  /** True when pictures are cropped to fill the screen. */
  readonly isFilling: boolean
}

/** The share of the needed pixels that is enough. In a moving show the difference is not visible. */
const sharpEnough = 0.85
/** The widest scaled size. For a picture up to this width, the original is the largest file. */
const widestPx = 1920

type Sized = Pick<PlaylistSlide, 'mediaUrl' | 'sizes' | 'widthPx' | 'heightPx'>

export function pictureAddress(slide: Sized, screen: Screen): string {
  const sizes = sizesOf(slide)
  const neededPx = drawnWidthPx(slide, screen) * sharpEnough
  const largest = sizes.at(-1)
  const fitting = sizes.find(({ widthPx }) => widthPx >= neededPx)
  if (fitting) return fitting.url
  const isSmall = slide.widthPx !== null && slide.widthPx <= widestPx
  return isSmall || !largest ? slide.mediaUrl : largest.url
}

/** Returns the smallest file, for a small preview, or null if there is none. */
export function smallestAddress(slide: Sized & Pick<PlaylistSlide, 'thumbnail' | 'isMoving'>) {
  const original = slide.isMoving ? null : slide.mediaUrl
  return sizesOf(slide)[0]?.url ?? slide.thumbnail ?? original
}

/** Returns all files of the picture, from the smallest to the original. */
export function addressesOf(slide: Sized): string[] {
  return [...sizesOf(slide).map(({ url }) => url), slide.mediaUrl]
}

/** Returns the scaled sizes, from the smallest to the largest. */
function sizesOf({ sizes }: Sized): { widthPx: number; url: string }[] {
  return Object.entries(sizes ?? {})
    .flatMap(([width, url]) => (url === undefined ? [] : [{ widthPx: Number(width), url }]))
    .sort((one, other) => one.widthPx - other.widthPx)
}

function drawnWidthPx({ widthPx, heightPx }: Sized, screen: Screen): number {
  if (!widthPx || !heightPx) return screen.widthPx
  const scales = [screen.widthPx / widthPx, screen.heightPx / heightPx]
  return widthPx * (screen.isFilling ? Math.max(...scales) : Math.min(...scales))
}
