/**
 * Waits for a state. Every wait of the tests is limited by `patienceMs`. It is much longer than any wait
 * takes on a busy machine: it only ends a test that would wait forever, and does not test speed.
 */
import { setTimeout as sleep } from 'node:timers/promises'

export const patienceMs = 90_000

const pauseMs = 25

/** Calls `ask` until it no longer throws, and returns its result. */
export async function eventually<Answer>(ask: () => Promise<Answer> | Answer): Promise<Answer> {
  for (const deadlineMs = performance.now() + patienceMs; performance.now() < deadlineMs;) {
    try {
      return await ask()
    } catch {
      await sleep(pauseMs)
    }
  }
  return ask()
}
