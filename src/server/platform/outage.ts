/** Outages: the database or the storage is unavailable for a while. */

/** A temporary failure that is worth a retry. It says nothing about the thing that was asked for. */
export class Outage extends Error {
  override name = 'Outage'
}

/** Returns true also for an error that an outage caused. */
export function isOutage(error: unknown): boolean {
  return isCausedBy(error, (cause) => cause instanceof Outage)
}

export function isCausedBy(error: unknown, isIt: (cause: Error) => boolean): boolean {
  for (let cause = error; cause instanceof Error; cause = cause.cause) if (isIt(cause)) return true
  return false
}
