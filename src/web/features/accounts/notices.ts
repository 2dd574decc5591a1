/** Notices of the site to a user. The bell shows their number, the page the whole list. */
import { useInfiniteQuery, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { client } from '../../api.ts'
import { keys } from '../../query-keys.ts'

const lookMs = 5 * 60_000

/** Returns the number of unread notices. */
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
