/**
 * Prepares a migrated database once for each engine, so that every test file starts from a copy: a dump for
 * the embedded engine, a template for the server.
 */
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { PGlite } from '@electric-sql/pglite'
import type { TestProject } from 'vitest/node'
import { installDatabase } from '../../scripts/install-database.ts'
import { embeddedOptions, handleOf } from '../../src/server/database/embedded.ts'
import { connectToServer } from '../../src/server/database/server.ts'
import { startPgBouncer } from './pgbouncer.ts'
import { startPostgres } from './postgres-server.ts'

declare module 'vitest' {
  // oxlint-disable-next-line typescript/consistent-type-definitions -- merging needs an interface
  interface ProvidedContext {
    embeddedDump: string
    postgresUrl: string
    /** The URL of a PgBouncer, with TEST_POOLER=1; otherwise empty. */
    poolerUrl: string
  }
}

export const templateDatabase = 'lanternist_template'

export default async function setup(project: TestProject) {
  return project.config.env['TEST_ENGINE'] === 'postgres'
    ? preparePostgres(project)
    : prepareEmbedded(project)
}

async function prepareEmbedded(project: TestProject) {
  const folder = await mkdtemp(join(tmpdir(), 'lanternist-dump-'))
  const file = join(folder, 'migrated.tar')
  const pglite = await PGlite.create('memory://', embeddedOptions)
  await installDatabase(handleOf(pglite))
  const dump = await pglite.dumpDataDir('none')
  await pglite.close()
  await writeFile(file, Buffer.from(await dump.arrayBuffer()))
  project.provide('embeddedDump', file)
  return () => rm(folder, { recursive: true })
}

async function preparePostgres(project: TestProject) {
  // Each test file has a database, and autovacuum would visit every one of them once a minute.
  const server = await startPostgres({ fsync: false, settings: ['autovacuum=off'] })
  await server.administer(`create database ${templateDatabase}`)
  const database = await connectToServer(server.urlOf(templateDatabase))
  await installDatabase(database)
  await database.close()
  project.provide('postgresUrl', server.urlOf('postgres'))
  const pooler =
    process.env['TEST_POOLER'] === '1' ? await startPgBouncer(server.urlOf('postgres')) : null
  project.provide('poolerUrl', pooler?.urlOf(server.urlOf('postgres')) ?? '')
  return async () => {
    await pooler?.stop()
    await server.stop()
  }
}
