/** Signs out: the device forgets what it held for the account, and every other tab hears of it. */
import { useQueryClient } from '@tanstack/react-query'
import { client, explain } from '../../api.ts'
import { forgetDevice } from '../../forget.ts'
import { showToast } from '../../ui/toasts.tsx'
import { announceSignInChange, followSignIn } from './current-user.ts'

export function useSignOut(): () => Promise<void> {
  const queryClient = useQueryClient()
  return async () => {
    try {
      await client.accounts.signOut()
      await forgetDevice()
      announceSignInChange()
      await followSignIn(queryClient)
    } catch (error) {
      showToast({ text: explain(error), isFailure: true })
    }
  }
}
