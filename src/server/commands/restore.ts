/** Runs `npm run restore -- <folder>`: restores a backup into an empty database, storage and DATA_DIR. */
import { resolve } from 'node:path'
import { readWholeBackup } from '../backup/manifest.ts'
import { readSecrets, restoreBackup } from '../backup/restore-backup.ts'
import { parseConfig, readEnvironment } from '../config/config.ts'
import { createStorage } from '../open-context.ts'
import { readCommandLine } from '../platform/command-line.ts'
import { reasonOf } from '../platform/start-error.ts'

const { positionals } = readCommandLine({
  usage: 'npm run restore -- <folder of a backup>',
  words: 1,
})
try {
  const folder = resolve(...positionals)
  const manifest = await readWholeBackup(folder)
  const secrets = await readSecrets(folder)
  const environment = readEnvironment(process.cwd(), process.env)
  // The secret is passed so that none is created: a development site keeps its previous one.
  const config = parseConfig({ SESSION_SECRET: secrets['SESSION_SECRET'], ...environment })
  const openStorage = (dataDir: string) => createStorage({ ...config, dataDir })
  await restoreBackup(config, openStorage, folder, manifest)
  process.stdout.write(
    `restored ${manifest.files.length} files from the backup of ${manifest.head.moment}, made by version ${manifest.head.version}\n`,
  )
  for (const [name, value] of Object.entries(secrets)) {
    const isSet = environment[name]?.trim()
    if (isSet === value || (!isSet && name === 'SESSION_SECRET' && !config.production)) continue
    process.stdout.write(
      `${name} ${isSet ? 'differs from the backup' : 'is not set'}: take it from ${folder}/secrets.json\n`,
    )
  }
} catch (error) {
  process.stderr.write(`${reasonOf(error)}\n`)
  process.exitCode = 1
}
