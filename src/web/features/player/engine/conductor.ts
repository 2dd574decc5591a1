/**
 * Runs a show in time. The conductor holds the current value, sets a timer for the next due change, and
 * notifies its listeners. The clock is a parameter, so that a test can replace it.
 */
import type { Show } from './show.ts'
import { dueInMs, elapse } from './show.ts'

export type Clock = {
  readonly nowMs: () => number
  /** Calls `ring` after this time. Returns a function that cancels the call. */
  readonly after: (ms: number, ring: () => void) => () => void
}

export const browserClock: Clock = {
  nowMs: () => performance.now(),
  after: (ms, ring) => {
    const timer = setTimeout(ring, ms)
    return () => clearTimeout(timer)
  },
}

export function conduct(begin: Show, clock: Clock = browserClock) {
  let show = begin
  let sinceMs = clock.nowMs()
  let cancel = nothing
  let isNotifying = false
  let mustNotifyAgain = false
  const listeners = new Set<() => void>()

  function catchUp(): void {
    const nowMs = clock.nowMs()
    show = elapse(show, nowMs - sinceMs)
    sinceMs = nowMs
  }

  function change(step: (show: Show) => Show): void {
    catchUp()
    show = step(show)
    notify()
  }

  function notify(): void {
    cancel()
    const dueMs = dueInMs(show)
    cancel = dueMs === null ? nothing : clock.after(Math.ceil(dueMs), ring)
    // A listener may change the show too. All listeners then run once more after this round.
    mustNotifyAgain = true
    if (isNotifying) return
    isNotifying = true
    try {
      while (mustNotifyAgain) {
        mustNotifyAgain = false
        for (const listener of listeners) listener()
      }
    } finally {
      isNotifying = false
    }
  }

  function ring(): void {
    catchUp()
    notify()
  }

  return {
    read: () => show,
    change,
    /** Returns the part of its `holdMs` that the current slide has used by now. */
    elapsedMs: () => elapse(show, clock.nowMs() - sinceMs).elapsedMs,
    subscribe: (listener: () => void): (() => void) => {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
    /** Starts the time of the show. Returns a function that stops it and removes all listeners. */
    start(): () => void {
      sinceMs = clock.nowMs()
      notify()
      return () => {
        cancel()
        listeners.clear()
      }
    },
  }
}

function nothing(): void {}
