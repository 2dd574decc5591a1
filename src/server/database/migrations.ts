/**
 * Brings the database's schema up to date from `migrations/*.sql`, in order and once. Each migration
 * is one transaction behind an advisory lock: nodes that start together take turns, and one that fails
 * or is killed leaves nothing of itself. None waits long for a lock, as everyone else waits behind it.
 */
import { createHash } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { reasonOf, StartError } from '../platform/start-error.ts'
import type { DatabaseHandle } from './database.ts'
import { makeLiveViews } from './live-views.ts'
import { isDatabaseOutage } from './outage.ts'

export type Migration = { name: string; script: string; hash: string }

const folder = new URL('../../../migrations/', import.meta.url)
const lockKey = 7_316_201_964

export async function readMigrations(): Promise<Migration[]> {
  const names = (await readdir(fileURLToPath(folder))).filter((name) => name.endsWith('.sql'))
  return Promise.all(names.toSorted().map(readMigration))
}

/** Runs what has not run yet and returns its names. */
export async function migrate(
  database: DatabaseHandle,
  options: { migrations?: Migration[]; lockTimeoutMs?: number; statementTimeoutMs?: number } = {},
): Promise<string[]> {
  const { lockTimeoutMs = 10_000, statementTimeoutMs = 15 * 60 * 1000 } = options
  const migrations = options.migrations ?? (await readMigrations())
  const applied: string[] = []
  for (;;) {
    const name = await applyNext(database, migrations, { lockTimeoutMs, statementTimeoutMs })
    if (name === null) return applied
    applied.push(name)
  }
}

type Timeouts = { lockTimeoutMs: number; statementTimeoutMs: number }

/** What is pending is read anew under the lock: another node may have been here meanwhile. */
async function applyNext(
  database: DatabaseHandle,
  migrations: Migration[],
  timeouts: Timeouts,
): Promise<string | null> {
  let subject = ''
  try {
    return await database.runScripts(async (scripts) => {
      await scripts.read(`select pg_advisory_xact_lock(${lockKey})`)
      await scripts.run(`create table if not exists schema_migrations (
        name text primary key, hash text not null, applied_at timestamptz not null default now()
      )`)
      const applied = await scripts.read<{ name: string; hash: string }>(
        'select name, hash from schema_migrations',
      )
      const hashes = new Map(applied.map(({ name, hash }) => [name, hash]))
      const [next] = pendingOf(migrations, hashes)
      if (!next) return null
      subject = `migrations/${next.name}: `
      // Only from here on: the turn itself is waited for as long as another node's migration takes.
      await scripts.run(`set local lock_timeout = ${timeouts.lockTimeoutMs};
        set local statement_timeout = ${timeouts.statementTimeoutMs}`)
      await scripts.run(next.script)
      await scripts.run(makeLiveViews)
      await scripts.run(
        `insert into schema_migrations (name, hash) values ('${next.name}', '${next.hash}')`,
      )
      return next.name
    })
  } catch (error) {
    if (error instanceof StartError || isDatabaseOutage(error)) throw error
    throw new StartError(
      `the database cannot be migrated: ${subject}${explainFailure(error, timeouts)}`,
      { cause: error },
    )
  }
}

/** By the codes that PostgreSQL gives them. */
function explainFailure(error: unknown, timeouts: Timeouts): string {
  const code = error instanceof Error && 'code' in error ? error.code : null
  if (code === '55P03')
    return `a table was in use by another connection for more than ${timeouts.lockTimeoutMs / 1000} s; nothing of it was done, try again`
  if (code === '57014')
    return `one statement took more than ${timeouts.statementTimeoutMs / 1000} s; nothing of it was done`
  return reasonOf(error)
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
