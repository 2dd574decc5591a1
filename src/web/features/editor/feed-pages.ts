/** Loads posts page by page: from a subfeed, or by a search. */
import { useInfiniteQuery } from '@tanstack/react-query'
import { maxExcluded } from '../../../contract/feed-search-bounds.ts'
import { client } from '../../api.ts'
import { keys } from '../../query-keys.ts'
import type { FeedPost } from './slides.ts'

export const sorts = ['hot', 'new', 'top'] as const
export type FeedSort = (typeof sorts)[number]

const pageSize = 40

/** Searches the feed. Without a query it sends no request. */
export function useFeedSearch(query: string, usedUrls: readonly string[]) {
  const list = useInfiniteQuery({
    queryKey: keys.feedSearch(query),
    enabled: query !== '',
    initialPageParam: [] as readonly string[],
    queryFn: ({ pageParam }) =>
      client.feeds.search({
        body: {
          query,
          limit: pageSize,
          excludeUrls: latestThatFit([...usedUrls, ...pageParam]),
        },
      }),
    getNextPageParam: (last, pages) => {
      const shown = pages.flat().map(({ media_url }) => media_url)
      const hasRoom = usedUrls.length + shown.length < maxExcluded.addresses
      return last.length > 0 && hasRoom ? shown : null
    },
  })
  return { list, posts: unique(list.data?.pages.flat() ?? []) }
}

export function useSubfeed(subfeed: string, sort: FeedSort) {
  const list = useInfiniteQuery({
    queryKey: keys.subfeed(subfeed, sort),
    enabled: subfeed !== '',
    initialPageParam: '',
    queryFn: ({ pageParam }) =>
      client.feeds.fetch({
        body: {
          subfeeds: subfeed,
          sort,
          limit: pageSize,
          ...(pageParam === '' ? {} : { after: pageParam }),
        },
      }),
    getNextPageParam: ({ after }) => after,
  })
  return { list, posts: unique(list.data?.pages.flatMap(({ posts }) => posts) ?? []) }
}

/** Returns the latest shown addresses, as many as a search accepts for exclusion. */
function latestThatFit(urls: readonly string[]): string[] {
  const latest = urls
    .filter(({ length }) => length <= maxExcluded.charactersEach)
    .slice(-maxExcluded.addresses)
  let characters = 0
  const firstLeftOut = latest.findLastIndex(
    ({ length }) => (characters += length) > maxExcluded.charactersInAll,
  )
  return latest.slice(firstLeftOut + 1)
}

/** Removes duplicates: a post that moved between two requests may be on two pages. */
function unique(posts: readonly FeedPost[]): readonly FeedPost[] {
  return [...new Map(posts.map((post) => [post.id, post])).values()]
}
