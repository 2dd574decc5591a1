/** A still picture of a show: in the sizes in which there are files of it, for whoever chooses one. */
import type { OpenShow } from './link-preview.ts'

type Slide = OpenShow['slides'][number]

export type ShowPicture = {
  /** The largest that a page needs. */
  readonly url: string
  readonly widthPx: number | null
  readonly heightPx: number | null
  /** From the smallest to the largest; none where its width is not known. */
  readonly files: readonly { readonly url: string; readonly widthPx: number }[]
}

/** No size is wider: the original of a wider picture is for looking closer, and not needed here. */
const widestPx = 1920

/** Of a film its poster; null where there is none. */
export function pictureOf(slide: Slide): ShowPicture | null {
  const { type, mediaUrl, thumbnail, width, height } = slide
  // It is in its owner's trash.
  if (mediaUrl === null) return null
  // What calls itself a GIF is often a film without sound.
  const isFilm = type === 'video' || /\.(mp4|webm|gifv|mov)(\?|$)/i.test(mediaUrl)
  if (isFilm) return thumbnail === null ? null : plainPicture(thumbnail)
  const sizes = Object.entries(slide.sizes ?? {})
    .flatMap(([size, url]) => (url === undefined ? [] : [{ url, widthPx: Number(size) }]))
    .sort((one, other) => one.widthPx - other.widthPx)
  const original = width !== null && width <= widestPx ? [{ url: mediaUrl, widthPx: width }] : []
  const files = [...sizes.filter(({ widthPx }) => widthPx !== width), ...original]
  return { url: files.at(-1)?.url ?? mediaUrl, widthPx: width, heightPx: height, files }
}

/** The cover, as the slide that it was made of where that is known. */
export function coverOf({ thumbnail, slides }: OpenShow): ShowPicture | null {
  const slide = slides.find((one) => one.type === 'image' && one.thumbnail === thumbnail)
  if (slide) return pictureOf(slide)
  return thumbnail === null ? null : plainPicture(thumbnail)
}

function plainPicture(url: string): ShowPicture {
  return { url, widthPx: null, heightPx: null, files: [] }
}
