/** Extracts pictures and videos from feed entries: declared media first, then media in the HTML. */
import { isUtf8 } from 'node:buffer'
import { sha256 } from '../../../platform/signature.ts'
import type { FeedMedia } from '../feed-source.ts'
import { knownMediaType } from '../media-url.ts'
import type { MediaFacts } from '../normalise-media.ts'
import { normaliseMedia, unixSeconds } from '../normalise-media.ts'
import type { ShownInHtml } from './html-text.ts'
import { mediaInHtml, textOfHtml } from './html-text.ts'
import type { FeedEntry, NamedMedia } from './rss-entries.ts'
import { readFeed } from './rss-entries.ts'

/** Smaller pictures are icons, avatars and tracking pixels. */
const smallestSide = 100
/** The limit for one feed. Beyond it, each entry keeps one medium. */
const maxMedia = 2000

/** Returns a list of media for each entry. Rejects with `FeedUnavailable`. */
export function readFeedPosts(
  text: string,
  url: string,
  allow: readonly string[] = [],
): FeedMedia[][] {
  const { entries, signs } = readFeed(text, url)
  const shown = entries.map((entry) => ({
    entry,
    inHtml: mediaInHtml(entry.html).flatMap((item) => inHtmlOf(item, entry.base)),
  }))
  const repeated = repeatedAcross(shown.map(({ inHtml }) => inHtml))
  let count = 0
  return shown.map(({ entry, inHtml }) => {
    const named = namedMedia(entry).filter(({ url }) => !signs.has(url))
    const rest = inHtml.filter(({ url }) => !signs.has(url) && !repeated.has(url))
    const facts = {
      postId: entry.id.length > 100 ? sha256(entry.id).toString('hex') : entry.id,
      postUrl: entry.link ?? url,
      title: textOfHtml(entry.title),
      author: textOfHtml(entry.author),
      subfeed: '',
      score: 0,
      commentCount: 0,
      createdAtUnixS: unixSeconds(entry.time),
      nsfw: false,
      spoiler: false,
    }
    const found = onePerFile([...named, ...rest]).slice(0, Math.max(1, maxMedia - count))
    count += found.length
    return found.flatMap((item) => normaliseMedia(facts, item, allow) ?? [])
  })
}

/**
 * Decodes with the encoding of the byte order mark, of the server or of the XML declaration, in this
 * order. Else with UTF-8, or with windows-1252 (as browsers do) when the bytes are not UTF-8.
 */
export function decodeFeed(bytes: Buffer, contentType: string | undefined): string {
  const head = bytes.subarray(0, 200).toString('latin1')
  const [, declared] = /<\?[a-z][^<>]*\bencoding=["']([\w.:-]{1,40})["']/i.exec(head) ?? []
  const [, said] = /charset=["']?([\w.:-]{1,40})/i.exec(contentType ?? '') ?? []
  for (const label of [byteOrderOf(bytes), said, declared]) {
    const decoder = label === undefined ? null : decoderOf(label)
    if (decoder) return decoder.decode(bytes)
  }
  return new TextDecoder(isUtf8(bytes) ? 'utf-8' : 'windows-1252').decode(bytes)
}

function byteOrderOf(bytes: Buffer): string | undefined {
  if (bytes[0] === 0xef && bytes[1] === 0xbb) return 'utf-8'
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return 'utf-16le'
  return bytes[0] === 0xfe && bytes[1] === 0xff ? 'utf-16be' : undefined
}

function decoderOf(label: string) {
  try {
    return new TextDecoder(label)
  } catch {
    return null
  }
}

type Found = MediaFacts & { readonly group?: string | null }

function namedMedia(entry: FeedEntry): Found[] {
  const usable = entry.named.flatMap((item): (Found & { width: number | null })[] => {
    const url = URL.parse(item.url.trim(), entry.base)?.href
    const type = url === undefined ? null : typeOf(item, url)
    if (url === undefined || type === null || isSmall(item) || isStillOfAPage(url)) return []
    const { width, height, alt, thumbnail, isAdult, group } = item
    return [
      { url, type, width, height, alt: alt && textOfHtml(alt), thumbnail, nsfw: isAdult, group },
    ]
  })
  // Entries whose widths differ only in the URL's query are sizes of the same picture.
  const sizes = Map.groupBy(
    usable,
    ({ url, width, group }) => group ?? (width === null ? url : url.replace(/\?.*$/s, '')),
  )
  return [...sizes.values()].flatMap((same) => {
    const byWidth = same.toSorted((one, other) => (other.width ?? 0) - (one.width ?? 0))
    const [widest] = byWidth
    const narrowest = byWidth.at(-1)
    if (!widest) return []
    const thumbnail = widest.thumbnail ?? (narrowest !== widest ? (narrowest?.url ?? null) : null)
    return { ...widest, thumbnail }
  })
}

function inHtmlOf(item: ShownInHtml, base: string): Found[] {
  const url = URL.parse(item.url, base)?.href
  if (url === undefined || isSmall(item) || isStillOfAPage(url)) return []
  // Without a file extension it may be a tracking pixel, unless it has a large layout size.
  const isLarge = (item.width ?? 0) >= smallestSide && (item.height ?? 0) >= smallestSide
  const type = knownMediaType(url) ?? (isLarge ? item.kind : null)
  return type === null ? [] : [{ url, type, thumbnail: item.poster, alt: item.alt }]
}

function typeOf({ type, medium }: NamedMedia, url: string): FeedMedia['type'] | null {
  const kind = type?.toLowerCase().split(';')[0]?.trim() ?? ''
  if (kind === 'image/gif') return 'gif'
  if (/^image\/(?:jpe?g|pjpeg|png|webp|avif)$/.test(kind)) return 'image'
  if (kind === 'video/mp4' || kind === 'video/webm') return 'video'
  // Slides cannot show any other type.
  if (kind !== '') return null
  return knownMediaType(url) ?? (medium === 'image' ? 'image' : null)
}

function isSmall({ width, height }: { width: number | null; height: number | null }): boolean {
  return (width ?? smallestSide) < smallestSide || (height ?? smallestSide) < smallestSide
}

/** True for the preview image of a YouTube page, which is useless without the video. */
function isStillOfAPage(url: string): boolean {
  return /(?:^|\.)(?:ytimg\.com|img\.youtube\.com)$/.test(URL.parse(url)?.hostname ?? '')
}

/** Returns URLs that occur more than once: these are decoration. */
function repeatedAcross(lists: readonly (readonly Found[])[]): Set<string> {
  const seen = new Set<string>()
  const repeated = new Set<string>()
  for (const { url } of lists.flat()) (seen.has(url) ? repeated : seen).add(url)
  return repeated
}

/**
 * Removes copies of a picture: 'name-400x225.jpg' is a smaller 'name.jpg'. Declared media win, but take
 * the description from the HTML if they have none.
 */
function onePerFile(found: readonly Found[]): Found[] {
  const files = new Map<string, Found>()
  for (const item of found) {
    const key = item.url.replace(/-\d{2,5}x\d{2,5}(?=\.\w+(?:\?|$))/, '')
    const first = files.get(key)
    files.set(key, first ? { ...first, alt: first.alt ?? item.alt } : item)
  }
  return [...files.values()]
}
