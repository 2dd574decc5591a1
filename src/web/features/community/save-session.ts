/** Saves a copy of a published session, with its media, to the user's library and opens it. */
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useLocation } from 'wouter'
import { client } from '../../api.ts'
import { usePaidCall } from '../../paid-call.ts'
import { keys } from '../../query-keys.ts'
import { showToast } from '../../ui/toasts.tsx'
import { useRefreshUser } from '../accounts/current-user.ts'
import { words } from './words.ts'

export function useSave(id: number) {
  const queryClient = useQueryClient()
  const refreshUser = useRefreshUser()
  const [, navigate] = useLocation()
  const pay = usePaidCall()
  return useMutation({
    mutationFn: () => pay({ params: { id: String(id) } }, client.community.save),
    onSuccess: async ({ sessionId, reused }) => {
      showToast({ text: reused ? words.savedAlready : words.savedToLibrary })
      navigate(`/sessions/${sessionId}`)
      await Promise.all([
        refreshUser(),
        queryClient.invalidateQueries({ queryKey: keys.sessions.all }),
      ])
    },
  })
}
