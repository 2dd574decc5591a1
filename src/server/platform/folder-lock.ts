/**
 * A lock that lets only one process use a data folder. SQLite takes an operating system lock on an empty
 * file. The lock ends with the process, however the process ends, so no stale lock is left.
 */
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { reasonOf, StartError } from './start-error.ts'

const busyCode = 5 // SQLITE_BUSY

export function lockFolder(folder: string): { release: () => void } {
  const lock = openLock(folder)
  try {
    lock.exec('pragma locking_mode = exclusive; begin exclusive')
  } catch (error) {
    lock.close()
    throw isBusy(error)
      ? new StartError(
          `DATA_DIR: ${folder} is in use by another process; stop that process, or use another folder`,
        )
      : unwritable(folder, error)
  }
  return { release: () => lock.close() }
}

function openLock(folder: string): DatabaseSync {
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 })
    return new DatabaseSync(join(folder, 'lock'))
  } catch (error) {
    throw unwritable(folder, error)
  }
}

function isBusy(error: unknown): boolean {
  return error instanceof Error && 'errcode' in error && error.errcode === busyCode
}

function unwritable(folder: string, error: unknown): StartError {
  return new StartError(`DATA_DIR: ${folder} cannot be written: ${reasonOf(error)}`)
}
