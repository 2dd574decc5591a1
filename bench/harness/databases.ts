/** The one PostgreSQL server of a run, started when the first benchmark needs it. */
import { migrate } from '../../src/server/database/migrations.ts'
import { connectToServer } from '../../src/server/database/server.ts'
import type { PostgresServer } from '../../test/support/postgres-server.ts'
import { startPostgres } from '../../test/support/postgres-server.ts'

export type Databases = {
  /** Creates a database and returns its address: a copy of a migrated one, or one without a table. */
  readonly create: (name: string, content?: 'migrated' | 'empty') => Promise<string>
  readonly stop: () => Promise<void>
}

const template = 'bench_template'

export function openDatabases(options: { fsync: boolean }): Databases {
  let starting: Promise<PostgresServer> | undefined
  return {
    async create(name, content = 'migrated') {
      const server = await (starting ??= startWithTemplate(options))
      const from = content === 'migrated' ? template : 'template1'
      await server.administer(`create database ${name} template ${from}`)
      return server.urlOf(name)
    },
    async stop() {
      const server = await starting?.catch(() => undefined)
      await server?.stop()
    },
  }
}

async function startWithTemplate(options: { fsync: boolean }): Promise<PostgresServer> {
  const server = await startPostgres(options)
  await server.administer(`create database ${template}`)
  const database = await connectToServer(server.urlOf(template))
  try {
    await migrate(database)
  } finally {
    await database.close()
  }
  return server
}
