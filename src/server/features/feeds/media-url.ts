/**
 * Normalises media URLs. One picture has many URLs (escaped, scaled, signed, proxied, with tracking
 * parameters); comparing normalised URLs shows it once. The type of a file is derived from its URL.
 */
import { refuseUrl } from '../../platform/fetch/user-url.ts'
import type { FeedMedia } from './feed-source.ts'

type MediaType = FeedMedia['type']

/**
 * Returns a key that is equal for all URLs of one picture. It is for comparison, not for fetching. A text
 * that is no http(s) URL is returned unchanged, apart from escapes.
 */
export function normaliseMediaUrl(text: string): string {
  const spelling = unescapeAmpersands(text.trim())
  const url = withoutProxies(URL.parse(spelling))
  if (!url || !isWeb(url)) return spelling
  url.protocol = 'https:'
  if (url.port === '80') url.port = ''
  url.username = ''
  url.password = ''
  url.hash = ''
  if (url.hostname.endsWith('.')) url.hostname = url.hostname.slice(0, -1)
  return canonicalUrl(url) ?? withoutRidingParameters(url).href
}

/** Returns the media URL of a feed when it is safe to fetch and show, or null. */
export function readMediaUrl(
  text: string | null | undefined,
  allow: readonly string[] = [],
): string | null {
  if (!text || text.length > maxUrlCharacters) return null
  const spelling = unescapeAmpersands(text.trim())
  // A URL from a stranger must not lead to a private address, unless FETCH_ALLOW allows it.
  if (refuseUrl(spelling, allow) !== null) return null
  const url = URL.parse(spelling)
  if (!url) return null
  if (isGifv(url)) {
    url.hostname = 'i.imgur.com'
    url.pathname = url.pathname.replace(/\.gifv$/i, '.mp4')
  }
  const page = imgurPage(url)
  if (page !== null) return `https://i.imgur.com/${page}.jpg`
  return url.href
}

/** Returns the type of the file at a URL: a picture when the URL does not show it. */
export function mediaTypeOf(url: string): MediaType {
  return knownMediaType(url) ?? 'image'
}

/** Returns the type of the file at a URL, or null when it may be a page. */
export function knownMediaType(text: string): MediaType | null {
  const spelling = unescapeAmpersands(text.trim())
  // A path without an origin is a file of this site.
  const base = spelling.startsWith('/') ? 'http://localhost' : undefined
  const url = withoutProxies(URL.parse(spelling, base))
  if (!url || !isWeb(url)) return null
  if (isGifv(url)) return 'video'
  if (imgurPage(url) !== null) return 'image'
  // Image servers convert files to this format: 'x.gif?format=mp4' is a video.
  const format = url.searchParams.get('format')?.toLowerCase() ?? ''
  return typeOfExtension.get(format) ?? typeOfExtension.get(extensionOf(url)) ?? null
}

const maxUrlCharacters = 4000

const typeOfExtension = new Map<string, MediaType>([
  ...['jpg', 'jpeg', 'jfif', 'pjpg', 'png', 'png8', 'webp', 'avif'].map(
    (name): [string, MediaType] => [name, 'image'],
  ),
  ['gif', 'gif'],
  ['mp4', 'video'],
  ['webm', 'video'],
])

// Parameters that track where a visitor is from.
const trackingParameter =
  /^(?:utm_.*|fbclid|gclid|igshid|mc_[ce]id|ref|ref_src|ref_url|share_id|rdt)$/

// Parameters that scale, crop or convert the file.
const shapeParameter =
  /^(?:width|height|w|h|size|max_size|thumbnail|crop|fit|dpr|quality|auto|format|file_type)$/

/** Normalises URLs of sites whose URL formats are known. */
function canonicalUrl(url: URL): string | null {
  const { hostname, pathname } = url
  if (hostname === 'i.redd.it' || hostname === 'preview.redd.it') {
    // A preview may carry the title before the name: '/some-words-v0-abc123.jpeg'.
    const [, name = '', ...more] = pathname.split('/')
    const file = more.length === 0 ? name.split(/-v\d-/).at(-1) : null
    return `https://i.redd.it${file ? `/${file}` : pathname}`
  }
  if (hostname === 'external-preview.redd.it') return `https://${hostname}${pathname}`
  if (hostname === 'v.redd.it') {
    // One video has several sizes and containers.
    const [, id] = pathname.split('/')
    return `https://v.redd.it/${id ?? ''}`
  }
  const page = imgurPage(url)
  if (page !== null) return `https://i.imgur.com/${page}.jpg`
  const imgur = isImgur(url) ? /^\/([a-z0-9]+)\.([a-z0-9]+)$/i.exec(pathname) : null
  if (imgur) return `https://i.imgur.com/${imgurFile(imgur[1] ?? '', imgur[2] ?? '')}`
  return null
}

/** Imgur serves each picture under any extension, and thumbnails with one more letter in the name. */
function imgurFile(name: string, extension: string): string {
  const id = /^(?:\w{5}|\w{7})[sbtmlh]$/.test(name) ? name.slice(0, -1) : name
  const moves = /^(?:gifv?|mp4|webm)$/i.test(extension)
  return `${id}.${moves ? 'mp4' : 'jpg'}`
}

function withoutRidingParameters(url: URL): URL {
  // Without a file extension, these parameters may select the picture.
  const isFile = typeOfExtension.has(extensionOf(url))
  const kept = [...url.searchParams].filter(
    ([name]) => !trackingParameter.test(name) && !(isFile && shapeParameter.test(name)),
  )
  const query = new URLSearchParams(kept)
  query.sort()
  // Set all at once, because each change of `searchParams` serialises the whole URL again.
  url.search = query.toString()
  return url
}

/** Lemmy proxies pictures of other servers: at /api/v3 in 0.19, at /api/v4 in 1.0. */
const proxyPath = /^\/api\/(?:v3\/image_proxy|v4\/image\/proxy)$/
/** A server may proxy a URL that is a proxy already. Limits how often nested URLs are parsed. */
const maxProxies = 3

function withoutProxies(url: URL | null): URL | null {
  let shown = url
  for (let proxies = 0; proxies < maxProxies; proxies++) {
    if (!shown || !isWeb(shown) || !proxyPath.test(shown.pathname)) break
    const inner = URL.parse(unescapeAmpersands(shown.searchParams.get('url') ?? ''))
    if (!inner || !isWeb(inner)) break
    shown = inner
  }
  return shown
}

function extensionOf({ pathname }: URL): string {
  return /\.([a-z0-9]+)$/i.exec(pathname)?.[1]?.toLowerCase() ?? ''
}

function isWeb({ protocol }: URL): boolean {
  return protocol === 'http:' || protocol === 'https:'
}

function isImgur({ hostname }: URL): boolean {
  return hostname === 'imgur.com' || hostname.endsWith('.imgur.com')
}

/** Returns the name of a single picture's page, which its file has too. Albums and galleries yield null. */
function imgurPage(url: URL): string | null {
  if (!/^(?:www\.|m\.)?imgur\.com$/.test(url.hostname)) return null
  return /^\/([a-z0-9]{5}|[a-z0-9]{7})$/i.exec(url.pathname)?.[1] ?? null
}

/** Imgur's '.gifv' is a page around the video of that name. */
function isGifv(url: URL): boolean {
  return isImgur(url) && extensionOf(url) === 'gifv'
}

/** Reddit escapes its JSON for HTML by default, and pasted text may be escaped twice. */
function unescapeAmpersands(text: string): string {
  return text.replaceAll(/&(?:amp;)+/gi, '&')
}
