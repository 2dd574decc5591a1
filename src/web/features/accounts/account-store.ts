/**
 * Whom the server has named as signed in, and state of the pages that belongs to that account: uploads,
 * queues, lists of what is being done. It ends when the server names another account, so nothing is
 * shown to, sent for or charged to the next person.
 */
import { useSyncExternalStore } from 'react'

/** Undefined until the server has been asked. */
let namedId: string | null | undefined
/** The last account that was named; a sign-out does not change it, since its owner may come back. */
let ownerId: string | null = null
const nameListeners = new Set<(id: string | null) => void>()
const ends = new Set<() => void>()

/** Called with every answer to the question who is signed in; null for nobody. */
export function nameUser(id: string | null): void {
  namedId = id
  if (id !== null && id !== ownerId) {
    if (ownerId !== null) endAccountStores()
    ownerId = id
  }
  for (const listener of nameListeners) listener(id)
}

/** Calls `listener` with who is signed in now, and each time the server names somebody. */
export function whenUserIsNamed(listener: (id: string | null) => void): void {
  nameListeners.add(listener)
  if (namedId !== undefined) listener(namedId)
}

/** Calls `end` when the account that these pages worked for ends. */
export function whenAccountEnds(end: () => void): void {
  ends.add(end)
}

/** Empties every store of an account: at a sign-out here, and when somebody else has signed in. */
export function endAccountStores(): void {
  for (const end of ends) end()
}

export type AccountStore<State> = {
  readonly read: () => State
  readonly write: (state: State) => void
  readonly use: () => State
}

/** `onEnd` gets what the store held when its account ends. */
export function createAccountStore<State>(
  empty: State,
  onEnd: (last: State) => void = () => {},
): AccountStore<State> {
  let state = empty
  const listeners = new Set<() => void>()
  const read = () => state
  const write = (next: State) => {
    state = next
    for (const listener of listeners) listener()
  }
  const subscribe = (listener: () => void) => {
    listeners.add(listener)
    return () => void listeners.delete(listener)
  }
  whenAccountEnds(() => {
    const last = state
    write(empty)
    onEnd(last)
  })
  return { read, write, use: () => useSyncExternalStore(subscribe, read) }
}
