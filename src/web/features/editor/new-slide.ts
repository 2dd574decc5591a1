/** Makes slides for the editor of what was found in the vault, in a feed or behind an address. */
import type { client } from '../../api.ts'
import type { EditedSlide, FeedPost } from './slides.ts'

export type VaultFile = Awaited<ReturnType<typeof client.vault.list>>['files'][number]

let made = 0

export function slideOfFile(file: VaultFile): EditedSlide {
  const [thumbnail] = file.thumbnails.toSorted((one, other) => one.width - other.width)
  return {
    ...blank(),
    source: { kind: 'vault', mediaId: file.id },
    mediaUrl: file.url,
    thumbnail: thumbnail?.url ?? null,
    type: file.type,
  }
}

export function slideOfPost(post: FeedPost): EditedSlide {
  return {
    ...blank(),
    source: { kind: 'feed', post },
    mediaUrl: post.media_url,
    thumbnail: post.thumbnail,
    type: post.is_video ? 'video' : typeOf(post.media_url),
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
  }
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
  return /^https?:\/\/[^\s/]+\S*$/i.test(line) && URL.canParse(line)
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
