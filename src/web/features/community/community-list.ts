/** The community list: its filters, stored in the address, and its pages. */
import { infiniteQueryOptions, queryOptions, useInfiniteQuery } from '@tanstack/react-query'
import { useAddressFilter } from '../../address-filter.ts'
import { client } from '../../api.ts'
import { keys } from '../../query-keys.ts'

export type CommunityItem = Awaited<ReturnType<typeof client.community.browse>>['items'][number]
type Kind = 'all' | 'sessions' | 'media'
type Sort = 'recent' | 'popular'

export type CommunityFilter = {
  readonly kind: Kind
  readonly tags: readonly string[]
  readonly tagMode: 'and' | 'or'
  readonly categorySlug: string | null
  readonly sort: Sort
  readonly words: string
}

export function useCommunityFilter() {
  return useAddressFilter(communityFilterOf, addressOf)
}

export function useCommunityList(filter: CommunityFilter) {
  return useInfiniteQuery({ ...communityQuery(filter), placeholderData: (shown) => shown })
}

export function communityQuery(filter: CommunityFilter) {
  return infiniteQueryOptions({
    queryKey: keys.community.list(filter),
    queryFn: ({ pageParam }) =>
      client.community.browse({
        query: {
          kind: filter.kind,
          sort: filter.sort,
          ...(filter.tags.length === 0
            ? {}
            : { tags: filter.tags.join(','), tagMode: filter.tagMode }),
          ...(filter.categorySlug === null ? {} : { categorySlug: filter.categorySlug }),
          ...(filter.words === '' ? {} : { q: filter.words }),
          ...(pageParam === null ? {} : { cursor: pageParam }),
        },
      }),
    initialPageParam: null as string | null,
    getNextPageParam: ({ nextCursor }) => nextCursor,
  })
}

/** Reads one published session. */
export function communitySessionQuery(id: string) {
  return queryOptions({
    queryKey: keys.communitySession(id),
    queryFn: () => client.community.open({ params: { id } }),
  })
}

export function communityFilterOf(params: URLSearchParams): CommunityFilter {
  return {
    kind: oneOf(params.get('kind'), ['all', 'sessions', 'media']),
    tags: params.get('tags')?.split(',').filter(Boolean) ?? [],
    tagMode: oneOf(params.get('match'), ['or', 'and']),
    categorySlug: params.get('category'),
    sort: oneOf(params.get('sort'), ['recent', 'popular']),
    words: params.get('q') ?? '',
  }
}

export const noFilter: CommunityFilter = {
  kind: 'all',
  tags: [],
  tagMode: 'or',
  categorySlug: null,
  sort: 'recent',
  words: '',
}

/** Returns the parameters of the filters that differ from the default. */
function addressOf(filter: CommunityFilter): URLSearchParams {
  const params = new URLSearchParams()
  if (filter.kind !== noFilter.kind) params.set('kind', filter.kind)
  if (filter.tags.length > 0) params.set('tags', filter.tags.join(','))
  if (filter.tagMode !== noFilter.tagMode) params.set('match', filter.tagMode)
  if (filter.categorySlug !== null) params.set('category', filter.categorySlug)
  if (filter.sort !== noFilter.sort) params.set('sort', filter.sort)
  if (filter.words !== '') params.set('q', filter.words)
  return params
}

function oneOf<Value extends string>(
  text: string | null,
  values: readonly [Value, ...Value[]],
): Value {
  return values.find((value) => value === text) ?? values[0]
}
