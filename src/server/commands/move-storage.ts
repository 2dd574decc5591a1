/** Runs `npm run move-storage`: copies DATA_DIR/storage to the configured S3 store. The local files stay. */
import { join } from 'node:path'
import { moveFiles } from '../backup/move-storage.ts'
import { parseConfig, readEnvironment } from '../config/config.ts'
import { createStorage } from '../open-context.ts'
import { readCommandLine } from '../platform/command-line.ts'
import { reasonOf, StartError } from '../platform/start-error.ts'
import { requireIn } from './existing-site.ts'

readCommandLine({ usage: 'npm run move-storage' })
try {
  const config = parseConfig(readEnvironment(process.cwd(), process.env))
  if (config.storage.kind !== 's3')
    throw new StartError('STORAGE must be s3, with the settings of the store to move to')
  requireIn(config.dataDir, 'storage')
  const from = await createStorage({ ...config, storage: { kind: 'fs' } })
  const to = await createStorage(config)
  await to.check()
  const record = join(config.dataDir, 'storage', '.moved')
  const { copied, present, removed } = await moveFiles(from, to, record)
  await Promise.all([from.close(), to.close()])
  process.stdout.write(
    `copied ${copied} files, skipped ${present} that were already in the store, removed ${removed} from the store that no longer exist here, compared every hash. Keep STORAGE=s3 set from now on\n`,
  )
} catch (error) {
  process.stderr.write(`${reasonOf(error)}\n`)
  process.exitCode = 1
}
