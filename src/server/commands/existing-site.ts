/**
 * For commands about a site that is there: in the wrong place they would make an empty one, or say of
 * nothing that all of it is well. Asked before the settings are read, which may make a secret.
 */
import { existsSync, statSync } from 'node:fs'
import { join, resolve } from 'node:path'
import type { Environment } from '../config/environment.ts'
import { readerOf } from '../config/environment.ts'
import { settings } from '../config/settings.ts'
import { StartError } from '../platform/start-error.ts'

/** `opens` what: the database to work in it, or all of it only to be read. */
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
    `DATA_DIR: there is no site in ${dataDir}; give this command the settings that the service has`,
  )
}

/** What root writes into somebody else's database they cannot open any more. */
function refuseOthers(folder: string): void {
  const { uid } = statSync(folder)
  if (process.getuid?.() === 0 && uid !== 0)
    throw new StartError(
      `DATA_DIR: ${folder} belongs to the user ${uid}; run this as that user, as the service does`,
    )
}
