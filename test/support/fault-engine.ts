/** Where a fault test keeps the service's data: a folder, and on one engine a database on a server. */
import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Client } from 'pg'
import { startPostgres } from './postgres-server.ts'
import { unlimited } from './service-process.ts'

/** What one service lives in, empty at first; it outlives the processes that use it. */
export type Home = {
  readonly folder: string
  readonly dataDir: string
  readonly databaseUrl: string | undefined
  readonly settings: Record<string, string>
  /** Whether a process has begun to put something into the empty database. */
  hasBegun(): Promise<boolean>
  remove(): Promise<void>
}

export type FaultEngine = { newHome(): Promise<Home>; close(): Promise<void> }

export const faultEngines: Readonly<Record<'embedded' | 'postgres', () => Promise<FaultEngine>>> = {
  embedded: async () => ({ newHome: newEmbeddedHome, close: async () => {} }),
  postgres: openServerEngine,
}

async function newEmbeddedHome(): Promise<Home> {
  const { folder, dataDir, settings } = await newFolder()
  return {
    folder,
    dataDir,
    databaseUrl: undefined,
    settings,
    hasBegun: async () => (await readdir(join(dataDir, 'postgres')).catch(() => [])).length > 0,
    remove: () => rm(folder, { recursive: true, force: true }),
  }
}

async function openServerEngine(): Promise<FaultEngine> {
  const server = await startPostgres()
  const watcher = new Client({ connectionString: server.urlOf('postgres') })
  await watcher.connect()
  let made = 0
  return {
    async newHome() {
      const { folder, dataDir, settings } = await newFolder()
      const name = `home_${(made += 1)}`
      await server.administer(`create database ${name}`)
      const databaseUrl = server.urlOf(name)
      return {
        folder,
        dataDir,
        databaseUrl,
        settings: { ...settings, DATABASE_URL: databaseUrl },
        async hasBegun() {
          const query = 'select 1 from pg_stat_activity where datname = $1'
          return (await watcher.query(query, [name])).rows.length > 0
        },
        async remove() {
          await server.administer(`drop database ${name} with (force)`)
          await rm(folder, { recursive: true, force: true })
        },
      }
    },
    async close() {
      await watcher.end()
      await server.stop()
    },
  }
}

async function newFolder() {
  const folder = await mkdtemp(join(tmpdir(), 'lanternist-fault-'))
  const dataDir = join(folder, 'data')
  return { folder, dataDir, settings: { ...unlimited, DATA_DIR: dataDir } }
}
