/** What the site has to tell somebody: read by the bell, and whole by the page behind it. */
import { useInfiniteQuery, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { client } from '../../api.ts'
import { keys } from '../../query-keys.ts'

const lookMs = 5 * 60_000

/** How many nobody has looked at yet. */
export function useUnreadCount(): number {
  const { data } = useQuery({
    queryKey: keys.notices.unread,
    queryFn: () => client.moderation.listNotices({ query: { limit: '1' } }),
    refetchInterval: lookMs,
  })
  return data?.unread ?? 0
}

export function useNotices() {
  return useInfiniteQuery({
    queryKey: keys.notices.list,
    queryFn: ({ pageParam }) =>
      client.moderation.listNotices({
        query: { limit: '20', ...(pageParam === null ? {} : { cursor: pageParam }) },
      }),
    initialPageParam: null as string | null,
    getNextPageParam: ({ nextCursor }) => nextCursor,
  })
}

export function useMarkNotices() {
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: () => client.moderation.readNotices(),
    onSuccess: () => queryClient.invalidateQueries({ queryKey: keys.notices.all }),
  })
}
