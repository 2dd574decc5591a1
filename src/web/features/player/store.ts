/**
 * A record that several parts read and change. A listener may change the record too: the store then
 * notifies all listeners once more after the current round, so that no listener sees half of a change.
 */

export type Store<State extends object> = {
  readonly read: () => State
  readonly update: (part: Partial<State>) => void
  /** Returns a function that ends the subscription. */
  readonly subscribe: (listener: () => void) => () => void
}

/** Listeners that still change the record after so many rounds are in an endless loop. */
const maxRounds = 100

export function createStore<State extends object>(first: State): Store<State> {
  let state = first
  let isNotifying = false
  let hasChanged = false
  const listeners = new Set<() => void>()

  function notify(): void {
    isNotifying = true
    try {
      for (let rounds = 0; hasChanged; rounds += 1) {
        if (rounds >= maxRounds) throw new Error('the listeners of a store never settle')
        hasChanged = false
        for (const listener of listeners) listener()
      }
    } finally {
      isNotifying = false
    }
  }

  return {
    read: () => state,
    update(part) {
      const next = { ...state, ...part }
      const names = Object.keys(part) as (keyof State)[]
      if (names.every((name) => Object.is(next[name], state[name]))) return
      state = next
      hasChanged = true
      if (!isNotifying) notify()
    },
    subscribe(listener) {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
  }
}
