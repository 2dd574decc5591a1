/** A still picture of a show, in all sizes for which a file exists. */
import type { OpenShow } from './link-preview.ts'

type Slide = OpenShow['slides'][number]

export type ShowPicture = {
  /** The largest file that a page needs. */
  readonly url: string
  readonly widthPx: number | null
  readonly heightPx: number | null
  /** The files from the smallest to the largest. Empty if their widths are unknown. */
  readonly files: readonly { readonly url: string; readonly widthPx: number }[]
}

/** The widest file. A wider original is only needed for zooming. */
const widestPx = 1920

/** Returns the picture of a slide. For a video it is the poster, or null without one. */
export function pictureOf(slide: Slide): ShowPicture | null {
  const { type, mediaUrl, thumbnail, width, height } = slide
  // Its file is in the owner's trash.
  if (mediaUrl === null) return null
  // Files called GIF are often videos without sound.
  const isFilm = type === 'video' || /\.(mp4|webm|gifv|mov)(\?|$)/i.test(mediaUrl)
  if (isFilm) return thumbnail === null ? null : plainPicture(thumbnail)
  const sizes = Object.entries(slide.sizes ?? {})
    .flatMap(([size, url]) => (url === undefined ? [] : [{ url, widthPx: Number(size) }]))
    .sort((one, other) => one.widthPx - other.widthPx)
  const original = width !== null && width <= widestPx ? [{ url: mediaUrl, widthPx: width }] : []
  const files = [...sizes.filter(({ widthPx }) => widthPx !== width), ...original]
  return { url: files.at(-1)?.url ?? mediaUrl, widthPx: width, heightPx: height, files }
}

/** Returns the cover, as the picture of the slide that it was made from, if that is known. */
export function coverOf({ thumbnail, slides }: OpenShow): ShowPicture | null {
  const slide = slides.find((one) => one.type === 'image' && one.thumbnail === thumbnail)
  if (slide) return pictureOf(slide)
  return thumbnail === null ? null : plainPicture(thumbnail)
}

function plainPicture(url: string): ShowPicture {
  return { url, widthPx: null, heightPx: null, files: [] }
}
