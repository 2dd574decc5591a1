/**
 * Lets time pass for a show. It holds the current value, wakes when something is due, and tells
 * whoever listens; the clock is given, so that a test can be the clock.
 */
import type { Show } from './show.ts'
import { dueInMs, elapse } from './show.ts'

export type Clock = {
  readonly nowMs: () => number
  /** Calls back after a while, unless what it gave is called first. */
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
  let isTelling = false
  let mustTellAgain = false
  const listeners = new Set<() => void>()

  function catchUp(): void {
    const nowMs = clock.nowMs()
    show = elapse(show, nowMs - sinceMs)
    sinceMs = nowMs
  }

  function change(step: (show: Show) => Show): void {
    catchUp()
    show = step(show)
    tell()
  }

  function tell(): void {
    cancel()
    const dueMs = dueInMs(show)
    cancel = dueMs === null ? nothing : clock.after(Math.ceil(dueMs), ring)
    // A listener may change the show itself; everyone then hears of it once this round is done.
    mustTellAgain = true
    if (isTelling) return
    isTelling = true
    try {
      while (mustTellAgain) {
        mustTellAgain = false
        for (const listener of listeners) listener()
      }
    } finally {
      isTelling = false
    }
  }

  function ring(): void {
    catchUp()
    tell()
  }

  return {
    read: () => show,
    change,
    /** How much of its time the slide has had by now. */
    elapsedMs: () => elapse(show, clock.nowMs() - sinceMs).elapsedMs,
    subscribe: (listener: () => void): (() => void) => {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
    /** Begins to let time pass; what it gives stops it. */
    start(): () => void {
      sinceMs = clock.nowMs()
      tell()
      return () => {
        cancel()
        listeners.clear()
      }
    },
  }
}

function nothing(): void {}
