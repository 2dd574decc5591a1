/**
 * Runs `npm run backup -- <folder>`: saves all of the site into a new folder. With a PostgreSQL server the
 * service keeps running. With the embedded database it must be stopped.
 */
import { resolve } from 'node:path'
import { takeBackup } from '../backup/take-backup.ts'
import { parseConfig, readEnvironment } from '../config/config.ts'
import { createStorage } from '../open-context.ts'
import { readCommandLine } from '../platform/command-line.ts'
import { reasonOf } from '../platform/start-error.ts'
import { requireSite } from './existing-site.ts'

/** The secrets that are needed to read or trust the saved data. */
const secretNames = ['SESSION_SECRET', 'SESSION_SECRET_PREVIOUS', 'SECRET_KEYS']

const { positionals } = readCommandLine({ usage: 'npm run backup -- <new folder>', words: 1 })
const folder = resolve(...positionals)
let closing = async () => {}
try {
  const environment = readEnvironment(process.cwd(), process.env)
  requireSite(environment, 'all')
  const config = parseConfig(environment)
  const given = secretNames.map((name) => [name, environment[name]?.trim()])
  const secrets: Record<string, string> = {
    ...Object.fromEntries(given.filter(([, value]) => value)),
    SESSION_SECRET: config.sessionSecrets[0],
  }
  const storage = await createStorage(config)
  closing = () => storage.close()
  const { moment, files } = await takeBackup(config, storage, secrets, folder)
  process.stdout.write(
    `saved ${files} files in ${folder}; they contain everything that was acknowledged before ${moment}, and the secrets\n`,
  )
} catch (error) {
  process.stderr.write(`${reasonOf(error)}\n`)
  process.exitCode = 1
} finally {
  await closing()
}
