/** Tells an unreachable PostgreSQL from a statement that failed. */
import { isCausedBy, Outage } from '../platform/outage.ts'

/** Worth a retry. Whether the statement took effect is unknown. */
export class DatabaseUnreachable extends Outage {
  override name = 'DatabaseUnreachable'
}

/** Also true for an error that has an outage as its cause. */
export function isDatabaseOutage(error: unknown): boolean {
  return isCausedBy(error, (cause) => cause instanceof DatabaseUnreachable)
}

/** Shutting down, starting or crashed. */
const awayStates = /^(08...|57P0[123])$/
const tooManyConnections = '53300'

/** True when the disk of the database is full. */
export function isDiskFull(error: unknown): boolean {
  return isCausedBy(error, (cause) => sqlStateOf(cause) === '53100')
}

/**
 * True when a working PostgreSQL sent this error, as opposed to a proxy in between, or a PostgreSQL that
 * is starting up or shutting down.
 */
export function isAnswer(error: unknown): boolean {
  const state = sqlStateOf(error)
  return state !== undefined && !awayStates.test(state)
}

/** Tells a permanent refusal (no such database, a wrong password) from a temporary one. */
export function asDatabaseError(error: unknown): unknown {
  if (error instanceof DatabaseUnreachable || !(error instanceof Error)) return error
  const state = sqlStateOf(error)
  const isOutage =
    state === undefined
      ? // The driver reports a malformed statement as a TypeError or RangeError.
        !(error instanceof TypeError || error instanceof RangeError)
      : awayStates.test(state) || state === tooManyConnections
  if (!isOutage) return error
  return new DatabaseUnreachable(`PostgreSQL cannot be used: ${wordsOf(error)}`, { cause: error })
}

function sqlStateOf(error: unknown): string | undefined {
  return error instanceof Error &&
    'severity' in error &&
    'code' in error &&
    typeof error.code === 'string'
    ? error.code
    : undefined
}

function wordsOf(error: Error): string {
  const [first] = error instanceof AggregateError ? error.errors : [error]
  return first instanceof Error ? first.message : String(first)
}
