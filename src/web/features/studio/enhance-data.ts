/** The data of enhancements: consent, available providers, recent results and today's count. */
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { consentPolicyVersion } from '../../../contract/enhancement-limits.ts'
import { api } from '../../../contract/api.ts'
import { client } from '../../api.ts'
import { downloadByRequest } from '../../download.ts'
import { keys } from '../../query-keys.ts'
import { showFailure, showToast } from '../../ui/toasts.tsx'
import { useRefreshUser } from '../accounts/current-user.ts'
import { enhanceWords } from './enhance-words.ts'
import { words } from './words.ts'

export type Generation = Awaited<ReturnType<typeof client.enhancement.recent>>['items'][number]

const pollAfterMs = 5000

export function useConsent() {
  return useQuery({
    queryKey: keys.studio.consent,
    queryFn: () => client.enhancement.consentStatus(),
  })
}

export function useGiveConsent() {
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: () => client.enhancement.giveConsent({ body: { version: consentPolicyVersion } }),
    onSuccess: () => queryClient.invalidateQueries({ queryKey: keys.studio.consent }),
  })
}

export function useEnhancers() {
  return useQuery({
    queryKey: keys.studio.enhancers,
    queryFn: () => client.enhancement.status(),
  })
}

/** Polls while an enhancement is running that this page does not wait for. */
export function useRecent() {
  return useQuery({
    queryKey: keys.studio.enhancements,
    queryFn: () => client.enhancement.recent(),
    refetchInterval: ({ state }) =>
      state.data?.items.some(({ status }) => status === 'pending') ? pollAfterMs : false,
  })
}

/** Reloads the list, today's count and the balance after an enhancement has ended. */
export function useAfterEnhancing(): () => Promise<void> {
  const queryClient = useQueryClient()
  const refreshUser = useRefreshUser()
  return async () => {
    await Promise.all([
      queryClient.invalidateQueries({ queryKey: keys.studio.enhancements }),
      refreshUser(),
    ])
  }
}

export function useSaveEnhanced() {
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: (generationId: number) => client.enhancement.saveResult({ body: { generationId } }),
    onSuccess: async () => {
      showToast({ text: words.kept })
      await Promise.all([
        queryClient.invalidateQueries({ queryKey: keys.studio.enhancements }),
        queryClient.invalidateQueries({ queryKey: keys.vault.all }),
      ])
    },
    onError: showFailure,
  })
}

export function useDownloadEnhanced() {
  return useMutation({
    mutationFn: ({ id, resultUrl }: Pick<Generation, 'id' | 'resultUrl'>) => {
      const [, extension = 'png'] = /\.([a-z]+)(\?|$)/.exec(resultUrl ?? '') ?? []
      const address = api.enhancement.download.path.replace(':id', String(id))
      return downloadByRequest(address, `enhanced-${id}.${extension}`, { method: 'POST' })
    },
    onError: showFailure,
  })
}

export function useClearStuck() {
  const afterEnhancing = useAfterEnhancing()
  return useMutation({
    mutationFn: () => client.enhancement.clearStuck(),
    onSuccess: async ({ cleared }) => {
      showToast({
        text:
          cleared === 0 ? enhanceWords.nothingStuck : enhanceWords.stuckEnded({ count: cleared }),
      })
      await afterEnhancing()
    },
    onError: showFailure,
  })
}
