/**
 * Who is signed in, the same in every tab: a tab that signs in or out writes the time under a key
 * of localStorage, and the others, which hear of it, ask the server again.
 */
import {
  type QueryClient,
  type QueryFunctionContext,
  useQuery,
  useQueryClient,
} from '@tanstack/react-query'
import { useEffect } from 'react'
import { fetchCurrentUser, type SignedInUser } from '../../api.ts'
import { hasUnsavedWork, ownerOrNext } from './unsaved-work.ts'

const userKey = ['current-user']
const syncKey = 'joip_auth_sync'
const announcedBeforeUs = lastAnnounced()

export function useCurrentUser() {
  return useQuery({ queryKey: userKey, queryFn: fetchUser })
}

/** Before anything is drawn; a failure is told where it is asked for. */
export function askForCurrentUser(queryClient: QueryClient): Promise<void> {
  return queryClient.prefetchQuery({ queryKey: userKey, queryFn: fetchUser })
}

/** After credits have moved, the balance in the bar and on buttons is asked for again. */
export function useRefreshUser(): () => Promise<void> {
  const queryClient = useQueryClient()
  return () => refreshUser(queryClient)
}

export function refreshUser(queryClient: QueryClient): Promise<void> {
  return queryClient.invalidateQueries({ queryKey: userKey })
}

export function nameOf(user: SignedInUser): string {
  const name = [user.firstName, user.lastName].filter((part) => part !== null).join(' ')
  return name === '' ? user.email : name
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
      if (event.key === syncKey) void followSignIn(queryClient)
    }
    window.addEventListener('storage', onStorage)
    // Said while this page was on its way, when nobody listened yet.
    if (lastAnnounced() !== announcedBeforeUs) void followSignIn(queryClient)
    return () => window.removeEventListener('storage', onStorage)
  }, [queryClient])
}

/**
 * Someone has signed in or out. The same user loses nothing that they see; for anyone else
 * everything begins anew: what was loaded for one person is not shown to the next.
 */
export async function followSignIn(queryClient: QueryClient) {
  const known = queryClient.getQueryData<SignedInUser | null>(userKey)
  if (!known) return await queryClient.resetQueries()
  const user = await queryClient
    .fetchQuery({ queryKey: userKey, queryFn: fetchUser, staleTime: 0 })
    .catch(() => null)
  if (user?.id !== known.id && !hasUnsavedWork()) return await queryClient.resetQueries()
  await queryClient.refetchQueries({
    type: 'active',
    predicate: ({ state }) => state.status === 'error',
  })
}

async function fetchUser({ client: queryClient }: QueryFunctionContext) {
  const user = await fetchCurrentUser()
  return ownerOrNext(queryClient.getQueryData<SignedInUser | null>(userKey), user)
}

function lastAnnounced(): string | null {
  try {
    return localStorage.getItem(syncKey)
  } catch {
    return null
  }
}
