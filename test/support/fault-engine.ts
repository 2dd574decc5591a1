/** The data of a service in a fault test: a folder, and on one engine a database on a server. */
import { existsSync, readdirSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Client } from 'pg'
import type { FaultTools } from './fault.ts'
import { startPostgres } from './postgres-server.ts'
import { unlimited } from './service-process.ts'

/** The data of one service, empty at first. It outlives the processes that use it. */
export type Home = {
  readonly folder: string
  readonly dataDir: string
  readonly databaseUrl: string | undefined
  readonly settings: Record<string, string>
  /**
   * Returns a number that increases from 0 while a first start fills the database: entries of its folder, or
   * connections.
   */
  growth(): Promise<number>
  /** Returns true if the database looks complete: its version file exists, or a client has connected. */
  looksWhole(): Promise<boolean>
  remove(): Promise<void>
}

export type FaultEngine = { newHome(): Promise<Home>; close(): Promise<void> }

export const faultEngines: Readonly<Record<'embedded' | 'postgres', () => Promise<FaultEngine>>> = {
  embedded: openEmbeddedEngine,
  postgres: openServerEngine,
}

/**
 * Creates a home on a separate server, which stops after the row. Use it where the engine does not matter: it
 * is the faster one.
 */
export async function newServerHome({ afterwards }: Pick<FaultTools, 'afterwards'>): Promise<Home> {
  const engine = await faultEngines.postgres()
  afterwards(() => engine.close())
  return engine.newHome()
}

async function openEmbeddedEngine(): Promise<FaultEngine> {
  const root = await newRoot()
  return {
    async newHome() {
      const { folder, dataDir, settings } = await newFolder(root)
      return {
        folder,
        dataDir,
        databaseUrl: undefined,
        settings,
        growth: async () => entriesIn(join(dataDir, 'postgres')),
        looksWhole: async () => existsSync(join(dataDir, 'postgres', 'PG_VERSION')),
        remove: () => rm(folder, { recursive: true }),
      }
    },
    close: () => rm(root, { recursive: true }),
  }
}

async function openServerEngine(): Promise<FaultEngine> {
  const root = await newRoot()
  const server = await startPostgres()
  const watcher = new Client({ connectionString: server.urlOf('postgres') })
  await watcher.connect()
  let made = 0
  return {
    async newHome() {
      const { folder, dataDir, settings } = await newFolder(root)
      const name = `home_${(made += 1)}`
      await server.administer(`create database ${name}`)
      const databaseUrl = server.urlOf(name)
      const growth = async () => {
        const query = 'select count(*)::int as count from pg_stat_activity where datname = $1'
        return (await watcher.query<{ count: number }>(query, [name])).rows[0]?.count ?? 0
      }
      return {
        folder,
        dataDir,
        databaseUrl,
        settings: { ...settings, DATABASE_URL: databaseUrl },
        growth,
        looksWhole: async () => (await growth()) > 0,
        async remove() {
          await server.administer(`drop database ${name} with (force)`)
          await rm(folder, { recursive: true })
        },
      }
    },
    async close() {
      await watcher.end()
      await server.stop()
      await rm(root, { recursive: true })
    },
  }
}

/** Counts the entries; files may appear and disappear meanwhile. */
function entriesIn(folder: string): number {
  try {
    return readdirSync(folder, { recursive: true }).length
  } catch {
    return 0
  }
}

function newRoot(): Promise<string> {
  return mkdtemp(join(tmpdir(), 'lanternist-fault-'))
}

async function newFolder(root: string) {
  const folder = await mkdtemp(join(root, 'home-'))
  const dataDir = join(folder, 'data')
  return { folder, dataDir, settings: { ...unlimited, DATA_DIR: dataDir } }
}
