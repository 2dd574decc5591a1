/**
 * Work that is not saved yet belongs to whoever was signed in when it began. It stays on the page
 * when they sign out elsewhere, and is saved once they are back, never for someone else.
 */
import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useSyncExternalStore } from 'react'
import type { SignedInUser } from '../../api.ts'
import { keys } from '../../query-keys.ts'
import { nameUser } from './account-store.ts'

/** Why the work cannot be saved now. */
type OwnerAbsence = 'signed out' | 'someone else'

let piecesOfWork = 0
let absence: OwnerAbsence | null = null
const listeners = new Set<() => void>()

export function hasUnsavedWork(): boolean {
  return piecesOfWork > 0
}

/** Whom the pages go on for, now that the server names `user`: the owner of the work, if there is any. */
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
 * While there is such work, the page stays; once it is gone, so is the page of whoever has left.
 * Gives what says whether its owner is here, and asks the server first where that is in doubt.
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
