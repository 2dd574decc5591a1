/**
 * The lists of the vault that were read. A long one is never asked for again as a whole: what is new
 * is put in front of what is there, and what is gone is taken out.
 */
import type { InfiniteData, QueryClient } from '@tanstack/react-query'
import { client } from '../../api.ts'
import type { VaultFile } from '../../uploads/page-uploads.ts'

export type VaultPage = Awaited<ReturnType<typeof client.vault.list>>

export type VaultFilter = {
  readonly category: 'all' | VaultFile['category']
  readonly range: 'all' | 'today' | 'week' | 'month' | 'year'
  readonly search: string
}

export const listKey = ['vault', 'list'] as const
export const pageSize = 200

export function readPage(
  { category, range, search }: VaultFilter,
  cursor: string,
): Promise<VaultPage> {
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

/** Reads the beginning of the lists that are shown, and leaves the rest of them as it is. */
export async function refreshNewest(queryClient: QueryClient): Promise<void> {
  void queryClient.invalidateQueries({ queryKey: ['vault', 'storage'] })
  const queries = queryClient.getQueryCache().findAll({ queryKey: listKey, type: 'active' })
  for (const { queryKey, state } of queries) {
    const filter = queryKey[2] as VaultFilter
    if (state.data === undefined || state.fetchStatus === 'fetching') continue
    // A page that could not be brought up to date stays as it is.
    const fresh = await readPage(filter, '').catch(() => null)
    if (fresh !== null)
      queryClient.setQueryData<InfiniteData<VaultPage>>(queryKey, (old) => putInFront(old, fresh))
  }
}

/** Takes files off the lists that were read, for those that are gone. */
export function dropFromLists(queryClient: QueryClient, ids: ReadonlySet<number>) {
  queryClient.setQueriesData<InfiniteData<VaultPage>>({ queryKey: listKey }, (old) => {
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

function putInFront(
  old: InfiniteData<VaultPage> | undefined,
  fresh: VaultPage,
): InfiniteData<VaultPage> | undefined {
  const [first, ...others] = old?.pages ?? []
  if (!old || !first) return old
  if (others.length === 0) return { ...old, pages: [fresh] }
  const known = new Set(fresh.files.map(({ id }) => id))
  const files = [...fresh.files, ...first.files.filter(({ id }) => !known.has(id))]
  return { ...old, pages: [{ ...fresh, files, nextCursor: first.nextCursor }, ...others] }
}
