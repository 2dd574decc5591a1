/**
 * Which file of a picture is loaded: the smallest that is sharp on this screen. The original is for
 * looking closer, and for pictures of which there is nothing else.
 */
import type { PlaylistSlide } from '../playlist.ts'

export type Screen = {
  readonly widthPx: number
  readonly heightPx: number
  /** Whether pictures are cropped to fill it. */
  readonly isFilling: boolean
}

/** So much of the screen's pixels is enough: what is missing is not seen in a moving show. */
const sharpEnough = 0.85
/** No size is wider; a picture that is no wider than this has its original as its largest one. */
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

/** The smallest file there is, for a picture no larger than a stamp; null where there is none. */
export function smallestAddress(slide: Sized & Pick<PlaylistSlide, 'thumbnail' | 'isMoving'>) {
  const original = slide.isMoving ? null : slide.mediaUrl
  return sizesOf(slide)[0]?.url ?? slide.thumbnail ?? original
}

/** All files there are of it. */
export function addressesOf(slide: Sized): string[] {
  return [...sizesOf(slide).map(({ url }) => url), slide.mediaUrl]
}

/** From the smallest to the largest. */
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
