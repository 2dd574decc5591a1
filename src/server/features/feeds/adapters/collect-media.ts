/** Turns pages of posts, of which many have no media, into as many media as were asked for. */
import type { FeedMedia, FeedPage } from '../feed-source.ts'
import { FeedUnavailable } from '../feed-source.ts'
import { normaliseMediaUrl } from '../media-url.ts'

export type PostPage = {
  readonly posts: readonly {
    readonly media: readonly FeedMedia[]
    /** What to ask for next when this post is the last that was used. */
    readonly after: string
  }[]
  /** What to ask for after the whole page; null at the end. */
  readonly after: string | null
}

/** Asks for pages, at most four, until there are `limit` media; none of them comes twice. */
export async function collectMedia(
  limit: number,
  first: string | null,
  readPage: (after: string | null) => Promise<PostPage>,
): Promise<FeedPage> {
  const media = new Map<string, FeedMedia>()
  let after = first
  for (let pageCount = 0; pageCount < mostPages; pageCount++) {
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
    // A page that names itself as the next one would never end.
    const isStuck = page.after === after
    after = isStuck ? null : page.after
    if (after === null) break
  }
  return { media: [...media.values()], after }
}

/** 'cursor~12' is the page at the cursor without its first twelve posts. */
export type Place = { readonly cursor: string; readonly used: number }

export function readPlace(after: string | null): Place {
  const [, cursor, used] = /^(.*)~(\d{1,4})$/s.exec(after ?? '') ?? []
  return cursor === undefined ? { cursor: after ?? '', used: 0 } : { cursor, used: Number(used) }
}

/** For sites that point to whole pages only: where one was used up to. */
export function pageAt(
  { cursor, used }: Place,
  posts: readonly (readonly FeedMedia[])[],
  after: string | null,
): PostPage {
  const placed = posts.map((media, index) => ({ media, after: `${cursor}~${index + 1}` }))
  return { posts: placed.slice(used), after }
}

const mostPages = 4

/** What has been collected is worth more than the reason why there is no more of it. */
function nothingMore(error: unknown): null {
  if (error instanceof FeedUnavailable) return null
  throw error
}
