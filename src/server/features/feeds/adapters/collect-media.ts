/** Collects the requested number of media from pages of posts, many of which have no media. */
import type { FeedMedia, FeedPage } from '../feed-source.ts'
import { FeedUnavailable } from '../feed-source.ts'
import { normaliseMediaUrl } from '../media-url.ts'

export type PostPage = {
  readonly posts: readonly {
    readonly media: readonly FeedMedia[]
    /** The cursor to continue with when this post is the last one used. */
    readonly after: string
  }[]
  /** The cursor after the whole page; null at the end. */
  readonly after: string | null
}

/** Reads at most four pages, until there are `limit` distinct media. */
export async function collectMedia(
  limit: number,
  first: string | null,
  readPage: (after: string | null) => Promise<PostPage>,
): Promise<FeedPage> {
  const media = new Map<string, FeedMedia>()
  let after = first
  for (let pageCount = 0; pageCount < maxPages; pageCount++) {
    const page = await (pageCount === 0 ? readPage(after) : readPage(after).catch(nothingMore))
    if (page === null) break
    for (const [index, post] of page.posts.entries()) {
      for (const item of post.media) {
        const key = normaliseMediaUrl(item.mediaUrl)
        if (media.size < limit && !media.has(key)) media.set(key, item)
      }
      if (media.size >= limit) {
        const isLast = index === page.posts.length - 1
        return { media: [...media.values()], after: isLast ? page.after : post.after }
      }
    }
    // A page that names itself as the next one would loop forever.
    const isStuck = page.after === after
    after = isStuck ? null : page.after
    if (after === null) break
  }
  return { media: [...media.values()], after }
}

/** A position: 'cursor~12' is the page at the cursor without its first twelve posts. */
export type FeedPosition = { readonly cursor: string; readonly used: number }

export function readPosition(after: string | null): FeedPosition {
  const [, cursor, used] = /^(.*)~(\d{1,4})$/s.exec(after ?? '') ?? []
  return cursor === undefined ? { cursor: after ?? '', used: 0 } : { cursor, used: Number(used) }
}

/** Adds a position to each post, for APIs whose cursors point to whole pages only. */
export function pageAt(
  { cursor, used }: FeedPosition,
  posts: readonly (readonly FeedMedia[])[],
  after: string | null,
): PostPage {
  const positioned = posts.map((media, index) => ({ media, after: `${cursor}~${index + 1}` }))
  return { posts: positioned.slice(used), after }
}

const maxPages = 4

/** Ends the list on an error, because the media collected so far are more useful than the error. */
function nothingMore(error: unknown): null {
  if (error instanceof FeedUnavailable) return null
  throw error
}
