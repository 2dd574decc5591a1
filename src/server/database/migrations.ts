/**
 * Brings the database's schema up to date from `migrations/*.sql`, in order and once. Each migration is
 * one transaction behind an advisory lock: nodes that start together take turns, and a migration that
 * fails or is killed is rolled back. It takes its locks first and gives way to requests.
 */
import { createHash } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { reasonOf, StartError } from '../platform/start-error.ts'
import type { DatabaseHandle, Scripts } from './database.ts'
import { liveViews, makeLiveViews } from './live-views.ts'
import { isDatabaseOutage } from './outage.ts'
import type { TableLocks } from './table-locks.ts'
import { limitLockWaits, retryWhileLocked, lockTables } from './table-locks.ts'

export type Migration = { name: string; script: string; hash: string }

const folder = new URL('../../../migrations/', import.meta.url)
const lockKey = 7_316_201_964

export async function readMigrations(): Promise<Migration[]> {
  const names = (await readdir(fileURLToPath(folder))).filter((name) => name.endsWith('.sql'))
  return Promise.all(names.toSorted().map(readMigration))
}

/** Runs the pending migrations and returns their names. */
export async function migrate(
  database: DatabaseHandle,
  options: { migrations?: Migration[] } & Partial<Patience> = {},
): Promise<string[]> {
  const { locksMs = 60_000, statementMs = 15 * 60 * 1000 } = options
  const migrations = options.migrations ?? (await readMigrations())
  const applied: string[] = []
  for (;;) {
    const name = await applyNext(database, migrations, { locksMs, statementMs })
    if (name === null) return applied
    applied.push(name)
  }
}

/** How long to wait for tables in use, and how long a statement may take. */
type Patience = { locksMs: number; statementMs: number }

/** Reads the pending migrations again under the lock: another node may have run some meanwhile. */
async function applyNext(
  database: DatabaseHandle,
  migrations: Migration[],
  patience: Patience,
): Promise<string | null> {
  let subject = ''
  const apply = () =>
    database.runScripts(async (scripts) => {
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
      // The limits start here: waiting for another node's migration is not limited.
      const locks = await locksOf(scripts, next.script)
      await scripts.run(limitLockWaits(locks.closed.length + locks.readOnly.length))
      await scripts.run(lockTables(locks))
      await scripts.run(`set local statement_timeout = ${patience.statementMs}`)
      await scripts.run(next.script)
      await scripts.run(makeLiveViews)
      await scripts.run(
        `insert into schema_migrations (name, hash) values ('${next.name}', '${next.hash}')`,
      )
      return next.name
    })
  try {
    return await retryWhileLocked(patience.locksMs, apply)
  } catch (error) {
    if (error instanceof StartError || isDatabaseOutage(error)) throw error
    throw new StartError(
      `the database cannot be migrated: ${subject}${explainFailure(error, patience)}`,
      { cause: error },
    )
  }
}

/**
 * Finds the existing tables that a script names. A view is locked before its table, in the order of
 * requests that read it. A column with the name of a table locks that table too, for a moment.
 */
async function locksOf(scripts: Scripts, script: string): Promise<TableLocks> {
  const rows = await scripts.read<{ name: string }>(`select relname as name from pg_class
    where relnamespace = 'public'::regnamespace and relkind in ('r', 'p', 'v')`)
  const known = new Set(rows.map(({ name }) => name))
  const code = script.replaceAll(/--.*$/gm, '').toLowerCase()
  const altered = new Set(
    [...code.matchAll(/\btable\s+(?:if exists\s+|only\s+|public\.)*(\w+)/g)].flatMap(
      ([, name = '']) => [liveViews[name] ?? name, name],
    ),
  )
  return {
    closed: [...altered].filter((name) => known.has(name)),
    readOnly: [...new Set(code.match(/\w+/g))].filter(
      (word) => known.has(word) && !altered.has(word),
    ),
  }
}

/** Looks at PostgreSQL's error codes. */
function explainFailure(error: unknown, patience: Patience): string {
  const code = error instanceof Error && 'code' in error ? error.code : null
  if (code === '55P03')
    return `a table was in use by another connection for more than ${patience.locksMs / 1000} s; the migration was rolled back, try again`
  if (code === '57014')
    return `one statement took more than ${patience.statementMs / 1000} s; the migration was rolled back`
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
  if (edited) throw new StartError(`migrations/${edited.name} was changed after it was applied`)
  const known = new Set(migrations.map(({ name }) => name))
  const unknown = [...applied.keys()].find((name) => !known.has(name))
  if (unknown)
    throw new StartError(`the database has migration ${unknown}, which this version does not have`)
  return migrations.filter(({ name }) => !applied.has(name))
}
