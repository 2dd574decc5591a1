/** Signs out: clears the account's data from the device and notifies every other tab. */
import { useQueryClient } from '@tanstack/react-query'
import { client } from '../../api.ts'
import { forgetDevice } from '../../forget.ts'
import { showFailure } from '../../ui/toasts.tsx'
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
      showFailure(error)
    }
  }
}
