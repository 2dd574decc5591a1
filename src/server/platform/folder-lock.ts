/**
 * One process at a time may use a data folder. The lock is the operating system's own, taken through
 * SQLite on an empty file: it ends with the process however that ends, so none is ever left behind.
 */
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { StartError } from './start-error.ts'

export function lockFolder(folder: string): { release: () => void } {
  const lock = new DatabaseSync(join(folder, 'lock'))
  try {
    lock.exec('pragma locking_mode = exclusive; begin exclusive')
  } catch {
    lock.close()
    throw new StartError(
      `DATA_DIR: ${folder} is in use by another process; stop that one, or give this one a folder of its own`,
    )
  }
  return { release: () => lock.close() }
}
