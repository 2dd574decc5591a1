/**
 * A PostgreSQL server (DATABASE_URL). Nothing waits for a server that has stopped answering. Behind a
 * pooler, which gives each transaction another connection, anything that outlives a transaction uses a
 * direct connection.
 */
import { randomBytes } from 'node:crypto'
import type { OutageLog } from '../platform/outage-log.ts'
import { quietLog } from '../platform/outage-log.ts'
import { reasonOf, StartError } from '../platform/start-error.ts'
import type { DatabaseHandle, Scripts } from './database.ts'
import { listenOn } from './listener.ts'
import { createRepeatNames, statementsOn } from './named-statements.ts'
import type { Notifications } from './notifications.ts'
import { createDispatcher, notificationChannel } from './notifications.ts'
import { DatabaseUnreachable } from './outage.ts'
import type { Connection, ConnectionPool } from './pool.ts'
import { createConnectionPool } from './pool.ts'
import { watchSessions } from './watch.ts'

const poolSize = 12
const queuePoolSize = 3
// Applies to a healthy server too: a longer statement blocks everything that waits for the same rows.
const statementLimitMs = 30_000
const queueStatementLimitMs = 120_000
// Long enough to rewrite a large table, or to wait for another node's migration.
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
  // Through the pooler too: it looks up the sessions that statements run in, by their numbers.
  const returnListeners = new Set<() => void>()
  const watch = watchSessions(sessionsOf('watch'), {
    onLost() {
      // An error that broke one connection has probably broken the idle ones too.
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
  // Connects only while there is something to migrate.
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
  const repeatName = createRepeatNames()
  return {
    ...statementsOn(pool, { isPooled }),
    queueConnection: {
      db: {
        executeSql(text, values) {
          if (!values) return queuePool.run(text)
          return queuePool.run({ name: isPooled ? undefined : repeatName(text), text, values })
        },
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

export function scriptsOn(connection: Pick<Connection, 'query'>): Scripts {
  return {
    run: async (script) => void (await connection.query(script)),
    read: async <Row>(query: string) => (await connection.query(query)).rows as Row[],
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
    const address = `${hostname}:${port || 5432}${pathname}`
    const words = `${setting}: cannot use PostgreSQL at ${address}: ${reasonOf(error)}`
    throw error instanceof DatabaseUnreachable
      ? new DatabaseUnreachable(words, { cause: error })
      : new StartError(words)
  }
}

async function inTransaction<T>(
  pool: ConnectionPool,
  work: (scripts: Scripts) => Promise<T>,
): Promise<T> {
  const connection = await pool.checkOut()
  try {
    await connection.query('begin')
    const result = await work(scriptsOn(connection))
    await connection.query('commit')
    return result
  } finally {
    // Ends the session, and with it an uncommitted transaction.
    connection.release(true)
  }
}
