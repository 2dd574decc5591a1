/** Shares the slides of a session among its subfeeds, so that no subfeed dominates. */
import type { FeedMedia } from './feed-source.ts'
import { normaliseMediaUrl } from './media-url.ts'

/**
 * Alternates between subfeeds, each in its own order, without duplicates. When not all fit, every post
 * gets its first picture before any gallery gets its second.
 */
export function spreadFairly(
  perSubfeed: readonly (readonly FeedMedia[])[],
  max: number,
): FeedMedia[] {
  return interleave(choose(perSubfeed, max))
}

/** Selects the media that fit, by subfeed and in its order. */
function choose(perSubfeed: readonly (readonly FeedMedia[])[], max: number): FeedMedia[][] {
  const seen = new Set<string>()
  const queues = perSubfeed.map((media) => firstPicturesFirst(media).values())
  const chosen = perSubfeed.map(() => new Set<FeedMedia>())
  let left = max
  for (let someTook = true; someTook && left > 0;) {
    someTook = false
    for (const [subfeed, queue] of queues.entries()) {
      if (left <= 0) break
      const next = nextUnseen(queue, seen)
      if (!next) continue
      chosen[subfeed]?.add(next)
      someTook = true
      left--
    }
  }
  return perSubfeed.map((media, subfeed) => inOrder(media, chosen[subfeed] ?? new Set()))
}

/** Takes the first of each subfeed, then the second of each, and so on. */
function interleave(perSubfeed: readonly (readonly FeedMedia[])[]): FeedMedia[] {
  const turns = Math.max(0, ...perSubfeed.map(({ length }) => length))
  return Array.from({ length: turns }, (_, turn) =>
    perSubfeed.flatMap((media) => media.slice(turn, turn + 1)),
  ).flat()
}

function firstPicturesFirst(media: readonly FeedMedia[]): FeedMedia[] {
  const takenOfPost = new Map<string, number>()
  const ranked = media.map((item) => {
    const rank = takenOfPost.get(item.postId) ?? 0
    takenOfPost.set(item.postId, rank + 1)
    return { item, rank }
  })
  // Sorting is stable, so posts keep their order within a rank.
  return ranked.sort((a, b) => a.rank - b.rank).map(({ item }) => item)
}

function nextUnseen(queue: Iterator<FeedMedia>, seen: Set<string>): FeedMedia | null {
  for (let next = queue.next(); !next.done; next = queue.next()) {
    const key = normaliseMediaUrl(next.value.mediaUrl)
    if (seen.has(key)) continue
    seen.add(key)
    return next.value
  }
  return null
}

/**
 * Returns the chosen media in list order. A list may contain the same object twice; it is returned once.
 */
function inOrder(media: readonly FeedMedia[], chosen: ReadonlySet<FeedMedia>): FeedMedia[] {
  return [...new Set(media)].filter((item) => chosen.has(item))
}
