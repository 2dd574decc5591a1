/** Extracts text and media from HTML, valid or not. The HTML itself is never put into a page. */
import { Parser } from 'htmlparser2'

const blocks =
  /^(?:p|div|br|li|ul|ol|tr|td|table|blockquote|h[1-6]|hr|figure|figcaption|section|article)$/
const silent = /^(?:script|style|noscript|template)$/
const maxCharacters = 200_000

/** Returns the text in one line. */
export function textOfHtml(html: string): string {
  let text = ''
  let silentDepth = 0
  const hidden: boolean[] = []
  const parser = new Parser({
    onopentag(name, attributes) {
      if (blocks.test(name)) text += ' '
      const isHidden =
        silent.test(name) ||
        /\binvisible\b/.test(attributes['class'] ?? '') ||
        /display:\s*none/.test(attributes['style'] ?? '')
      hidden.push(isHidden)
      if (isHidden) silentDepth += 1
    },
    ontext(part) {
      if (silentDepth === 0) text += part
    },
    onclosetag(name) {
      if (hidden.pop()) silentDepth -= 1
      if (blocks.test(name)) text += ' '
    },
  })
  parser.write(html.slice(0, maxCharacters))
  parser.end()
  return text.replaceAll(/\s+/gu, ' ').trim()
}

export type ShownInHtml = {
  readonly url: string
  readonly kind: 'image' | 'video'
  readonly alt: string | null
  readonly poster: string | null
  /** The size in the layout, which may be smaller than the file's. */
  readonly width: number | null
  readonly height: number | null
}

const maxShown = 100

/** Returns pictures and videos in document order. */
export function mediaInHtml(html: string): ShownInHtml[] {
  const found: ShownInHtml[] = []
  let poster: string | null = null
  const add = (kind: ShownInHtml['kind'], url: string | undefined, attributes: Attributes) => {
    if (!url || found.length >= maxShown) return
    found.push({
      url: url.trim(),
      kind,
      alt: attributes['alt']?.trim() || null,
      poster: kind === 'video' ? poster : null,
      width: pixelsOf(attributes['width']),
      height: pixelsOf(attributes['height']),
    })
  }
  const parser = new Parser({
    onopentag(name, attributes) {
      if (name === 'img') add('image', attributes['src'] ?? attributes['data-src'], attributes)
      if (name === 'video') {
        poster = attributes['poster'] ?? null
        add('video', attributes['src'], attributes)
      }
      if (name === 'source' && (attributes['type'] ?? '').startsWith('video/'))
        add('video', attributes['src'], attributes)
    },
  })
  parser.write(html.slice(0, maxCharacters))
  parser.end()
  return found
}

type Attributes = Readonly<Record<string, string>>

function pixelsOf(text: string | undefined): number | null {
  const [, digits] = /^\s*(\d{1,5})(?:px)?\s*$/.exec(text ?? '') ?? []
  return digits === undefined ? null : Number(digits)
}
