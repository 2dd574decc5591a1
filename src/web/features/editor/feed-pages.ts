/** Posts of the feed, page by page: those of a subfeed, or those that fit some words. */
import { useInfiniteQuery } from '@tanstack/react-query'
import { editorClient } from './editor-client.ts'
import type { FeedPost } from './slides.ts'

export const sorts = ['hot', 'new', 'top'] as const
export type FeedSort = (typeof sorts)[number]

const pageSize = 40
/** A search is told what was shown already, up to this many. */
const mostExcluded = 1000

/** Nothing is asked for while there are no words. */
export function useFeedSearch(query: string, usedUrls: readonly string[]) {
  const list = useInfiniteQuery({
    queryKey: ['feed-search', query],
    enabled: query !== '',
    initialPageParam: [] as readonly string[],
    queryFn: ({ pageParam }) =>
      editorClient.feeds.search({
        body: {
          query,
          limit: pageSize,
          excludeUrls: [...usedUrls, ...pageParam].slice(-mostExcluded),
        },
      }),
    getNextPageParam: (last, pages) => {
      const shown = pages.flat().map(({ media_url }) => media_url)
      const hasRoom = usedUrls.length + shown.length < mostExcluded
      return last.length > 0 && hasRoom ? shown : null
    },
  })
  return { list, posts: unique(list.data?.pages.flat() ?? []) }
}

export function useSubfeed(subfeed: string, sort: FeedSort) {
  const list = useInfiniteQuery({
    queryKey: ['subfeed', subfeed, sort],
    enabled: subfeed !== '',
    initialPageParam: '',
    queryFn: ({ pageParam }) =>
      editorClient.feeds.fetch({
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

/** A post that moved meanwhile may come on two pages. */
function unique(posts: readonly FeedPost[]): readonly FeedPost[] {
  return [...new Map(posts.map((post) => [post.id, post])).values()]
}
