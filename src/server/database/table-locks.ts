/**
 * Locks for schema changes while requests run. A change that waits for a table blocks every request
 * behind it, and may deadlock with one. PostgreSQL resolves a deadlock by cancelling the first that has
 * waited for `deadlock_timeout`, which may be the request. So a change takes all its locks in less time
 * than that, or gives up and tries again.
 */
import { setTimeout as sleep } from 'node:timers/promises'

export type TableLocks = {
  /** Tables that are locked against reads too. */
  readonly closed: readonly string[]
  /** Tables that are locked against writes. */
  readonly readOnly: readonly string[]
}

/** SQL: limits each lock wait of this transaction, so that `waits` of them end before `deadlock_timeout`. */
export function limitLockWaits(waits: number): string {
  return `select set_config('lock_timeout', greatest(10, setting::int / 2 / ${Math.max(1, waits)})::text, true)
    from pg_settings where name = 'deadlock_timeout'`
}

/** SQL: several statements, for scripts. */
export function lockTables({ closed, readOnly }: TableLocks): string {
  return [
    ...closed.map((table) => `lock table ${table} in access exclusive mode;`),
    ...readOnly.map((table) => `lock table ${table} in exclusive mode;`),
  ].join('\n')
}

const contendedCodes = new Set([
  '55P03', // lock_not_available
  '40P01', // deadlock_detected
  '40001', // serialization_failure
])

/** True when a change failed because of concurrent work and is worth a retry. */
export function isContended(error: unknown): boolean {
  return error instanceof Error && 'code' in error && contendedCodes.has(String(error.code))
}

const pauseMs = 300

/** Retries a change while its tables are in use, for `patienceMs` after the first refusal. */
export async function retryWhileLocked<T>(
  patienceMs: number,
  change: () => Promise<T>,
): Promise<T> {
  let lastTryMs = Infinity
  for (;;) {
    try {
      return await change()
    } catch (error) {
      if (!isContended(error) || performance.now() > lastTryMs) throw error
      lastTryMs = Math.min(lastTryMs, performance.now() + patienceMs)
      // Let requests through. With jitter, or two nodes would collide again each time.
      await sleep(pauseMs * (0.5 + Math.random()))
    }
  }
}
