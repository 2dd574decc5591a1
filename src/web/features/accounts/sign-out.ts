/** The way out: on this device nothing stays, and every tab hears of it. */
import { useQueryClient } from '@tanstack/react-query'
import { client, explain } from '../../api.ts'
import { showToast } from '../../ui/toasts.tsx'
import { announceSignInChange, followSignIn } from './current-user.ts'

export function useSignOut(): () => Promise<void> {
  const queryClient = useQueryClient()
  return async () => {
    try {
      await client.accounts.signOut()
      const { forgetDevice } = await import('../../forget.ts')
      await forgetDevice()
      announceSignInChange()
      await followSignIn(queryClient)
    } catch (error) {
      showToast({ text: explain(error), isFailure: true })
    }
  }
}
