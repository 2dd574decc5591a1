/** `npm run move-storage`: from DATA_DIR/storage to the S3 store of the settings. The files here stay. */
import { moveFiles } from '../backup/move-storage.ts'
import { parseConfig, readEnvironment } from '../config/config.ts'
import { createStorage } from '../open-context.ts'
import { readCommandLine } from '../platform/command-line.ts'
import { reasonOf, StartError } from '../platform/start-error.ts'

readCommandLine({ usage: 'npm run move-storage' })
try {
  const config = parseConfig(readEnvironment(process.cwd(), process.env))
  if (config.storage.kind !== 's3')
    throw new StartError('STORAGE must be s3, with the settings of the store to move to')
  const from = await createStorage({ ...config, storage: { kind: 'fs' } })
  const to = await createStorage(config)
  await to.check()
  const { copied, present } = await moveFiles(from, to)
  await Promise.all([from.close(), to.close()])
  process.stdout.write(
    `copied ${copied} files, ${present} were there; every hash was compared. Keep STORAGE=s3 set from now on\n`,
  )
} catch (error) {
  process.stderr.write(`${reasonOf(error)}\n`)
  process.exitCode = 1
}
