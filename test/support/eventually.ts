/**
 * Waiting for a state. Every wait in the tests is bounded by `patienceMs`: far longer than any wait
 * takes on a busy machine, so that it ends a test which would wait for ever and judges no speed.
 */
import { setTimeout as sleep } from 'node:timers/promises'

export const patienceMs = 90_000

const pauseMs = 25

/** Asks again until `ask` no longer throws, and returns its answer. */
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
