/**
 * A record that several parts read and change. All who listen hear of every change, one round after
 * the other: a listener may change the record itself without anybody seeing half of a change.
 */

export type Store<State extends object> = {
  readonly read: () => State
  readonly update: (part: Partial<State>) => void
  /** Gives what ends the subscription. */
  readonly subscribe: (listener: () => void) => () => void
}

/** Listeners that answer each other for longer than this would never end. */
const mostRounds = 100

export function createStore<State extends object>(first: State): Store<State> {
  let state = first
  let isTelling = false
  let hasChanged = false
  const listeners = new Set<() => void>()

  function tell(): void {
    isTelling = true
    try {
      for (let rounds = 0; hasChanged; rounds += 1) {
        if (rounds >= mostRounds) throw new Error('the listeners of a store never settle')
        hasChanged = false
        for (const listener of listeners) listener()
      }
    } finally {
      isTelling = false
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
      if (!isTelling) tell()
    },
    subscribe(listener) {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
  }
}
