/**
 * Checks that a site exists, for commands that need one. In a wrong folder they would create an empty site,
 * or report that nothing is wrong. This runs before the settings are read, because that may create a
 * secret.
 */
import { existsSync, statSync } from 'node:fs'
import { join, resolve } from 'node:path'
import type { Environment } from '../config/environment.ts'
import { readerOf } from '../config/environment.ts'
import { settings } from '../config/settings.ts'
import { StartError } from '../platform/start-error.ts'

/** Throws if there is no site. `opens`: 'database' to change the database, 'all' to read everything. */
export function requireSite(environment: Environment, opens: 'database' | 'all'): void {
  const read = readerOf(environment)
  const dataDir = resolve(read(settings.dataDir))
  if (!read(settings.databaseUrl)) {
    requireIn(dataDir, 'postgres/PG_VERSION')
    if (opens === 'database') refuseOthers(join(dataDir, 'postgres'))
  } else if (opens === 'all' && read(settings.storage) !== 's3') requireIn(dataDir, 'storage')
}

export function requireIn(dataDir: string, name: string): void {
  if (existsSync(join(dataDir, name))) return
  throw new StartError(
    `DATA_DIR: there is no site in ${dataDir}; run this command with the settings of the service`,
  )
}

/**
 * Refuses to run as root on another user's database: that user could no longer open files that root writes.
 */
function refuseOthers(folder: string): void {
  const { uid } = statSync(folder)
  if (process.getuid?.() === 0 && uid !== 0)
    throw new StartError(
      `DATA_DIR: ${folder} belongs to the user ${uid}; run this as that user, as the service does`,
    )
}
