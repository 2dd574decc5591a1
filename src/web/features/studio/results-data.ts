/** What was made in the last day: asked for, kept in the vault, thrown away. */
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { explain } from '../../api.ts'
import { showToast } from '../../ui/toasts.tsx'
import { useRefreshUser } from '../accounts/current-user.ts'
import { words } from './words.ts'
import { studioClient } from './studio-client.ts'

export type MadeResult = Awaited<ReturnType<typeof studioClient.images.results>>['items'][number]

const resultsKey = ['studio-results']

export function useResults() {
  return useQuery({ queryKey: resultsKey, queryFn: () => studioClient.images.results() })
}

/** After something was made: the list, the balance and the vault have changed. */
export function useAfterMaking(): (isKept: boolean) => Promise<void> {
  const queryClient = useQueryClient()
  const refreshUser = useRefreshUser()
  return async (isKept) => {
    showToast({ text: isKept ? words.readyAndKept : words.ready })
    await Promise.all([
      queryClient.invalidateQueries({ queryKey: resultsKey }),
      queryClient.invalidateQueries({ queryKey: ['vault'] }),
      refreshUser(),
    ])
  }
}

export function useKeep() {
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: (imageUrl: string) => studioClient.images.save({ body: { imageUrl } }),
    onSuccess: async () => {
      showToast({ text: words.kept })
      await Promise.all([
        queryClient.invalidateQueries({ queryKey: resultsKey }),
        queryClient.invalidateQueries({ queryKey: ['vault'] }),
      ])
    },
    onError: (error) => showToast({ text: explain(error), isFailure: true }),
  })
}

export function useDiscard() {
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: (imageUrl: string) => studioClient.images.discard({ body: { imageUrl } }),
    onSuccess: async () => {
      showToast({ text: words.discarded })
      await queryClient.invalidateQueries({ queryKey: resultsKey })
    },
    onError: (error) => showToast({ text: explain(error), isFailure: true }),
  })
}
