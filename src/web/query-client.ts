/**
 * What the pages have read, and when they ask again. Requests are counted by the server, so nothing
 * is asked for again just because a window was looked at: what changes elsewhere is announced (see
 * features/accounts/current-user.ts).
 */
import { QueryCache, QueryClient } from '@tanstack/react-query'
import { waitSecondsOf } from './api.ts'

export const queryClient = createQueryClient()

function createQueryClient(): QueryClient {
  const askedAgain = new Set<string>()
  const queryClient = new QueryClient({
    defaultOptions: {
      queries: { refetchOnWindowFocus: false, retry: false, staleTime: 60_000 },
      // Without a network a deed fails at once, and is not done later behind somebody's back.
      mutations: { networkMode: 'always' },
    },
    queryCache: new QueryCache({
      // Where the server was asked too often, once more when it said it would answer: the words on
      // the page say so meanwhile.
      onError(error, { queryKey, queryHash }) {
        const seconds = waitSecondsOf(error)
        if (seconds === null || askedAgain.has(queryHash)) return
        askedAgain.add(queryHash)
        setTimeout(() => {
          void queryClient.refetchQueries({ queryKey, exact: true, type: 'active' })
        }, seconds * 1000)
      },
      onSuccess: (_, { queryHash }) => void askedAgain.delete(queryHash),
    }),
  })
  return queryClient
}
