/** The results of the last day: list them, save them to the vault, discard them. */
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { client } from '../../api.ts'
import { keys } from '../../query-keys.ts'
import { showFailure, showToast } from '../../ui/toasts.tsx'
import { useRefreshUser } from '../accounts/current-user.ts'
import { words } from './words.ts'

export type MadeResult = Awaited<ReturnType<typeof client.images.results>>['items'][number]

export function useResults() {
  return useQuery({ queryKey: keys.studio.results, queryFn: () => client.images.results() })
}

/** Reloads the list, the balance and the vault after a result was made. */
export function useAfterMaking(): (isKept: boolean) => Promise<void> {
  const queryClient = useQueryClient()
  const refreshUser = useRefreshUser()
  return async (isKept) => {
    showToast({ text: isKept ? words.readyAndKept : words.ready })
    await Promise.all([
      queryClient.invalidateQueries({ queryKey: keys.studio.results }),
      queryClient.invalidateQueries({ queryKey: keys.vault.all }),
      refreshUser(),
    ])
  }
}

export function useKeep() {
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: (imageUrl: string) => client.images.save({ body: { imageUrl } }),
    onSuccess: async () => {
      showToast({ text: words.kept })
      await Promise.all([
        queryClient.invalidateQueries({ queryKey: keys.studio.results }),
        queryClient.invalidateQueries({ queryKey: keys.vault.all }),
      ])
    },
    onError: showFailure,
  })
}

export function useDiscard() {
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: (imageUrl: string) => client.images.discard({ body: { imageUrl } }),
    onSuccess: async () => {
      showToast({ text: words.discarded })
      await queryClient.invalidateQueries({ queryKey: keys.studio.results })
    },
    onError: showFailure,
  })
}
