/**
 * A pool of connections to a PostgreSQL server, bounded in number and waiting time. A connection with an
 * unanswered statement is never used again: a new one replaces it, and its session on the server is
 * terminated, so that it holds no locks.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import type { PoolClient, QueryConfig, QueryResult } from 'pg'
import { Pool, types } from 'pg'
import type { OutageLog } from '../platform/outage-log.ts'
import type { OutageWatch, Waiting } from '../platform/outage-watch.ts'
import { asDatabaseError, DatabaseUnreachable } from './outage.ts'
import type { NamedStatement } from './pipelined-query.ts'
import { isPrepared, PipelinedQuery } from './pipelined-query.ts'
import { forgetPrepared, isStalePlan } from './stale-plans.ts'
import { columnParsers } from './tables.ts'

/** The sessions of this process. `name` distinguishes them from other sessions on the same server. */
export type Sessions = { readonly url: string; readonly name: string }

export type Connection = {
  /** Pipelines the statements in `before` with it if possible, and ignores their answers. */
  query(statement: string | QueryConfig, before?: readonly NamedStatement[]): Promise<QueryResult>
  /** A connection that `isBroken` is closed. */
  release(isBroken?: boolean): void
}

export type ConnectionPool = {
  checkOut(): Promise<Connection>
  /** Runs one statement on a connection from the pool. */
  run(statement: string | QueryConfig): Promise<QueryResult>
  /**
   * Replaces all connections. With `abandon` those in use count as lost, and `endAbandoned` terminates
   * their sessions.
   */
  renew(options: { abandon: boolean }): void
  /** Terminates the abandoned sessions. */
  endAbandoned(): Promise<void>
  end(): Promise<void>
}

const usualCheckOutLimitMs = 5000
const connectTimeoutMs = 5000
const maxWaiting = 2000
/** By then the connections in use are released: the watch has rejected what they waited for. */
const endLimitMs = 2000
const keepAliveAfterMs = 10_000

export const connectionOptions = ({ url, name }: Sessions) => ({
  connectionString: url,
  // The one start-up parameter that poolers such as PgBouncer pass on.
  application_name: name,
  connectionTimeoutMillis: connectTimeoutMs,
  keepAlive: true,
  keepAliveInitialDelayMillis: keepAliveAfterMs,
  types: { getTypeParser },
})

export function createConnectionPool(
  sessions: Sessions,
  watch: OutageWatch<number>,
  {
    size,
    statementLimitMs,
    checkOutLimitMs = usualCheckOutLimitMs,
    log,
  }: { size: number; statementLimitMs: number; checkOutLimitMs?: number; log: OutageLog },
): ConnectionPool {
  const abandoned = new Set<number>()
  let current = openPool()

  /** A pool, with the process ids of its sessions on the server. */
  function openPool() {
    const sessionIds = new Set<number>()
    const pool = new Pool({
      ...connectionOptions(sessions),
      // The watch keeps the time: it does not count while this process is blocked.
      connectionTimeoutMillis: 0,
      max: size,
      // Idle connections stay open: a new one would have to parse and plan every statement again.
      idleTimeoutMillis: 0,
    })
    // The pool replaces a broken connection, and its user gets the error from the statement. Without
    // these listeners, for idle connections and for those in use, the error would end the process.
    pool.on('error', () => {})
    pool.on('connect', (client) => {
      client.on('error', () => {})
      sessionIds.add(sessionIdOf(client))
      abandoned.delete(sessionIdOf(client))
    })
    pool.on('remove', (client) => sessionIds.delete(sessionIdOf(client)))
    return { pool, sessionIds }
  }

  const waiting: Waiting<number, PoolClient> = {
    limitMs: checkOutLimitMs,
    isProof: false,
    onLate: (late) => late.release(true),
  }

  async function checkOut(): Promise<Connection> {
    const { pool } = current
    if (pool.waitingCount >= maxWaiting)
      throw new DatabaseUnreachable('too many requests are waiting for a connection to PostgreSQL')
    // An idle connection without earlier waiters is available at once, without the server: nothing has
    // to be watched.
    const isAtHand = pool.idleCount > pool.waitingCount && !watch.isAway
    const client = await (
      isAtHand ? pool.connect() : watch.run(() => pool.connect(), waiting)
    ).catch(rethrow)
    const subject = sessionIdOf(client)
    let isLost = false
    let isStale = false
    const send = async (statement: string | QueryConfig, before: readonly NamedStatement[]) => {
      if (isLost) throw new DatabaseUnreachable('the connection to PostgreSQL was lost')
      try {
        const limitMs = statementLimitMs
        return await watch.run(() => ask(client, statement, before), { subject, limitMs })
      } catch (error) {
        // The driver's stack ends at the socket; this one ends at the caller.
        if (error instanceof Error) Error.captureStackTrace(error)
        const meant = asDatabaseError(error)
        isLost = meant instanceof DatabaseUnreachable
        throw meant
      }
    }
    const sendAll = async (statement: string | QueryConfig, before: readonly NamedStatement[]) => {
      const isScript = typeof statement === 'string'
      // A statement that is not prepared yet, and all before it, are sent one by one.
      const alone = before.findLastIndex((each) => isScript || !isPrepared(client, each)) + 1
      for (const each of before.slice(0, alone)) await send(each, [])
      return send(statement, before.slice(alone))
    }
    return {
      async query(statement, before = []) {
        const wasIdle = client.getTransactionStatus() === 'I'
        try {
          return await sendAll(statement, before)
        } catch (error) {
          if (!isStalePlan(error)) throw error
          // The rollback undoes the transaction's earlier statements: `atomically` runs it again.
          isStale = !wasIdle
          if (isStale) throw error
          // The error arrives before the transaction status, so a transaction may be open.
          await send('rollback', [])
          await send('deallocate all', [])
          forgetPrepared(client)
          return sendAll(statement, before)
        }
      },
      release(isBroken = false) {
        client.release(isBroken || isLost || isStale)
        // The other connections have stale plans too.
        if (isStale && current.pool === pool) renew({ abandon: false })
        if (!isLost) return
        abandoned.add(subject)
        if (!watch.isAway) void endAbandoned()
      },
    }
  }

  async function run(statement: string | QueryConfig): Promise<QueryResult> {
    const connection = await checkOut()
    // A failed script may leave its transaction open: do not reuse that connection.
    let isBroken = typeof statement === 'string'
    try {
      const result = await connection.query(statement)
      isBroken = false
      return result
    } finally {
      connection.release(isBroken)
    }
  }

  async function endAbandoned(): Promise<void> {
    const left = [...abandoned]
    // When the process ends, its sockets close and the server ends these sessions.
    if (left.length === 0 || current.pool.ending) return
    try {
      await run({ text: endSessions, values: [left, sessions.name] })
      for (const id of left) abandoned.delete(id)
    } catch (error) {
      // They are retried with the next one, or when PostgreSQL is back.
      log.warn(
        { event: 'sessions_not_ended', err: error },
        'failed to end abandoned PostgreSQL sessions, trying again later',
      )
    }
  }

  function renew({ abandon }: { abandon: boolean }): void {
    const { pool, sessionIds } = current
    if (abandon) for (const id of sessionIds) abandoned.add(id)
    current = openPool()
    void pool.end()
  }

  return {
    checkOut,
    run,
    endAbandoned,
    renew,
    // The driver waits for connections that are being opened: with a silent server, for ever.
    end: () => Promise.race([current.pool.end(), sleep(endLimitMs, undefined, { ref: false })]),
  }
}

/** Without the driver's promises: each would survive into the old generation of the heap. */
function ask(
  client: PoolClient,
  statement: string | QueryConfig,
  before: readonly NamedStatement[],
): Promise<QueryResult> {
  return new Promise((resolve, reject) => {
    const answered = (error: Error | null, result: QueryResult) =>
      error ? reject(error) : resolve(result)
    if (before.length === 0 || typeof statement === 'string')
      client.query(statement as QueryConfig, answered)
    else client.query(new PipelinedQuery(before, statement, answered))
  })
}

/** Behind a pooler such as PgBouncer the process ids differ, and this finds nothing. */
const endSessions = `
  select pg_terminate_backend(pid) from pg_stat_activity
  where pid = any($1::int[]) and application_name = $2 and pid <> pg_backend_pid()`

export function sessionIdOf(client: object): number {
  // Every connected client has this property; the driver's types leave it out.
  return 'processID' in client && typeof client.processID === 'number' ? client.processID : 0
}

function rethrow(error: unknown): never {
  throw asDatabaseError(error)
}

function getTypeParser(oid: number, format?: 'text' | 'binary') {
  return columnParsers[oid] ?? types.getTypeParser(oid, format)
}
