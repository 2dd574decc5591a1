/**
 * Converts media of remote sites to `FeedMedia`: checks URLs, makes texts storable, rounds numbers. Media
 * that cannot be shown are dropped. All remote media pass through here.
 */
import type { FeedMedia, Licence } from './feed-source.ts'
import { knownMediaType, readMediaUrl } from './media-url.ts'

/** The facts of a post, which apply to all its media. */
export type PostFacts = {
  postId: string
  postUrl: string
  title: string
  author: string
  subfeed: string
  score: number
  commentCount: number
  createdAtUnixS: number
  nsfw: boolean
  spoiler: boolean
  licence?: Licence | null | undefined
  /** The name to credit when there is no author. */
  attribution?: string
}

/** The facts of one medium of a post. */
export type MediaFacts = {
  url: string
  /** Derived from the URL if the remote site does not name it. If still unknown, it is not media. */
  type?: FeedMedia['type'] | null | undefined
  thumbnail?: string | null | undefined
  width?: number | null | undefined
  height?: number | null | undefined
  alt?: string | null | undefined
  focus?: FeedMedia['focus'] | undefined
  /** Set for this one only, when the whole post is not adult. */
  nsfw?: boolean | undefined
  licence?: Licence | null | undefined
}

/**
 * Returns null for media that cannot be shown. `allow` is FETCH_ALLOW: private hosts that URLs may lead
 * to.
 */
export function normaliseMedia(
  post: PostFacts,
  media: MediaFacts,
  allow: readonly string[] = [],
): FeedMedia | null {
  const mediaUrl = readMediaUrl(media.url, allow)
  const type = media.type ?? (mediaUrl === null ? null : knownMediaType(mediaUrl))
  if (mediaUrl === null || type === null) return null
  const width = pixels(media.width)
  const height = pixels(media.height)
  return {
    postId: plainText(post.postId, 100),
    postUrl: readMediaUrl(post.postUrl, allow) ?? mediaUrl,
    title: plainText(post.title, 300),
    author: plainText(post.author, 300),
    subfeed: plainText(post.subfeed, 300).toLowerCase(),
    mediaUrl,
    thumbnail: readMediaUrl(media.thumbnail, allow),
    type,
    // One side is useless without the other.
    width: height === null ? null : width,
    height: width === null ? null : height,
    score: wholeNumber(post.score),
    commentCount: Math.max(0, wholeNumber(post.commentCount)),
    createdAtUnixS: Math.max(0, wholeNumber(post.createdAtUnixS)),
    nsfw: post.nsfw || media.nsfw === true,
    spoiler: post.spoiler,
    alt: plainText(media.alt ?? '', 2000) || null,
    licence: readLicence(media.licence ?? post.licence ?? null),
    ...(post.attribution && { attribution: plainText(post.attribution, 300) }),
    focus: media.focus ?? null,
    source: null,
  }
}

function readLicence(licence: Licence | null): Licence | null {
  const name = plainText(licence?.name ?? '', 100)
  return licence && name !== '' ? { name, url: readMediaUrl(licence.url) } : null
}

/**
 * Returns the text in one line, without control characters and lone surrogates, which a database refuses.
 */
export function plainText(text: string, maxCharacters: number): string {
  const line = text
    .replaceAll(/[\p{Cc}\s]+/gu, ' ')
    .trim()
    .slice(0, maxCharacters)
  return line.toWellFormed()
}

/** Returns 0 for a missing or invalid time. */
export function unixSeconds(time: string | null | undefined): number {
  const stamp = Date.parse(time ?? '')
  return Number.isNaN(stamp) ? 0 : stamp / 1000
}

function pixels(value: number | null | undefined): number | null {
  const size = wholeNumber(value ?? 0)
  return size > 0 && size <= 100_000 ? size : null
}

function wholeNumber(value: number): number {
  const whole = Math.floor(value)
  return Number.isSafeInteger(whole) ? whole : 0
}
