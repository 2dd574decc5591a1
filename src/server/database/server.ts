/**
 * PostgreSQL by DATABASE_URL: statements are named, so that a connection parses and plans each of
 * them once, and nothing waits for a server that has stopped answering. Behind a pooler, which gives
 * each transaction another connection, they have no names, and what outlives a transaction goes past it.
 */
import { createHash, randomBytes } from 'node:crypto'
import type { PostgresPool, PostgresPoolClient } from 'kysely'
import { Kysely, PostgresDialect } from 'kysely'
import type { QueryConfig } from 'pg'
import type { OutageLog } from '../platform/outage-log.ts'
import { quietLog } from '../platform/outage-log.ts'
import { reasonOf, StartError } from '../platform/start-error.ts'
import type { DatabaseHandle, Scripts } from './database.ts'
import { listenOn } from './listener.ts'
import type { Notifications } from './notifications.ts'
import { createDispatcher, notificationChannel } from './notifications.ts'
import { DatabaseUnreachable } from './outage.ts'
import type { ConnectionPool } from './pool.ts'
import { createConnectionPool } from './pool.ts'
import type { Tables } from './tables.ts'
import { watchSessions } from './watch.ts'

const poolSize = 12
const queuePoolSize = 3
// However alive the server is. What it works on for longer holds up whatever waits for the same rows.
const statementLimitMs = 30_000
const queueStatementLimitMs = 120_000
// A large table is rewritten, or another node's migration is waited for.
const scriptLimitMs = 30 * 60 * 1000

export async function connectToServer(
  databaseUrl: string,
  log: OutageLog = quietLog,
  directUrl = databaseUrl,
): Promise<DatabaseHandle> {
  const isPooled = directUrl !== databaseUrl
  const mark = randomBytes(4).toString('hex')
  const sessionsOf = (use: string, url = databaseUrl) => ({
    url,
    name: `lanternist-${use}-${mark}`,
  })
  // Not past a pooler: it asks about the sessions that statements run in, by the numbers they have.
  const returnListeners = new Set<() => void>()
  const watch = watchSessions(sessionsOf('watch'), {
    onLost() {
      // What broke one connection has probably broken those too that rest beside it.
      for (const pool of pools) pool.renew({ abandon: false })
    },
    onAway() {
      log.warn({ event: 'database_away' }, 'PostgreSQL does not answer')
      for (const pool of pools) pool.renew({ abandon: true })
    },
    onBack() {
      log.info({ event: 'database_back' }, 'PostgreSQL answers again')
      for (const pool of pools) void pool.endAbandoned()
      for (const listener of returnListeners) listener()
    },
  })
  const open = (use: string, size: number, limitMs: number, url = databaseUrl) =>
    createConnectionPool(sessionsOf(use, url), watch, { size, statementLimitMs: limitMs, log })
  const pool = open('web', poolSize, statementLimitMs)
  const queuePool = open('queue', queuePoolSize, queueStatementLimitMs)
  // Made when needed: it has its connection only while there is something to migrate.
  const scriptPool = open('migration', 1, scriptLimitMs, directUrl)
  const pools = [pool, queuePool, scriptPool]
  const close = async () => {
    watch.close()
    await Promise.all(pools.map((each) => each.end()))
  }
  try {
    await refuseUnreachable(pool, 'DATABASE_URL', databaseUrl)
    if (isPooled) await refuseUnreachable(scriptPool, 'DATABASE_DIRECT_URL', directUrl)
  } catch (error) {
    await close()
    throw error
  }
  const named = (text: string, parameters: readonly unknown[]) => ({
    ...(!isPooled && { name: nameOf(text) }),
    text,
    values: [...parameters],
  })
  return {
    db: new Kysely<Tables>({ dialect: new PostgresDialect({ pool: asKyselyPool(pool, named) }) }),
    query: async <Row>(text: string, parameters: readonly unknown[]) =>
      (await pool.run(named(text, parameters))).rows as Row[],
    queueConnection: {
      db: {
        executeSql: (text, values) => queuePool.run(values ? { text, values } : text),
        listen: (channel, onNotification, onReconnect) =>
          listenOn(
            { sessions: sessionsOf('listen', directUrl), watch, returnListeners, log },
            { channel, onNotification, onReconnect },
          ),
      },
    },
    runScripts: (work) => inTransaction(scriptPool, work),
    async openNotifications(log): Promise<Notifications> {
      const { subscribe, dispatch, reportGap } = createDispatcher(log)
      const listening = await listenOn(
        { sessions: sessionsOf('notify', directUrl), watch, returnListeners, log },
        { channel: notificationChannel, onNotification: dispatch, onReconnect: reportGap },
      )
      return { subscribe, close: () => listening.close() }
    },
    close,
  }
}

async function refuseUnreachable(
  pool: ConnectionPool,
  setting: string,
  url: string,
): Promise<void> {
  try {
    await pool.run('select 1')
  } catch (error) {
    const { hostname, port, pathname } = new URL(url)
    const place = `${hostname}:${port || 5432}${pathname}`
    const words = `${setting}: cannot use PostgreSQL at ${place}: ${reasonOf(error)}`
    throw error instanceof DatabaseUnreachable
      ? new DatabaseUnreachable(words, { cause: error })
      : new StartError(words)
  }
}

/** Kysely sees an ordinary pool; its statements reach the server under a name made from their text. */
function asKyselyPool(
  pool: ConnectionPool,
  named: (text: string, parameters: readonly unknown[]) => QueryConfig,
): PostgresPool {
  return {
    options: {},
    end: async () => {},
    connect: async () => {
      const connection = await pool.checkOut()
      const query = (text: string, parameters: readonly unknown[]) =>
        connection.query(
          parameters.length > 0 || isPlainRead(text) ? named(text, parameters) : text,
        )
      return {
        // `pg` types a result's command as any string, Kysely as those it knows.
        query: query as unknown as PostgresPoolClient['query'],
        // A connection whose rollback failed may still be in its transaction.
        release: (isBroken) => connection.release(isBroken),
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

async function inTransaction<T>(
  pool: ConnectionPool,
  work: (scripts: Scripts) => Promise<T>,
): Promise<T> {
  const connection = await pool.checkOut()
  try {
    await connection.query('begin')
    const result = await work({
      run: async (script) => void (await connection.query(script)),
      read: async <Row>(query: string) => (await connection.query(query)).rows as Row[],
    })
    await connection.query('commit')
    return result
  } finally {
    // The session ends with it, and with the session a transaction that was not committed.
    connection.release(true)
  }
}
