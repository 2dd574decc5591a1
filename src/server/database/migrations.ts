/**
 * Brings the database's schema up to date from `migrations/*.sql`, in order and once. All of it is
 * one transaction behind an advisory lock: nodes that start together wait for the first, and a
 * process killed half-way leaves the schema as it was.
 */
import { createHash } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import type { DatabaseHandle } from './database.ts'
import { isDatabaseOutage } from './outage.ts'
import { reasonOf, StartError } from '../platform/start-error.ts'

export type Migration = { name: string; script: string; hash: string }

const folder = new URL('../../../migrations/', import.meta.url)
const lockKey = 7_316_201_964

export async function readMigrations(): Promise<Migration[]> {
  const names = (await readdir(fileURLToPath(folder))).filter((name) => name.endsWith('.sql'))
  return Promise.all(names.toSorted().map(readMigration))
}

/** Runs what has not run yet and returns its names. */
export async function migrate(database: DatabaseHandle): Promise<string[]> {
  const migrations = await readMigrations()
  try {
    return await runPending(database, migrations)
  } catch (error) {
    if (error instanceof StartError || isDatabaseOutage(error)) throw error
    throw new StartError(`the database cannot be migrated: ${reasonOf(error)}`)
  }
}

function runPending(database: DatabaseHandle, migrations: Migration[]): Promise<string[]> {
  return database.runScripts(async (scripts) => {
    await scripts.read(`select pg_advisory_xact_lock(${lockKey})`)
    await scripts.run(`create table if not exists schema_migrations (
      name text primary key, hash text not null, applied_at timestamptz not null default now()
    )`)
    const applied = await scripts.read<{ name: string; hash: string }>(
      'select name, hash from schema_migrations',
    )
    const pending = pendingOf(migrations, new Map(applied.map(({ name, hash }) => [name, hash])))
    for (const migration of pending) {
      await scripts.run(migration.script)
      await scripts.run(
        `insert into schema_migrations (name, hash) values ('${migration.name}', '${migration.hash}')`,
      )
    }
    return pending.map(({ name }) => name)
  })
}

async function readMigration(name: string): Promise<Migration> {
  const script = await readFile(new URL(name, folder), 'utf8')
  return { name, script, hash: createHash('sha256').update(script).digest('hex') }
}

function pendingOf(migrations: Migration[], applied: ReadonlyMap<string, string>): Migration[] {
  const edited = migrations.find(
    ({ name, hash }) => applied.has(name) && applied.get(name) !== hash,
  )
  if (edited)
    throw new StartError(`migrations/${edited.name} was changed after it had been applied`)
  const known = new Set(migrations.map(({ name }) => name))
  const unknown = [...applied.keys()].find((name) => !known.has(name))
  if (unknown)
    throw new StartError(`the database has migration ${unknown}, which this version lacks`)
  return migrations.filter(({ name }) => !applied.has(name))
}
