/** Whether one has agreed, what can work at the moment, what was enhanced lately and what is left today. */
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { consentPolicyVersion } from '../../../contract/enhancement-limits.ts'
import { explain } from '../../api.ts'
import { downloadByPost } from '../../download.ts'
import { showToast } from '../../ui/toasts.tsx'
import { useRefreshUser } from '../accounts/current-user.ts'
import { enhanceWords } from './enhance-words.ts'
import { words } from './words.ts'
import { enhancementDownloadAddress, studioClient } from './studio-client.ts'

export type Generation = Awaited<
  ReturnType<typeof studioClient.enhancement.recent>
>['items'][number]

const consentKey = ['enhancement-consent']
const recentKey = ['enhancements']
const askAgainMs = 5000

export function useConsent() {
  return useQuery({ queryKey: consentKey, queryFn: () => studioClient.enhancement.consentStatus() })
}

export function useGiveConsent() {
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: () =>
      studioClient.enhancement.giveConsent({ body: { version: consentPolicyVersion } }),
    onSuccess: () => queryClient.invalidateQueries({ queryKey: consentKey }),
  })
}

export function useEnhancers() {
  return useQuery({
    queryKey: ['enhancers'],
    queryFn: () => studioClient.enhancement.status(),
  })
}

/** While one is at work that this page does not wait for, it is asked about now and then. */
export function useRecent() {
  return useQuery({
    queryKey: recentKey,
    queryFn: () => studioClient.enhancement.recent(),
    refetchInterval: ({ state }) =>
      state.data?.items.some(({ status }) => status === 'pending') ? askAgainMs : false,
  })
}

/** After one has ended: the list, what is left today and the balance have changed. */
export function useAfterEnhancing(): () => Promise<void> {
  const queryClient = useQueryClient()
  const refreshUser = useRefreshUser()
  return async () => {
    await Promise.all([queryClient.invalidateQueries({ queryKey: recentKey }), refreshUser()])
  }
}

export function useSaveEnhanced() {
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: (generationId: number) =>
      studioClient.enhancement.saveResult({ body: { generationId } }),
    onSuccess: async () => {
      showToast({ text: words.kept })
      await Promise.all([
        queryClient.invalidateQueries({ queryKey: recentKey }),
        queryClient.invalidateQueries({ queryKey: ['vault'] }),
      ])
    },
    onError: showFailure,
  })
}

export function useDownloadEnhanced() {
  return useMutation({
    mutationFn: ({ id, resultUrl }: Pick<Generation, 'id' | 'resultUrl'>) => {
      const [, extension = 'png'] = /\.([a-z]+)(\?|$)/.exec(resultUrl ?? '') ?? []
      return downloadByPost(enhancementDownloadAddress(id), `enhanced-${id}.${extension}`)
    },
    onError: showFailure,
  })
}

export function useClearStuck() {
  const afterEnhancing = useAfterEnhancing()
  return useMutation({
    mutationFn: () => studioClient.enhancement.clearStuck(),
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

function showFailure(error: unknown) {
  showToast({ text: explain(error), isFailure: true })
}
