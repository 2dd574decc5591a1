/** A feed whose posts and failures a test sets. */
import type { FeedMedia, FeedSource } from '../../src/server/features/feeds/feed-source.ts'
import { FeedUnavailable } from '../../src/server/features/feeds/feed-source.ts'

export type FakeFeed = FeedSource & {
  /** The number of requested lists. */
  asked: number
  put(subfeed: string, media: readonly FeedMedia[]): void
  fail(subfeed: string, reason: FeedUnavailable['reason']): void
  reset(): void
}

export function createFakeFeed(): FakeFeed {
  const posts = new Map<string, readonly FeedMedia[]>()
  const failures = new Map<string, FeedUnavailable['reason']>()
  const feed: FakeFeed = {
    name: 'demo',
    asked: 0,
    put: (subfeed, media) => void posts.set(subfeed, media),
    fail: (subfeed, reason) => void failures.set(subfeed, reason),
    reset() {
      feed.asked = 0
      posts.clear()
      failures.clear()
    },
    async list({ subfeed, limit, after }) {
      feed.asked += 1
      refuse(failures.get(subfeed) ?? failures.get('*'))
      const all = posts.get(subfeed) ?? pictures(subfeed, 40)
      const start = Number(after ?? 0)
      const media = all.slice(start, start + limit)
      const next = start + media.length
      return { media, after: next < all.length ? String(next) : null }
    },
    async search({ query, limit }) {
      refuse(failures.get('*'))
      const all = [...posts.values()].flat()
      return all.filter(({ title }) => title.includes(query)).slice(0, limit)
    },
  }
  return feed
}

export function pictures(
  subfeed: string,
  count: number,
  change: Partial<FeedMedia> = {},
): FeedMedia[] {
  return Array.from({ length: count }, (_, index) => ({
    postId: `${subfeed}-${index}`,
    postUrl: `https://site.example/${subfeed}/${index}`,
    title: `Picture ${index} of ${subfeed}`,
    author: 'someone',
    subfeed,
    mediaUrl: `https://pictures.example/${subfeed}/${index}.jpg`,
    thumbnail: `https://pictures.example/${subfeed}/${index}-small.jpg`,
    type: 'image' as const,
    width: 1200,
    height: 800,
    score: 100 - index,
    commentCount: index,
    createdAtUnixS: 1_700_000_000 + index,
    nsfw: false,
    spoiler: false,
    alt: null,
    licence: null,
    focus: null,
    source: null,
    ...change,
  }))
}

function refuse(reason: FeedUnavailable['reason'] | undefined): void {
  if (reason) throw new FeedUnavailable(reason, 'the test said so')
}
