/** A database as a first start leaves it before anybody comes: migrated, with the tables of the queue. */
import { PGlite } from '@electric-sql/pglite'
import type { DatabaseHandle } from '../src/server/database/database.ts'
import { embeddedOptions, handleOf } from '../src/server/database/embedded.ts'
import { migrate } from '../src/server/database/migrations.ts'
import { createQueue } from '../src/server/jobs/queue.ts'
import { createLog } from '../src/server/platform/log.ts'
import { jobs } from '../src/server/wiring.ts'

export async function install(database: DatabaseHandle): Promise<void> {
  await migrate(database)
  const queue = await createQueue(database.queueConnection, jobs, createLog('silent'))
  await queue.stop(0)
}

/** The folder of an embedded one, as a tar. */
export async function installedFolder(): Promise<Buffer> {
  const pglite = await PGlite.create('memory://', embeddedOptions)
  try {
    await install(handleOf(pglite))
    // What is in the tables need not be in the log as well.
    await pglite.exec('checkpoint')
    const folder = await pglite.dumpDataDir('none')
    return Buffer.from(await folder.arrayBuffer())
  } finally {
    await pglite.close()
  }
}
