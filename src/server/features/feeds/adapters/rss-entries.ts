/**
 * Parses RSS, Atom, RDF and JSON Feed into entries of one type. XML with own declarations is refused
 * before parsing: a feed needs only XML's built-in entities.
 */
import { parseFeed } from 'feedsmith'
import { z } from 'zod'
import { hasTooManyParts } from '../../../platform/json-parts.ts'
import { FeedUnavailable } from '../feed-source.ts'
import { lenient } from '../reading/lenient-shapes.ts'
import { refuseLargeXml } from '../reading/xml-bounds.ts'

/** Only the first entries of a feed are read. */
const maxEntries = 500
const maxNamedMedia = 100

export type FeedEntry = {
  readonly id: string
  readonly link: string | null
  /** May be HTML. */
  readonly title: string
  readonly author: string
  readonly time: string
  /** The base URL of relative URLs in it. */
  readonly base: string
  readonly html: string
  /** Pictures and videos that the entry declares. Those of one group are sizes of the same picture. */
  readonly named: readonly NamedMedia[]
}

export type NamedMedia = {
  readonly url: string
  readonly type: string | null
  readonly medium: string | null
  readonly width: number | null
  readonly height: number | null
  readonly alt: string | null
  readonly thumbnail: string | null
  readonly isAdult: boolean
  readonly group: string | null
}

export type ReadFeed = {
  readonly entries: readonly FeedEntry[]
  /** The site's icons, which do not belong to an entry. */
  readonly signs: ReadonlySet<string>
}

/** Rejects with `FeedUnavailable` when the text is not a feed. */
export function readFeed(text: string, url: string): ReadFeed {
  const parsed = parse(text)
  const feed = feedShape.parse(parsed)
  const feedBase = resolve(feed.xml?.base, url) ?? url
  const entries = [...(feed.items ?? []), ...(feed.entries ?? [])].flatMap((item) => {
    const entry = entryShape.safeParse(item).data
    return entry ? [entryOf(entry, feed, feedBase)] : []
  })
  return {
    entries,
    signs: new Set([feed.icon, feed.favicon].filter((sign) => typeof sign === 'string')),
  }
}

function parse(text: string): unknown {
  if (/^\s*(?:<!doctype html|<html|<head|<body)/i.test(text))
    throw unreadable('there is no feed at this address, but a web page')
  if (!/^\s*\{/.test(text)) refuseHostileXml(text)
  else if (hasTooManyParts(Buffer.from(text)))
    throw unreadable('it has more values than can be read')
  try {
    return parseFeed(text, { maxItems: maxEntries }).feed
  } catch (error) {
    throw unreadable('there is no feed at this address', error)
  }
}

function refuseHostileXml(text: string): void {
  if (/<!(?:DOCTYPE|ENTITY)/i.test(text))
    throw unreadable('its XML declares entities, which are not supported')
  refuseLargeXml(text)
}

function unreadable(words: string, cause?: unknown): FeedUnavailable {
  return new FeedUnavailable('unreadable', words, { words, cause })
}

const text = lenient(z.string())
const number = lenient(z.number())
/** Texts of Atom have a value and a type. */
const words = lenient(
  z.union([z.string(), z.object({ value: z.string() }).transform(({ value }) => value)]),
)
const texts = lenient(z.array(z.object({ value: lenient(z.string()) })))
const xml = lenient(z.object({ base: text }))
const authors = lenient(
  z.array(
    z.union([
      z.string().transform((name) => ({ name, email: null })),
      z.object({ name: text, email: text }),
    ]),
  ),
)

const content = z.object({
  url: z.string(),
  type: text,
  medium: text,
  width: number,
  height: number,
  description: words,
  thumbnails: lenient(z.array(z.object({ url: z.string() }))),
  ratings: texts,
})
type Content = z.infer<typeof content>

const mediaShape = lenient(
  z.object({
    contents: lenient(z.array(content)),
    thumbnails: lenient(z.array(z.object({ url: z.string() }))),
    groups: lenient(z.array(z.object({ contents: lenient(z.array(content)), description: words }))),
  }),
)

const entryShape = z.object({
  id: text,
  guid: words,
  link: text,
  links: lenient(z.array(z.object({ href: text, rel: text, type: text }))),
  url: text,
  title: words,
  description: words,
  summary: words,
  content: lenient(z.union([z.string(), z.object({ value: text, encoded: text })])),
  content_html: text,
  image: text,
  pubDate: text,
  published: text,
  updated: text,
  date_published: text,
  authors,
  author: lenient(z.object({ name: text, email: text })),
  dc: lenient(
    z.object({ creators: lenient(z.array(z.string())), dates: lenient(z.array(z.string())) }),
  ),
  enclosures: lenient(z.array(z.object({ url: z.string(), type: text }))),
  attachments: lenient(z.array(z.object({ url: z.string(), mime_type: text }))),
  media: mediaShape,
  feedburner: lenient(z.object({ origLink: text })),
  xml,
})
type Entry = z.infer<typeof entryShape>

const feedShape = z.object({
  items: lenient(z.array(z.unknown())),
  entries: lenient(z.array(z.unknown())),
  link: text,
  authors,
  icon: text,
  favicon: text,
  xml,
})
type Feed = z.infer<typeof feedShape>

function entryOf(entry: Entry, feed: Feed, feedBase: string): FeedEntry {
  const isXml = entry.links !== undefined && entry.links !== null
  const base = resolve(entry.xml?.base, feedBase) ?? feedBase
  const page = entry.links?.find(
    ({ rel }) => rel === null || rel === undefined || rel === 'alternate',
  )
  const link = resolve(entry.link ?? entry.url ?? page?.href, base)
  const { content: body } = entry
  const inner = typeof body === 'string' ? body : (body?.encoded ?? body?.value)
  return {
    id: entry.guid ?? entry.id ?? link ?? '',
    link,
    title: entry.title || entry.description || entry.summary || inner || '',
    author: authorOf(entry, feed),
    time:
      entry.pubDate ??
      entry.published ??
      entry.date_published ??
      entry.dc?.dates?.[0] ??
      entry.updated ??
      '',
    // RSS has no base URL; relative URLs are resolved against the entry's page.
    base: isXml ? base : (link ?? resolve(feed.link, feedBase) ?? base),
    html: [inner, entry.content_html, entry.description, entry.summary].filter(Boolean).join('\n'),
    named: namedOf(entry).slice(0, maxNamedMedia),
  }
}

function authorOf({ dc, authors, author }: Entry, feed: Feed): string {
  const [first] = [...(authors ?? []), ...(author ? [author] : [])]
  const [ofFeed] = feed.authors ?? []
  return dc?.creators?.[0] ?? first?.name ?? first?.email ?? ofFeed?.name ?? ''
}

function namedOf(entry: Entry): NamedMedia[] {
  const thumbnail = entry.media?.thumbnails?.[0]?.url ?? null
  const groups = entry.media?.groups ?? []
  return [
    ...(entry.media?.contents ?? []).map((item) => namedContent(item, thumbnail)),
    ...groups.flatMap(({ contents, description }, index) =>
      (contents ?? []).map((item) => ({
        ...namedContent(item, thumbnail),
        group: `group ${index}`,
        alt: item.description ?? description ?? null,
      })),
    ),
    ...(entry.enclosures ?? []).map(({ url, type }) => plainMedia(url, type)),
    ...(entry.links ?? []).flatMap(({ href, rel, type }) =>
      rel === 'enclosure' && href ? [plainMedia(href, type)] : [],
    ),
    ...(entry.attachments ?? []).map(({ url, mime_type: type }) => plainMedia(url, type)),
    ...(entry.image ? [plainMedia(entry.image, null)] : []),
  ]
}

function namedContent(item: Content, thumbnail: string | null): NamedMedia {
  const own = item.thumbnails?.[0]?.url ?? thumbnail
  const isAdult = (item.ratings ?? []).some(({ value }) => value === 'adult')
  return {
    url: item.url,
    type: item.type ?? null,
    medium: item.medium ?? null,
    width: item.width ?? null,
    height: item.height ?? null,
    alt: item.description ?? null,
    thumbnail: own,
    isAdult,
    group: null,
  }
}

function plainMedia(url: string, type: string | null | undefined): NamedMedia {
  const unknown = { medium: null, width: null, height: null, alt: null, thumbnail: null }
  return { url, type: type ?? null, ...unknown, isAdult: false, group: null }
}

function resolve(address: string | null | undefined, base: string): string | null {
  return address ? (URL.parse(address.trim(), base)?.href ?? null) : null
}
