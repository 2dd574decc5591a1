/** Paged lists of the administration, and their states while loading, empty or failed. */
import { useInfiniteQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { keys } from '../../query-keys.ts'
import { EmptyState } from '../../ui/empty-state.tsx'
import { CannotShow } from '../../ui/failure.tsx'
import { ShowMore } from '../../ui/show-more.tsx'
import { Skeleton, Waiting } from '../../ui/skeleton.tsx'

type ListPage<Item> = { readonly items: readonly Item[]; readonly nextCursor: string | null }

export function useAdminList<Item>(
  key: readonly unknown[],
  read: (page: { cursor?: string }) => Promise<ListPage<Item>>,
) {
  const list = useInfiniteQuery({
    queryKey: keys.admin.part(...key),
    queryFn: ({ pageParam }) => read(pageParam === null ? {} : { cursor: pageParam }),
    initialPageParam: null as string | null,
    getNextPageParam: (page) => page.nextCursor,
    // Such lists change without the administrator's action.
    staleTime: 5_000,
  })
  return { ...list, items: list.data?.pages.flatMap(({ items }) => items) }
}

type ShownList<Item> = Pick<
  ReturnType<typeof useAdminList<Item>>,
  'items' | 'error' | 'refetch' | 'hasNextPage' | 'isFetchingNextPage' | 'fetchNextPage'
>

export function AdminList<Item>({
  list,
  loading,
  empty,
  children,
}: {
  list: ShownList<Item>
  loading: string
  empty: { readonly headline: string; readonly reason: string; readonly action?: ReactNode }
  children: (items: readonly Item[]) => ReactNode
}) {
  if (list.items === undefined && list.error)
    return <CannotShow error={list.error} onRetry={() => void list.refetch()} />
  if (list.items === undefined) return <ListSkeleton label={loading} />
  if (list.items.length === 0)
    return (
      <EmptyState headline={empty.headline} action={empty.action}>
        {empty.reason}
      </EmptyState>
    )
  return (
    <>
      {children(list.items)}
      <div className="grid">
        <ShowMore list={list} />
      </div>
    </>
  )
}

export function ListSkeleton({ label }: { label: string }) {
  return (
    <Waiting label={label}>
      <div className="grid gap-2">
        {Array.from({ length: 6 }, (_, index) => (
          <Skeleton key={index} className="h-14" />
        ))}
      </div>
    </Waiting>
  )
}
