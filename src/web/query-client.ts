/**
 * The query cache of the pages. The server counts requests, so a focused window reloads nothing: changes in
 * other tabs are announced (see features/accounts/current-user.ts).
 */
import { QueryCache, QueryClient } from '@tanstack/react-query'
import { waitSecondsOf } from './api.ts'

export const queryClient = createQueryClient()

function createQueryClient(): QueryClient {
  const askedAgain = new Set<string>()
  const queryClient = new QueryClient({
    defaultOptions: {
      queries: { refetchOnWindowFocus: false, retry: false, staleTime: 60_000 },
      // Without a network an action fails at once and does not run later without the user's knowledge.
      mutations: { networkMode: 'always' },
    },
    queryCache: new QueryCache({
      // After a rate limit, retry once at the time that the server named. The page explains the wait.
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
