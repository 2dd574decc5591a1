/** Creates slides for the editor from vault files, feed posts and addresses. */
import { nameIn } from '../../file-name.ts'
import type { VaultFile } from '../../uploads/page-uploads.ts'
import type { EditedSlide, FeedPost } from './slides.ts'

let made = 0

/** Uses the date of the upload to the vault, unless the file was uploaded just now. */
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

/** Returns a copy with the same picture and caption under a new key. */
export function copyOf(slide: EditedSlide): EditedSlide {
  return { ...slide, key: blank().key }
}

/** Reads one address per line. Returns the line numbers of invalid lines. */
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

/** Guesses the type from the extension, as the server does until it has fetched the file. */
function typeOf(url: string): EditedSlide['type'] {
  const path = URL.parse(url, window.location.origin)?.pathname.toLowerCase() ?? ''
  if (path.endsWith('.gif')) return 'gif'
  return /\.(mp4|webm|mov|m4v)$/.test(path) ? 'video' : 'image'
}
