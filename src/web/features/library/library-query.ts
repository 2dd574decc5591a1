/** The library list as a query, and the filter that the address contains. */
import { infiniteQueryOptions } from '@tanstack/react-query'
import { client } from '../../api.ts'
import { keys } from '../../query-keys.ts'

export type LibraryFilter = {
  readonly isFavourite: boolean
  readonly tag: string | null
  readonly categorySlug: string | null
  readonly words: string
}

const pageSize = 24

export function libraryQuery(filter: LibraryFilter) {
  return infiniteQueryOptions({
    queryKey: keys.sessions.list(filter),
    queryFn: ({ pageParam }) =>
      client.sessions.list({
        query: {
          limit: String(pageSize),
          ...(pageParam === null ? {} : { before: pageParam }),
          ...(filter.isFavourite ? { favorite: 'true' as const } : {}),
          ...(filter.tag === null ? {} : { tags: filter.tag }),
          ...(filter.categorySlug === null ? {} : { categorySlug: filter.categorySlug }),
          ...(filter.words === '' ? {} : { q: filter.words }),
        },
      }),
    initialPageParam: null as string | null,
    getNextPageParam: (page) => {
      const last = page.at(-1)
      return page.length === pageSize && last ? String(last.id) : null
    },
  })
}

export function libraryFilterOf(params: URLSearchParams): LibraryFilter {
  return {
    isFavourite: params.get('favourites') === '1',
    tag: params.get('tag'),
    categorySlug: params.get('category'),
    words: params.get('q') ?? '',
  }
}
