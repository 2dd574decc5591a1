/** Makes slides for the editor of what was found in the vault, in a feed or behind an address. */
import { nameIn } from '../../file-name.ts'
import type { VaultFile } from '../../uploads/page-uploads.ts'
import type { EditedSlide, FeedPost } from './slides.ts'

let made = 0

/** A file that was not brought just now has the date on which it came into the vault. */
export function slideOfFile(
  file: VaultFile,
  takenAtMs = Date.parse(file.lastModified),
): EditedSlide {
  const [thumbnail] = file.thumbnails.toSorted((one, other) => one.width - other.width)
  return {
    ...blank(),
    source: { kind: 'vault', mediaId: file.id },
    mediaUrl: file.url,
    thumbnail: thumbnail?.url ?? null,
    type: file.type,
    name: file.originalName,
    takenAtMs,
  }
}

export function slideOfPost(post: FeedPost): EditedSlide {
  return {
    ...blank(),
    source: { kind: 'feed', post },
    mediaUrl: post.media_url,
    thumbnail: post.thumbnail,
    type: post.is_video ? 'video' : typeOf(post.media_url),
    name: nameIn(post.media_url),
    takenAtMs: post.created_utc > 0 ? post.created_utc * 1000 : null,
    subfeed: post.subfeed,
    postUrl: post.url,
  }
}

export function slideOfAddress(mediaUrl: string): EditedSlide {
  return {
    ...blank(),
    source: { kind: 'address' },
    mediaUrl,
    thumbnail: null,
    type: typeOf(mediaUrl),
    name: nameIn(mediaUrl),
    takenAtMs: null,
  }
}

/** The same picture once more, with its words. */
export function copyOf(slide: EditedSlide): EditedSlide {
  return { ...slide, key: blank().key }
}

/** One address a line; those that are none are given back with the number of their line. */
export function readAddresses(text: string): {
  readonly addresses: readonly string[]
  readonly wrongLines: readonly number[]
} {
  const lines = text.split('\n').map((line) => line.trim())
  return {
    addresses: lines.filter(isAddress),
    wrongLines: lines.flatMap((line, index) => (line === '' || isAddress(line) ? [] : index + 1)),
  }
}

function isAddress(line: string): boolean {
  return /^https?:\/\/[^\s/]\S*$/i.test(line) && URL.canParse(line)
}

function blank() {
  made += 1
  return { key: `new-${made}`, caption: '', durationMs: null, subfeed: null, postUrl: null }
}

/** By its spelling, as the server does until it has looked. */
function typeOf(url: string): EditedSlide['type'] {
  const path = URL.parse(url, window.location.origin)?.pathname.toLowerCase() ?? ''
  if (path.endsWith('.gif')) return 'gif'
  return /\.(mp4|webm|mov|m4v)$/.test(path) ? 'video' : 'image'
}
