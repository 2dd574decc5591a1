/** The list of the vault: its filters, stored in the address, and its pages. */
import { useInfiniteQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useMemo } from 'react'
import { useAddressFilter } from '../../address-filter.ts'
import type { VaultFile } from '../../uploads/page-uploads.ts'
import { usePendingDeletions } from './deletions.ts'
import {
  pageSize,
  refreshNewest,
  type VaultFilter,
  vaultFilterOf,
  type VaultPage,
  vaultQuery,
} from './vault-cache.ts'

/** A list that was prefetched for this visit is not loaded again. */
const prefetchedMs = 10_000

export const everything: VaultFilter = { category: 'all', range: 'all', search: '' }

/**
 * The service examines new files one by one. The page polls for its results at this interval, up to
 * `maxLooks` times.
 */
const maxLooks = 8
const lookPauseMs = 4000

export function useVaultFilter() {
  return useAddressFilter(vaultFilterOf, addressOf)
}

export function useVaultList(filter: VaultFilter) {
  const queryClient = useQueryClient()
  const hidden = usePendingDeletions()
  const list = useInfiniteQuery({
    ...vaultQuery(filter),
    placeholderData: (shown) => shown,
    refetchOnMount: false,
  })
  const files = useMemo(() => filesOf(list.data?.pages ?? [], hidden), [list.data, hidden])
  const [first] = list.data?.pages ?? []
  const isUnknown = files.slice(0, pageSize).some(isUnexamined)
  useEffect(() => {
    void refreshNewest(queryClient, { olderThanMs: prefetchedMs })
  }, [queryClient])
  useEffect(() => {
    if (!isUnknown) return
    let looks = 0
    const timer = setInterval(() => {
      looks += 1
      if (looks > maxLooks) clearInterval(timer)
      else void refreshNewest(queryClient)
    }, lookPauseMs)
    return () => clearInterval(timer)
  }, [isUnknown, queryClient])
  return { list, files, counts: first?.categories ?? null, total: first?.totalCount ?? 0 }
}

/** Merges the pages. Pages that were loaded at different times may overlap. */
function filesOf(pages: readonly VaultPage[], hidden: ReadonlySet<number>): readonly VaultFile[] {
  const byId = new Map<number, VaultFile>()
  for (const { files } of pages)
    for (const file of files)
      if (!byId.has(file.id) && !hidden.has(file.id)) byId.set(file.id, file)
  return [...byId.values()]
}

function isUnexamined({ enrichmentStatus }: VaultFile): boolean {
  return enrichmentStatus === 'pending' || enrichmentStatus === 'processing'
}

function addressOf({ category, range, search }: VaultFilter): URLSearchParams {
  const params = new URLSearchParams()
  if (category !== 'all') params.set('kind', category)
  if (range !== 'all') params.set('added', range)
  if (search !== '') params.set('q', search)
  return params
}
