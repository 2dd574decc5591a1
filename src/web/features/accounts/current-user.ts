/**
 * Who is signed in, the same in every tab: a tab that signs in or out writes the time under a key
 * of localStorage, and the others, which hear of it, ask the server again.
 */
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { fetchCurrentUser } from '../../api.ts'

const syncKey = 'joip_auth_sync'

export function useCurrentUser() {
  return useQuery({ queryKey: ['current-user'], queryFn: fetchCurrentUser })
}

/** Tells the other tabs that someone has signed in or out in this one. */
export function announceSignInChange() {
  try {
    localStorage.setItem(syncKey, String(Date.now()))
  } catch {
    // Storage can be switched off in a browser; then other tabs notice at their next request.
  }
}

/** Listens for other tabs; mounted once, by the application. */
export function useSignInSync() {
  const queryClient = useQueryClient()
  useEffect(() => {
    const onStorage = (event: StorageEvent) => {
      // Everything anew: what was loaded for one person is not shown to the next.
      if (event.key === syncKey) void queryClient.resetQueries()
    }
    window.addEventListener('storage', onStorage)
    return () => window.removeEventListener('storage', onStorage)
  }, [queryClient])
}
