/**
 * The signed-in user as the server named them, and page state that belongs to that account: uploads, queues,
 * lists of running work. The state is cleared when the server names another account, so that nothing is shown
 * to, sent for or charged to the next person.
 */
import { useSyncExternalStore } from 'react'

/** Undefined until the server has answered. */
let namedId: string | null | undefined
/** The last account that was named. A sign-out does not change it, because its owner may return. */
let ownerId: string | null = null
const nameListeners = new Set<(id: string | null) => void>()
const ends = new Set<() => void>()

/** Called with every response that names the signed-in user; null if no user is signed in. */
export function nameUser(id: string | null): void {
  namedId = id
  if (id !== null && id !== ownerId) {
    if (ownerId !== null) endAccountStores()
    ownerId = id
  }
  for (const listener of nameListeners) listener(id)
}

/** Calls `listener` with the signed-in user now, and each time the server names one. */
export function whenUserIsNamed(listener: (id: string | null) => void): void {
  nameListeners.add(listener)
  if (namedId !== undefined) listener(namedId)
}

/** Registers `end`, which is called when this account's state is cleared. */
export function whenAccountEnds(end: () => void): void {
  ends.add(end)
}

/** Clears every store of the account: at a sign-out here, and when somebody else has signed in. */
export function endAccountStores(): void {
  for (const end of ends) end()
}

export type AccountStore<State> = {
  readonly read: () => State
  readonly write: (state: State) => void
  readonly use: () => State
}

/** Creates a store that is emptied with its account. `onEnd` gets its last content. */
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
