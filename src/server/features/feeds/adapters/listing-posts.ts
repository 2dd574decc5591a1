/** Parses a listing of Reddit or Lemmy with the same code as the feeds. */
import type { FeedMedia } from '../feed-source.ts'
import type { PostFacts } from '../normalise-media.ts'
import { readLemmyListing } from './lemmy-posts.ts'
import { readRedditListing } from './reddit-posts.ts'

export type ListedPosts = {
  readonly posts: readonly { readonly facts: PostFacts; readonly media: readonly FeedMedia[] }[]
  readonly unreadableCount: number
}

/** The limit of an import, several times the size of a session. Beyond it, each post keeps one medium. */
const maxMedia = 2000

/** Returns null when it is not a listing of Reddit or Lemmy. */
export function readListing(listing: unknown, allow: readonly string[] = []): ListedPosts | null {
  const read = readRedditListing(listing, allow) ?? readLemmy(listing, allow)
  if (!read) return null
  let count = 0
  const posts = read.posts.map(({ facts, media }) => {
    const kept = media.slice(0, Math.max(1, maxMedia - count))
    count += kept.length
    return { facts, media: kept }
  })
  return { posts, unreadableCount: read.unreadableCount }
}

function readLemmy(listing: unknown, allow: readonly string[]): ListedPosts | null {
  const read = readLemmyListing(listing, allow)
  if (!read) return null
  const posts = read.facts.flatMap((facts, index) => {
    const media = read.posts[index] ?? null
    return facts ? [{ facts, media: media ? [media] : [] }] : []
  })
  return { posts, unreadableCount: read.facts.length - posts.length }
}
