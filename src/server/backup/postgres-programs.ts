/**
 * Runs pg_dump and pg_restore of the server's own version: an older program refuses the server, and the
 * server may not understand the output of a newer one.
 */
import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { delimiter, join } from 'node:path'
import { promisify } from 'node:util'
import { Client } from 'pg'
import { StartError } from '../platform/start-error.ts'

type Program = 'pg_dump' | 'pg_restore'

const maxMessageBytes = 4000

/** Reads the facts about a server that a backup or a restore needs. */
export async function inspectServer(databaseUrl: string): Promise<{
  major: number
  now: Date
  isEmpty: boolean
  /** True if it contains a site. */
  isMigrated: boolean
  /** The same for two addresses of the same database. */
  identity: string
}> {
  const client = new Client({ connectionString: databaseUrl, connectionTimeoutMillis: 10_000 })
  await client.connect()
  try {
    type Row = {
      version: number
      now: Date
      is_empty: boolean
      is_migrated: boolean
      identity: string
    }
    const { rows } = await client.query<Row>(
      `select current_setting('server_version_num')::int as version, clock_timestamp() as now,
        to_regclass('public.schema_migrations') is not null as is_migrated,
        current_database() || ' since ' || extract(epoch from pg_postmaster_start_time())
          as identity,
        not exists (
          select from pg_class join pg_namespace on pg_namespace.oid = relnamespace
          where nspname !~ '^pg_' and nspname <> 'information_schema'
        ) as is_empty`,
    )
    const [row] = rows
    if (!row) throw new StartError('DATABASE_URL: PostgreSQL did not report its version')
    return {
      major: Math.floor(row.version / 10_000),
      now: row.now,
      isEmpty: row.is_empty,
      isMigrated: row.is_migrated,
      identity: row.identity,
    }
  } finally {
    await client.end()
  }
}

/** Runs a program to its end. Passes the password in the environment: every user can see arguments. */
export async function runProgram(
  program: Program,
  major: number,
  databaseUrl: string,
  words: readonly string[],
): Promise<void> {
  const path = await findProgram(program, major)
  const url = new URL(databaseUrl)
  const password = decodeURIComponent(url.password)
  url.password = ''
  const env = { ...process.env, ...(password && { PGPASSWORD: password }) }
  const child = spawn(path, [...words, `--dbname=${url.href}`], {
    env,
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  let said = ''
  child.stderr.on('data', (chunk: Buffer) => {
    if (said.length < maxMessageBytes) said += chunk.toString()
  })
  const [code] = (await once(child, 'close')) as [number | null]
  if (code !== 0) throw new Error(`${program} failed: ${said.trim() || `exit code ${code}`}`)
}

async function findProgram(program: Program, major: number): Promise<string> {
  const found: string[] = []
  for (const folder of [
    ...(process.env['PATH'] ?? '').split(delimiter),
    `/usr/lib/postgresql/${major}/bin`,
    `/usr/pgsql-${major}/bin`,
    `/opt/homebrew/opt/postgresql@${major}/bin`,
  ]) {
    const path = join(folder, program)
    const version = await versionOf(path)
    if (version === major) return path
    if (version !== null) found.push(String(version))
  }
  const others = found.length > 0 ? `; found ${[...new Set(found)].join(', ')}` : ''
  throw new StartError(
    `${program} ${major} is needed for a PostgreSQL server ${major}${others}; it is in the package postgresql-client-${major}`,
  )
}

async function versionOf(path: string): Promise<number | null> {
  const asked = await promisify(execFile)(path, ['--version']).catch(() => null)
  const [, major] = /\(PostgreSQL\) (\d+)/.exec(asked?.stdout ?? '') ?? []
  return major === undefined ? null : Number(major)
}
