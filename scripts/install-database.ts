/** Prepares a database like a first start does: migrated, with the tables of the queue. */
import type { DatabaseHandle } from '../src/server/database/database.ts'
import { migrate } from '../src/server/database/migrations.ts'
import { createQueue } from '../src/server/jobs/queue.ts'
import { createLog } from '../src/server/platform/log.ts'
import { jobs } from '../src/server/wiring.ts'

export async function installDatabase(database: DatabaseHandle): Promise<void> {
  await migrate(database)
  const queue = await createQueue(database.queueConnection, jobs, createLog('silent'))
  await queue.stop(0)
}
