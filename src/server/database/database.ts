/**
 * The database: PostgreSQL embedded in this process, or a PostgreSQL server. Both take the same SQL
 * through Kysely, return the same JavaScript values, and run the same migrations.
 */
import type { Kysely, Transaction } from 'kysely'
import type { ConstructorOptions } from 'pg-boss'
import type { Log } from '../platform/log.ts'
import type { Notifications } from './notifications.ts'
import type { OutageLog } from '../platform/outage-log.ts'
import { connectToServer } from './server.ts'
import type { Tables } from './tables.ts'

export type Database = Kysely<Tables> | Transaction<Tables>

export type DatabaseHandle = {
  readonly db: Kysely<Tables>
  /** Runs one statement without the query builder, outside any transaction. */
  readonly query: <Row>(text: string, parameters: readonly unknown[]) => Promise<Row[]>
  /** How the job queue reaches the same database. */
  readonly queueConnection: Pick<ConstructorOptions, 'db' | 'backend'>
  /** Runs a script of several statements, with `read` for queries, in one transaction. */
  readonly runScripts: <T>(work: (scripts: Scripts) => Promise<T>) => Promise<T>
  /** Notifications from commits on any node. Close them before the database. */
  readonly openNotifications: (log: Log) => Promise<Notifications>
  readonly close: () => Promise<void>
}

export type Scripts = {
  run(script: string): Promise<void>
  read<Row>(query: string): Promise<Row[]>
}

export async function openDatabase(
  settings: {
    databaseUrl: string | undefined
    databaseDirectUrl?: string | undefined
    dataDir: string
    embeddedSync?: boolean
  },
  log?: OutageLog,
): Promise<DatabaseHandle> {
  if (settings.databaseUrl)
    return connectToServer(settings.databaseUrl, log, settings.databaseDirectUrl)
  const { openEmbeddedDatabase } = await import('./embedded.ts')
  return openEmbeddedDatabase(settings.dataDir, { isDurable: settings.embeddedSync ?? false })
}
