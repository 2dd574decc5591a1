/**
 * PostgreSQL by DATABASE_URL: a pool in which statements are named, so that a connection parses and
 * plans each of them once.
 */
import { createHash } from 'node:crypto'
import type { PostgresPool, PostgresPoolClient } from 'kysely'
import { Kysely, PostgresDialect } from 'kysely'
import type { QueryResultRow } from 'pg'
import { Pool, types } from 'pg'
import { columnParsers } from './column-values.ts'
import type { DatabaseHandle, Scripts } from './database.ts'
import { openServerNotifications } from './notifications-server.ts'
import { reasonOf, StartError } from './start-error.ts'
import type { Tables } from './tables.ts'

const poolSize = 12
const queuePoolSize = 3
const connectTimeoutMs = 5000

export async function connectToServer(databaseUrl: string): Promise<DatabaseHandle> {
  const pool = new Pool({
    connectionString: databaseUrl,
    max: poolSize,
    connectionTimeoutMillis: connectTimeoutMs,
    // Kept when idle: a new connection would have to parse and plan every statement again.
    idleTimeoutMillis: 0,
    types: { getTypeParser },
  })
  // A connection that breaks is replaced by the pool, and whoever was using it hears of it from the
  // statement. Without listeners, for the idle ones and for those in use, it would end the process.
  pool.on('error', () => {})
  pool.on('connect', (client) => void client.on('error', () => {}))
  await refuseUnreachable(pool, databaseUrl)
  return {
    db: new Kysely<Tables>({ dialect: new PostgresDialect({ pool: withNamedStatements(pool) }) }),
    query: async <Row>(text: string, parameters: readonly unknown[]) => {
      const values = [...parameters]
      const { rows } = await pool.query<Row & QueryResultRow>({ name: nameOf(text), text, values })
      return rows
    },
    queueConnection: { connectionString: databaseUrl, max: queuePoolSize },
    runScripts: (work) => inTransaction(pool, work),
    openNotifications: async (log) => openServerNotifications(databaseUrl, log),
    close: () => pool.end(),
  }
}

async function refuseUnreachable(pool: Pool, databaseUrl: string): Promise<void> {
  try {
    await pool.query('select 1')
  } catch (error) {
    await pool.end()
    const { hostname, port, pathname } = new URL(databaseUrl)
    const place = `${hostname}:${port || 5432}${pathname}`
    throw new StartError(`DATABASE_URL: cannot use PostgreSQL at ${place}: ${reasonOf(error)}`)
  }
}

/** Kysely sees an ordinary pool; its statements reach the server under a name made from their text. */
function withNamedStatements(pool: Pool): PostgresPool {
  return {
    options: pool.options,
    end: () => pool.end(),
    connect: async () => {
      const client = await pool.connect()
      const query = (sql: string, parameters: readonly unknown[]) =>
        parameters.length > 0 || isPlainRead(sql)
          ? client.query({ name: nameOf(sql), text: sql, values: [...parameters] })
          : client.query(sql)
      // `pg` types a result's command as any string, Kysely as those it knows.
      return {
        query: query as unknown as PostgresPoolClient['query'],
        // A connection whose rollback failed may still be in its transaction.
        release: (destroy) => client.release(destroy),
      }
    },
  }
}

/** Scripts of several statements and transaction control cannot be prepared. */
function isPlainRead(sql: string): boolean {
  return /^\s*select\b/.test(sql) && !sql.includes(';')
}

const names = new Map<string, string>()

function nameOf(sql: string): string {
  let name = names.get(sql)
  if (name === undefined) {
    name = createHash('sha256').update(sql).digest('base64url').slice(0, 24)
    names.set(sql, name)
  }
  return name
}

function getTypeParser(oid: number, format?: 'text' | 'binary') {
  return columnParsers[oid] ?? types.getTypeParser(oid, format)
}

async function inTransaction<T>(pool: Pool, work: (scripts: Scripts) => Promise<T>): Promise<T> {
  const client = await pool.connect()
  try {
    await client.query('begin')
    const result = await work({
      run: async (script) => void (await client.query(script)),
      read: async (query) => (await client.query(query)).rows,
    })
    await client.query('commit')
    return result
  } catch (error) {
    await client.query('rollback').catch(() => {})
    throw error
  } finally {
    client.release()
  }
}
