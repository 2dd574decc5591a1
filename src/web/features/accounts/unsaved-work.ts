/**
 * Unsaved work belongs to the user who was signed in when it began. It stays on the page when they sign out
 * elsewhere. It is saved when they have signed in again, never for another user.
 */
import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useSyncExternalStore } from 'react'
import type { SignedInUser } from '../../api.ts'
import { keys } from '../../query-keys.ts'
import { nameUser } from './account-store.ts'

/** The reason why the work cannot be saved now. */
type OwnerAbsence = 'signed out' | 'someone else'

let piecesOfWork = 0
let absence: OwnerAbsence | null = null
const listeners = new Set<() => void>()

export function hasUnsavedWork(): boolean {
  return piecesOfWork > 0
}

/**
 * Returns the user for the page after the server has named `user`: the owner of unsaved work, if there is
 * any.
 */
export function ownerOrNext(
  known: SignedInUser | null | undefined,
  user: SignedInUser | null,
): SignedInUser | null {
  nameUser(user?.id ?? null)
  if (!known || known.id === user?.id || !hasUnsavedWork()) {
    setAbsence(null)
    return user
  }
  setAbsence(user ? 'someone else' : 'signed out')
  return known
}

/**
 * Keeps the page while there is unsaved work. When the work is gone and its owner is absent, resets the page.
 * Returns a function that resolves to true when the owner is signed in. In doubt it asks the server first.
 */
export function useUnsavedWork(isUnsaved: boolean) {
  const queryClient = useQueryClient()
  useEffect(() => {
    if (!isUnsaved) return
    piecesOfWork += 1
    return () => {
      piecesOfWork -= 1
      if (absence === null) return
      setAbsence(null)
      void queryClient.resetQueries()
    }
  }, [isUnsaved, queryClient])
  return async ({ isInDoubt } = { isInDoubt: absence !== null }): Promise<boolean> => {
    if (isInDoubt) await queryClient.invalidateQueries({ queryKey: keys.currentUser })
    return absence === null
  }
}

export function useOwnerAbsence(): OwnerAbsence | null {
  return useSyncExternalStore(subscribe, () => absence)
}

function setAbsence(next: OwnerAbsence | null) {
  absence = next
  for (const notify of listeners) notify()
}

function subscribe(notify: () => void): () => void {
  listeners.add(notify)
  return () => listeners.delete(notify)
}
