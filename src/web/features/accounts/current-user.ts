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
import { fetchCurrentUser, isMarkedVisitor, type SignedInUser } from '../../api.ts'
import { queryClient } from '../../query-client.ts'
import { keys } from '../../query-keys.ts'
import { hasUnsavedWork, ownerOrNext } from './unsaved-work.ts'

const syncKey = 'joip_auth_sync'
/** The last change of sign-in that this tab has followed, or follows now. */
let followed = lastAnnounced()
let following = Promise.resolve()

export function useCurrentUser() {
  return useQuery({ queryKey: keys.currentUser, queryFn: fetchUser })
}

/** Before anything is drawn; a failure is told where it is asked for. */
export function askForCurrentUser(queryClient: QueryClient): Promise<void> {
  return queryClient.prefetchQuery({ queryKey: keys.currentUser, queryFn: fetchUser })
}

/** Whether the server has said that nobody is signed in here. */
export function isKnownVisitor(queryClient: QueryClient): boolean {
  return isMarkedVisitor() || queryClient.getQueryData(keys.currentUser) === null
}

/** After credits have moved, the balance in the bar and on buttons is asked for again. */
export function useRefreshUser(): () => Promise<void> {
  const queryClient = useQueryClient()
  return () => refreshUser(queryClient)
}

export function refreshUser(queryClient: QueryClient): Promise<void> {
  return queryClient.invalidateQueries({ queryKey: keys.currentUser })
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

/** Resolves once this tab knows of every change of sign-in that another tab has announced. */
export async function signInSettled(): Promise<void> {
  if (lastAnnounced() !== followed) void followSignIn(queryClient)
  await following
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
    if (lastAnnounced() !== followed) void followSignIn(queryClient)
    return () => window.removeEventListener('storage', onStorage)
  }, [queryClient])
}

/**
 * Someone has signed in or out. The same user loses nothing that they see; for anyone else
 * everything begins anew: what was loaded for one person is not shown to the next.
 */
export function followSignIn(queryClient: QueryClient): Promise<void> {
  followed = lastAnnounced()
  following = askWhoIsSignedIn(queryClient)
  return following
}

async function askWhoIsSignedIn(queryClient: QueryClient): Promise<void> {
  const known = queryClient.getQueryData(keys.currentUser)
  if (!known) return await queryClient.resetQueries()
  const user = await queryClient
    .fetchQuery({ queryKey: keys.currentUser, queryFn: fetchUser, staleTime: 0 })
    .catch(() => null)
  if (user?.id !== known.id && !hasUnsavedWork()) return await queryClient.resetQueries()
  await queryClient.refetchQueries({
    type: 'active',
    predicate: ({ state }) => state.status === 'error',
  })
}

async function fetchUser({ client: queryClient }: QueryFunctionContext) {
  const user = await fetchCurrentUser()
  return ownerOrNext(queryClient.getQueryData(keys.currentUser), user)
}

function lastAnnounced(): string | null {
  try {
    return localStorage.getItem(syncKey)
  } catch {
    return null
  }
}
