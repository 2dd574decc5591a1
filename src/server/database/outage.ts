/** A PostgreSQL that cannot be used: what counts as that, and what only is a statement's failure. */

/** Nobody's mistake, worth trying again. What the statement did, if it got there, is unknown. */
export class DatabaseUnreachable extends Error {
  override name = 'DatabaseUnreachable'
}

/** Also where something else was thrown because of it. */
export function isDatabaseOutage(error: unknown): boolean {
  return isCausedBy(error, (cause) => cause instanceof DatabaseUnreachable)
}

/** Shutting down, starting or crashed. */
const awayStates = /^(08...|57P0[123])$/
const noPlaceLeft = '53300'

/** Whether the disk of the database is full. */
export function isOutOfRoom(error: unknown): boolean {
  return isCausedBy(error, (cause) => sqlStateOf(cause) === '53100')
}

/**
 * Whether it was said by a PostgreSQL that works, rather than by whatever lies between it and us, or by
 * one that is about to go or to come.
 */
export function isAnswer(error: unknown): boolean {
  const state = sqlStateOf(error)
  return state !== undefined && !awayStates.test(state)
}

/** Refused as a matter of fact (no such database, a wrong password), or for now. */
export function asDatabaseError(error: unknown): unknown {
  if (error instanceof DatabaseUnreachable || !(error instanceof Error)) return error
  const state = sqlStateOf(error)
  const isOutage =
    state === undefined
      ? // A mistake in how a statement was put is a TypeError or RangeError of the driver.
        !(error instanceof TypeError || error instanceof RangeError)
      : awayStates.test(state) || state === noPlaceLeft
  if (!isOutage) return error
  return new DatabaseUnreachable(`PostgreSQL cannot be used: ${wordsOf(error)}`, { cause: error })
}

function isCausedBy(error: unknown, isIt: (cause: Error) => boolean): boolean {
  for (let cause = error; cause instanceof Error; cause = cause.cause) if (isIt(cause)) return true
  return false
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
