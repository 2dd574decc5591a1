/**
 * Connections to a PostgreSQL server, handed out within bounds of time and number. One that was left
 * with a statement unanswered is never used again: a new one takes its place, and its session on the
 * server is ended, so that its locks are not held by nobody.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import type { PoolClient, QueryConfig, QueryResult } from 'pg'
import { Pool, types } from 'pg'
import type { OutageLog } from '../platform/outage-log.ts'
import type { OutageWatch, Waiting } from '../platform/outage-watch.ts'
import { asDatabaseError, DatabaseUnreachable } from './outage.ts'
import type { NamedStatement } from './sent-together.ts'
import { isPrepared, SentTogether } from './sent-together.ts'
import { columnParsers } from './tables.ts'

/** The sessions of this process; `name` tells them from those of others on the same server. */
export type Sessions = { readonly url: string; readonly name: string }

export type Connection = {
  /** Those `before` go with it where they can, and their answers are not read. */
  query(statement: string | QueryConfig, before?: readonly NamedStatement[]): Promise<QueryResult>
  /** Not to be used again where `isBroken`. */
  release(isBroken?: boolean): void
}

export type ConnectionPool = {
  checkOut(): Promise<Connection>
  /** One statement on a connection of its own. */
  run(statement: string | QueryConfig): Promise<QueryResult>
  /**
   * Uses none of its connections again. With `abandon` those in use are taken for lost, and their
   * sessions are ended by `endAbandoned`.
   */
  renew(options: { abandon: boolean }): void
  /** Ends the sessions that were left behind. */
  endAbandoned(): Promise<void>
  end(): Promise<void>
}

const usualCheckOutLimitMs = 5000
const connectTimeoutMs = 5000
const mostWaiting = 2000
/** Those in use are let go of by then: the watch has refused what they waited for. */
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

  /** A pool, with the server's numbers of its sessions. */
  function openPool() {
    const sessionIds = new Set<number>()
    const pool = new Pool({
      ...connectionOptions(sessions),
      // The watch has the time: it does not count while this process is held up.
      connectionTimeoutMillis: 0,
      max: size,
      // Kept when idle: a new connection would have to parse and plan every statement again.
      idleTimeoutMillis: 0,
    })
    // A connection that breaks is replaced by the pool, and whoever was using it hears of it from the
    // statement. Without listeners, for the idle ones and for those in use, it would end the process.
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
    if (pool.waitingCount >= mostWaiting)
      throw new DatabaseUnreachable('too many wait for a connection to PostgreSQL')
    // One that lies idle, and that nobody waits for who came before, is handed over without a word
    // from the server: nothing has to be watched.
    const isAtHand = pool.idleCount > pool.waitingCount && !watch.isAway
    const client = await (
      isAtHand ? pool.connect() : watch.run(() => pool.connect(), waiting)
    ).catch(rethrow)
    const subject = sessionIdOf(client)
    let isLost = false
    const send = async (statement: string | QueryConfig, before: readonly NamedStatement[]) => {
      if (isLost) throw new DatabaseUnreachable('the connection to PostgreSQL was lost')
      try {
        const limitMs = statementLimitMs
        return await watch.run(() => ask(client, statement, before), { subject, limitMs })
      } catch (error) {
        // The driver's own leads to the socket; this one leads to whoever asked.
        if (error instanceof Error) Error.captureStackTrace(error)
        const meant = asDatabaseError(error)
        isLost = meant instanceof DatabaseUnreachable
        throw meant
      }
    }
    return {
      async query(statement, before = []) {
        const isScript = typeof statement === 'string'
        // What the connection has not prepared yet, and whatever comes before that, goes by itself.
        const alone = before.findLastIndex((each) => isScript || !isPrepared(client, each)) + 1
        for (const each of before.slice(0, alone)) await send(each, [])
        return send(statement, before.slice(alone))
      },
      release(isBroken = false) {
        client.release(isBroken || isLost)
        if (!isLost) return
        abandoned.add(subject)
        if (!watch.isAway) void endAbandoned()
      },
    }
  }

  async function run(statement: string | QueryConfig): Promise<QueryResult> {
    const connection = await checkOut()
    // A script that fails may leave its transaction open: nobody else gets that connection.
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
    // Those of a process that ends go with its sockets.
    if (left.length === 0 || current.pool.ending) return
    try {
      await run({ text: endSessions, values: [left, sessions.name] })
      for (const id of left) abandoned.delete(id)
    } catch (error) {
      // They are tried again with the next one, or when PostgreSQL is back.
      log.warn(
        { event: 'sessions_not_ended', err: error },
        'PostgreSQL sessions that were left behind go on for now',
      )
    }
  }

  return {
    checkOut,
    run,
    endAbandoned,
    renew({ abandon }) {
      const { pool, sessionIds } = current
      if (abandon) for (const id of sessionIds) abandoned.add(id)
      current = openPool()
      void pool.end()
    },
    // The driver waits for connections that are being made, and to a silent server for ever.
    end: () => Promise.race([current.pool.end(), sleep(endLimitMs, undefined, { ref: false })]),
  }
}

/** Not by the driver's promise: each would live on in the old generation until that is swept. */
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
    else client.query(new SentTogether(before, statement, answered))
  })
}

/** Through a pooler such as PgBouncer these are not the server's numbers, and nothing is found. */
const endSessions = `
  select pg_terminate_backend(pid) from pg_stat_activity
  where pid = any($1::int[]) and application_name = $2 and pid <> pg_backend_pid()`

export function sessionIdOf(client: object): number {
  // The driver has it on every connected client; its types do not say so.
  return 'processID' in client && typeof client.processID === 'number' ? client.processID : 0
}

function rethrow(error: unknown): never {
  throw asDatabaseError(error)
}

function getTypeParser(oid: number, format?: 'text' | 'binary') {
  return columnParsers[oid] ?? types.getTypeParser(oid, format)
}
