/**
 * Runs `npm run move-database`: moves the embedded database in DATA_DIR to the empty one in DATABASE_URL.
 * The service must be stopped. The embedded database stays unchanged.
 */
import { Client } from 'pg'
import type { MovedTable } from '../backup/move-database.ts'
import { moveRows } from '../backup/move-database.ts'
import { inspectServer } from '../backup/postgres-programs.ts'
import type { Config } from '../config/config.ts'
import { parseConfig, readEnvironment } from '../config/config.ts'
import type { DatabaseHandle } from '../database/database.ts'
import { openDatabase } from '../database/database.ts'
import { migrate } from '../database/migrations.ts'
import { createQueue } from '../jobs/queue.ts'
import { readCommandLine } from '../platform/command-line.ts'
import { createLog } from '../platform/log.ts'
import { reasonOf, StartError } from '../platform/start-error.ts'
import { jobs } from '../wiring.ts'
import { requireIn } from './existing-site.ts'

readCommandLine({ usage: 'npm run move-database' })
try {
  process.stdout.write(`${await run(parseConfig(readEnvironment(process.cwd(), process.env)))}\n`)
} catch (error) {
  process.stderr.write(`${reasonOf(error)}\n`)
  process.exitCode = 1
}

async function run(config: Config): Promise<string> {
  const { databaseDirectUrl: databaseUrl, dataDir } = config
  if (!databaseUrl) throw new StartError('DATABASE_URL must name the database to move to')
  requireIn(dataDir, 'postgres/PG_VERSION')
  if (!(await inspectServer(databaseUrl)).isEmpty)
    throw new StartError('DATABASE_URL: that database is not empty; make a new one (createdb)')
  const source = await openDatabase({ ...config, databaseUrl: undefined })
  try {
    await prepare(source)
    await prepareServer(config)
    const moved = await moveTo(databaseUrl, source)
    const rows = moved.reduce((sum, table) => sum + table.rows, 0)
    return `moved ${rows} rows of ${moved.length} tables, and compared each row; keep DATABASE_URL set from now on`
  } finally {
    await source.close()
  }
}

async function prepareServer(config: Config): Promise<void> {
  const target = await openDatabase(config)
  try {
    await prepare(target)
  } finally {
    await target.close()
  }
}

async function moveTo(databaseUrl: string, source: DatabaseHandle): Promise<MovedTable[]> {
  const client = new Client({ connectionString: databaseUrl })
  await client.connect()
  try {
    return await moveRows(source, client)
  } finally {
    await client.end()
  }
}

/** Creates the same tables and queues on both sides. */
async function prepare(database: DatabaseHandle): Promise<void> {
  await migrate(database)
  const queue = await createQueue(database.queueConnection, jobs, createLog('error'))
  await queue.stop(0)
}
