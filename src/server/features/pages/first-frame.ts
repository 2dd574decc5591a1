/**
 * The first frame of a link's page, shown before any script: its picture, its title and a link to play
 * it. The application takes over the marked element (src/web/first-frame.tsx) until it shows the same
 * picture itself. The classes are the same as in the later page, so that nothing moves.
 */
import { escapeHtml, tag, textElement } from '../../http/html.ts'
import type { LinkAddress, OpenShow, ShowPicture } from '../sharing/sharing.ts'
import { coverOf, pictureOf, sharedPath } from '../sharing/sharing.ts'

type FirstFrame = {
  /** Tags for the head: the browser requests the picture before it has parsed the page. */
  readonly tags: string
  readonly html: string
}

const pageSizes = '(min-width: 40rem) min(54vw, 32rem), 92vw'

export function firstFrameOf(show: OpenShow, { kind }: LinkAddress, siteName: string): FirstFrame {
  if (kind === 'page') {
    const cover = coverOf(show)
    return { tags: preloadTag(cover, pageSizes), html: linkFrame(show, cover) }
  }
  const [first] = show.slides
  const picture = first ? pictureOf(first) : null
  const sizes = screenSizes(picture)
  const words = first?.caption || 'Slide 1'
  const image =
    picture === null ? '' : imageTag(picture, sizes, words, 'block size-full object-contain')
  const wayOn = kind === 'embed' ? wayToSite(show.code, siteName) : ''
  return { tags: preloadTag(picture, sizes), html: showFrame(show, image, wayOn) }
}

/** Returns the frame of a link that cannot be played on another site: the reason, and a link to its page. */
export function closedFrame(
  code: string,
  siteName: string,
  reason = 'This show cannot be played here.',
): string {
  return (
    '<main data-theme="dark" class="fixed inset-0 grid place-content-center justify-items-center gap-4 ' +
    'bg-picture-dark p-5 text-center text-picture-ink">' +
    textElement('h1', 'show-voice text-xl', reason) +
    `${wayToSite(code, siteName)}</main>`
  )
}

function showFrame({ title, ownerName }: OpenShow, image: string, wayOn: string): string {
  return (
    '<main data-theme="dark" class="fixed inset-0 overflow-hidden bg-picture-dark text-picture-ink">' +
    `<div data-first-frame="show" class="absolute inset-0">${image}</div>` +
    '<header class="absolute inset-x-0 top-0 flex items-center gap-4 bg-linear-to-b from-picture-dark/80 ' +
    'via-picture-dark/55 via-45% to-transparent px-7 pt-3 pb-12"><div class="mr-auto min-w-0">' +
    textElement('h1', 'show-voice truncate text-[1.125rem] leading-tight font-[500]', title) +
    textElement('p', 'text-xs leading-snug text-picture-ink-quiet', `by ${ownerName}`) +
    `</div>${wayOn}</header></main>`
  )
}

function linkFrame(show: OpenShow, cover: ShowPicture | null): string {
  const { title, ownerName, code, mediaCount } = show
  const look = 'absolute inset-0 size-full object-cover'
  const image = cover === null ? '' : imageTag(cover, pageSizes, '', look)
  const count = `${mediaCount} ${mediaCount === 1 ? 'slide' : 'slides'}`
  const play = tag('a', {
    href: `${sharedPath(code)}/play`,
    class: 'button button-lit min-h-12 px-5 text-base',
  })
  return (
    '<div class="mx-auto max-w-[110rem] px-gutter pt-16 sm:pt-[4.75rem]">' +
    '<div data-first-frame="link" class="mx-auto grid w-full max-w-[60rem] gap-6 py-4 sm:py-8">' +
    '<div class="grid items-center gap-x-10 gap-y-6 sm:grid-cols-[minmax(0,1.2fr)_1fr]">' +
    '<div class="rounded-mount bg-mount p-2 shadow-mount">' +
    `<div class="relative overflow-hidden rounded-aperture bg-well aspect-3/2">${image}</div></div>` +
    `<div class="min-w-0">${textElement('p', 'text-sm text-ink-2', `${ownerName} shows you`)}` +
    textElement(
      'h1',
      'show-voice mt-1 text-[1.75rem] leading-tight font-[500] text-balance break-words sm:text-3xl',
      title,
    ) +
    textElement('p', 'mt-2 text-ink-2', count) +
    `<div class="mt-6 flex flex-wrap gap-2">${play}Play</a></div></div></div></div></div>`
  )
}

function wayToSite(code: string, siteName: string): string {
  const link = tag('a', {
    href: sharedPath(code),
    target: '_blank',
    rel: 'noopener',
    class: 'flex-none text-sm underline underline-offset-4',
  })
  return `${link}Open on ${escapeHtml(siteName)}</a>`
}

function imageTag(picture: ShowPicture, sizes: string, alt: string, className: string): string {
  const { url, widthPx: width, heightPx: height } = picture
  const candidates = candidatesOf(picture)
  return tag('img', {
    src: url,
    srcset: candidates,
    sizes: candidates && sizes,
    width,
    height,
    alt,
    fetchpriority: 'high',
    class: className,
  })
}

function preloadTag(picture: ShowPicture | null, sizes: string): string {
  if (picture === null) return ''
  const candidates = candidatesOf(picture)
  return tag('link', {
    rel: 'preload',
    as: 'image',
    href: candidates === null ? picture.url : null,
    imagesrcset: candidates,
    imagesizes: candidates && sizes,
    fetchpriority: 'high',
  })
}

/** Leaves out addresses that srcset cannot contain: with a space, or a comma at the end. */
function candidatesOf({ files }: ShowPicture): string | null {
  const named = files.filter(({ url }) => !/\s|,$/.test(url))
  if (named.length === 0) return null
  return named.map(({ url, widthPx }) => `${url} ${widthPx}w`).join(', ')
}

/** Returns the width of the whole picture on the full screen. */
function screenSizes(picture: ShowPicture | null): string {
  if (!picture?.widthPx || !picture.heightPx) return '100vw'
  const shape = (picture.widthPx / picture.heightPx).toFixed(4)
  return `min(100vw, calc(100vh * ${shape}))`
}
