/** The library's list: its filters, which stand in the address, and its pages. */
import { infiniteQueryOptions, type QueryClient, useInfiniteQuery } from '@tanstack/react-query'
import { useSearchParams } from 'wouter'
import { client } from '../../api.ts'
import { useCurrentUser } from '../accounts/current-user.ts'

export type LibraryFilter = {
  readonly isFavourite: boolean
  readonly tag: string | null
  readonly categorySlug: string | null
  readonly words: string
}

const pageSize = 24

export function useLibraryFilter() {
  const [params, setParams] = useSearchParams()
  const filter = filterOf(params)
  const change = (part: Partial<LibraryFilter>) =>
    setParams(addressOf({ ...filter, ...part }), { replace: true })
  return { filter, change, isFiltered: addressOf(filter).size > 0 }
}

/** A new account's first session may still be on its way: it is looked for a few times, then not. */
const openingLooks = 5
const openingPauseMs = 3000
const newAccountMs = 60_000

/** Before the page is drawn, as it begins without filters. */
export function askForLibrary(queryClient: QueryClient): Promise<void> {
  return queryClient.prefetchInfiniteQuery(
    listQuery(filterOf(new URLSearchParams(location.search))),
  )
}

export function useLibraryList(filter: LibraryFilter) {
  const { data: user } = useCurrentUser()
  return useInfiniteQuery({
    ...listQuery(filter),
    placeholderData: (shown) => shown,
    refetchInterval: ({ state }) => {
      const isBare = state.data?.pages[0]?.length === 0 && addressOf(filter).size === 0
      const isNew = user && Date.now() - Date.parse(user.createdAt) < newAccountMs
      return isBare && isNew && state.dataUpdateCount < openingLooks ? openingPauseMs : false
    },
  })
}

function listQuery(filter: LibraryFilter) {
  return infiniteQueryOptions({
    queryKey: ['sessions', filter],
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

function filterOf(params: URLSearchParams): LibraryFilter {
  return {
    isFavourite: params.get('favourites') === '1',
    tag: params.get('tag'),
    categorySlug: params.get('category'),
    words: params.get('q') ?? '',
  }
}

function addressOf({ isFavourite, tag, categorySlug, words }: LibraryFilter): URLSearchParams {
  const params = new URLSearchParams()
  if (isFavourite) params.set('favourites', '1')
  if (tag !== null) params.set('tag', tag)
  if (categorySlug !== null) params.set('category', categorySlug)
  if (words !== '') params.set('q', words)
  return params
}
