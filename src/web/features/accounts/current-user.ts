/**
 * The signed-in user, the same in every tab. A tab that signs in or out writes the time to a key of
 * localStorage. The other tabs get the event and ask the server again.
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
/** The last announced change of sign-in that this tab has processed or is processing. */
let followed = lastAnnounced()
let following = Promise.resolve()

export function useCurrentUser() {
  return useQuery({ queryKey: keys.currentUser, queryFn: fetchUser })
}

/** Loads the user before the first render. The component that uses the query reports a failure. */
export function askForCurrentUser(queryClient: QueryClient): Promise<void> {
  return queryClient.prefetchQuery({ queryKey: keys.currentUser, queryFn: fetchUser })
}

/** Returns true when the server has said that no user is signed in here. */
export function isKnownVisitor(queryClient: QueryClient): boolean {
  return isMarkedVisitor() || queryClient.getQueryData(keys.currentUser) === null
}

/** Returns a function that reloads the user after a change, such as a charge. */
export function useRefreshUser(): () => Promise<void> {
  const queryClient = useQueryClient()
  return () => refreshUser(queryClient)
}

/** Reloads the user and every figure of their credits: the bar, the buttons and the credits page agree. */
export async function refreshUser(queryClient: QueryClient): Promise<void> {
  await Promise.all(
    [keys.currentUser, keys.account.credits.all].map((queryKey) =>
      queryClient.invalidateQueries({ queryKey }),
    ),
  )
}

export function nameOf(user: SignedInUser): string {
  const name = [user.firstName, user.lastName].filter((part) => part !== null).join(' ')
  return name === '' ? user.email : name
}

/** Notifies the other tabs of a sign-in or sign-out in this tab. */
export function announceSignInChange() {
  try {
    localStorage.setItem(syncKey, String(Date.now()))
  } catch {
    // A browser can block storage. Then the other tabs notice at their next request.
  }
}

/** Resolves when this tab has processed every change of sign-in that another tab has announced. */
export async function signInSettled(): Promise<void> {
  if (lastAnnounced() !== followed) void followSignIn(queryClient)
  await following
}

/** Listens for other tabs. Mounted once, by the application. */
export function useSignInSync() {
  const queryClient = useQueryClient()
  useEffect(() => {
    const onStorage = (event: StorageEvent) => {
      if (event.key === syncKey) void followSignIn(queryClient)
    }
    window.addEventListener('storage', onStorage)
    // A change that was announced while this page was loading, before the listener.
    if (lastAnnounced() !== followed) void followSignIn(queryClient)
    return () => window.removeEventListener('storage', onStorage)
  }, [queryClient])
}

/**
 * Processes a change of sign-in. The same user keeps everything on the page. For another user all queries are
 * reset: data of one person is not shown to the next.
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
