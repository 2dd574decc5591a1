/** One file of the vault, as its page and its sharing read and change it. */
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { client } from '../../api.ts'
import { refreshNewest } from './vault-cache.ts'

export type OpenedFile = Awaited<ReturnType<typeof client.vault.read>>

/** How often a file that is being examined is looked at, and how many times at most. */
const lookPauseMs = 3000
const mostLooks = 10

export function useFile(id: string) {
  return useQuery({
    queryKey: ['vault', 'file', id],
    queryFn: () => client.vault.read({ params: { id } }),
    refetchInterval: ({ state }) => {
      const status = state.data?.file.enrichmentStatus
      const isUnknown = status === 'pending' || status === 'processing'
      return isUnknown && state.dataUpdateCount < mostLooks ? lookPauseMs : false
    },
  })
}

export type ShareWish = {
  readonly shareToCommunity: boolean
  readonly tags?: string[]
  readonly nsfw?: boolean
  readonly policyAgreed?: boolean
}

/** Null ends the link, and with it what is published. */
export function useShareFile(id: number) {
  const queryClient = useQueryClient()
  const params = { id: String(id) }
  return useMutation({
    mutationFn: async (wish: ShareWish | null) => {
      if (wish === null) await client.vault.unshare({ params })
      else await client.vault.share({ params, body: wish })
    },
    onSuccess: async () => {
      await queryClient.invalidateQueries({ queryKey: ['vault', 'file', params.id] })
      await refreshNewest(queryClient)
    },
  })
}
