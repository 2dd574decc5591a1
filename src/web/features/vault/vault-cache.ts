/**
 * The cached lists of the vault. A long list is never reloaded completely: new files are added at the front,
 * and deleted ones are removed.
 */
import { infiniteQueryOptions, type QueryClient } from '@tanstack/react-query'
import { client } from '../../api.ts'
import { keys, type VaultPages } from '../../query-keys.ts'
import type { VaultFile } from '../../uploads/page-uploads.ts'

export type VaultPage = Awaited<ReturnType<typeof client.vault.list>>

export type VaultFilter = {
  readonly category: 'all' | VaultFile['category']
  readonly range: 'all' | 'today' | 'week' | 'month' | 'year'
  readonly search: string
}

export const categories = ['all', 'upload', 'smart-caption', 'babecock', 'hypnococks'] as const
export const ranges = ['all', 'today', 'week', 'month', 'year'] as const
export const pageSize = 200

export function vaultFilterOf(params: URLSearchParams): VaultFilter {
  return {
    category: categories.find((one) => one === params.get('kind')) ?? 'all',
    range: ranges.find((one) => one === params.get('added')) ?? 'all',
    search: (params.get('q') ?? '').slice(0, 200),
  }
}

export function vaultQuery(filter: VaultFilter) {
  return infiniteQueryOptions({
    queryKey: keys.vault.list(filter),
    initialPageParam: '',
    queryFn: ({ pageParam }) => readPage(filter, pageParam),
    getNextPageParam: (page) => page.nextCursor,
    staleTime: Infinity,
  })
}

function readPage({ category, range, search }: VaultFilter, cursor: string): Promise<VaultPage> {
  return client.vault.list({
    query: {
      limit: String(pageSize),
      category,
      dateRange: range,
      ...(search === '' ? {} : { search }),
      ...(cursor === '' ? {} : { cursor }),
    },
  })
}

/**
 * Reloads the first page of the displayed lists if it is older than `olderThanMs`. Reloads the rest of a long
 * list only if the counts show that it has changed.
 */
export async function refreshNewest(
  queryClient: QueryClient,
  { olderThanMs = 0 }: { readonly olderThanMs?: number } = {},
): Promise<void> {
  void queryClient.invalidateQueries({ queryKey: keys.vault.storage })
  const queries = queryClient
    .getQueryCache()
    .findAll({ queryKey: keys.vault.lists, type: 'active' })
  for (const { queryKey, state } of queries) {
    const filter = queryKey[2] as VaultFilter
    const isNew = Date.now() - state.dataUpdatedAt < olderThanMs
    if (state.data === undefined || state.fetchStatus === 'fetching' || isNew) continue
    // A list that cannot be refreshed stays as it is.
    const fresh = await readPage(filter, '').catch(() => null)
    const known = queryClient.getQueryData<VaultPages>(queryKey)
    if (fresh === null || !known) continue
    const { pages, isWhole } = withNewest(known.pages, fresh)
    queryClient.setQueryData<VaultPages>(queryKey, { ...known, pages })
    if (!isWhole) await queryClient.refetchQueries({ queryKey, exact: true })
  }
}

/**
 * Replaces the first page by a fresh one. Files are sorted from newest to oldest, so a file that the fresh
 * page skips is deleted. `isWhole` is false when files of later pages are deleted too.
 */
export function withNewest(
  pages: readonly VaultPage[],
  fresh: VaultPage,
): { readonly pages: VaultPage[]; readonly isWhole: boolean } {
  const [first, ...others] = pages
  const oldest = fresh.files.at(-1)
  if (!first || others.length === 0 || !oldest || fresh.nextCursor === null)
    return { pages: [fresh], isWhole: true }
  const freshIds = new Set(fresh.files.map(({ id }) => id))
  const knownIds = new Set(first.files.map(({ id }) => id))
  const kept = first.files.filter(({ id }) => id < oldest.id)
  const gone = first.files.filter(({ id }) => id >= oldest.id && !freshIds.has(id)).length
  const added = fresh.files.filter(
    ({ id }) => id >= (first.files.at(-1)?.id ?? 0) && !knownIds.has(id),
  )
  return {
    pages: [
      { ...fresh, files: [...fresh.files, ...kept], nextCursor: first.nextCursor },
      ...others,
    ],
    isWhole: fresh.totalCount === first.totalCount + added.length - gone,
  }
}

/** Removes deleted files from the cached lists. */
export function dropFromLists(queryClient: QueryClient, ids: ReadonlySet<number>) {
  queryClient.setQueriesData<VaultPages>({ queryKey: keys.vault.lists }, (old) => {
    if (!old) return old
    const gone = old.pages.flatMap(({ files }) => files.filter(({ id }) => ids.has(id)))
    return {
      ...old,
      pages: old.pages.map((page) => ({
        ...page,
        files: page.files.filter(({ id }) => !ids.has(id)),
        totalCount: page.totalCount - gone.length,
        categories: Object.fromEntries(
          Object.entries(page.categories).map(([name, count]) => [
            name,
            count - gone.filter(({ category }) => category === name).length,
          ]),
        ) as VaultPage['categories'],
      })),
    }
  })
}
