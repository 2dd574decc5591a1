/** One file of the vault: reading, changing and sharing it. */
import { queryOptions, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { client } from '../../api.ts'
import { keys } from '../../query-keys.ts'
import { refreshNewest } from './vault-cache.ts'

export type OpenedFile = Awaited<ReturnType<typeof client.vault.read>>

/** The polling interval for a file that is being examined, and the maximum number of polls. */
const lookPauseMs = 3000
const maxLooks = 10

export function useFile(id: string) {
  return useQuery({
    ...fileQuery(id),
    refetchInterval: ({ state }) => {
      const status = state.data?.file.enrichmentStatus
      const isUnknown = status === 'pending' || status === 'processing'
      return isUnknown && state.dataUpdateCount < maxLooks ? lookPauseMs : false
    },
  })
}

export function fileQuery(id: string) {
  return queryOptions({
    queryKey: keys.vault.file(id),
    queryFn: () => client.vault.read({ params: { id } }),
  })
}

export type ShareWish = {
  readonly shareToCommunity: boolean
  readonly tags?: string[]
  readonly nsfw?: boolean
  readonly policyAgreed?: boolean
}

/** Shares a file. Null ends the link and the publication. */
export function useShareFile(id: number) {
  const queryClient = useQueryClient()
  const params = { id: String(id) }
  return useMutation({
    mutationFn: async (wish: ShareWish | null) => {
      if (wish === null) await client.vault.unshare({ params })
      else await client.vault.share({ params, body: wish })
    },
    onSuccess: async () => {
      void queryClient.invalidateQueries({ queryKey: keys.community.all })
      await queryClient.invalidateQueries({ queryKey: keys.vault.file(id) })
      await refreshNewest(queryClient)
    },
  })
}
