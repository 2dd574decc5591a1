/**
 * Notifications of a PostgreSQL server: one connection of its own that only listens, because a
 * pool's would take its subscriptions back with it. When it is lost, another is made.
 */
import { Client } from 'pg'
import type { Log } from './log.ts'
import type { Notifications } from './notifications.ts'
import { createDispatcher, notificationChannel } from './notifications.ts'

const connectTimeoutMs = 5000
const shortestPauseMs = 250
const longestPauseMs = 10_000
/** A connection can die without a word; only an unanswered question shows it. */
const probeIntervalMs = 30_000
const probeTimeoutMs = 5000

/** Does not wait for the connection: until it is there subscribers hear of a gap, not of an error. */
export function openServerNotifications(databaseUrl: string, log: Log): Notifications {
  const { subscribe, dispatch, reportGap } = createDispatcher(log)
  const closing = new AbortController()
  const listening = listenForever()

  async function listenForever(): Promise<void> {
    let failures = 0
    while (!closing.signal.aborted) {
      await listenOnce(() => {
        if (failures > 0) log.info({ event: 'notifications_back' }, 'the database notifies again')
        failures = 0
        reportGap()
      }).catch((error: unknown) => {
        if (failures === 0 && !closing.signal.aborted)
          log.warn({ event: 'notifications_lost', err: error }, 'the database does not notify')
      })
      failures += 1
      await pause(pauseMs(failures), closing.signal)
    }
  }

  /** Until the connection is lost or closed. */
  async function listenOnce(onListening: () => void): Promise<void> {
    const client = new Client({
      connectionString: databaseUrl,
      connectionTimeoutMillis: connectTimeoutMs,
      query_timeout: probeTimeoutMs,
      keepAlive: true,
    })
    const lost = Promise.withResolvers<void>()
    client.on('error', lost.reject)
    client.on('end', () => lost.resolve())
    client.on('notification', ({ payload }) => dispatch(payload ?? ''))
    const stop = () => lost.resolve()
    closing.signal.addEventListener('abort', stop, { once: true })
    // A failure may be told twice; the second must not end the process.
    lost.promise.catch(() => {})
    let probe: NodeJS.Timeout | undefined
    try {
      const opened = client.connect().then(() => client.query(`listen ${notificationChannel}`))
      opened.catch(() => {})
      await Promise.race([opened, lost.promise])
      if (closing.signal.aborted) return
      onListening()
      probe = setInterval(() => void client.query('select').catch(lost.reject), probeIntervalMs)
      await lost.promise
    } finally {
      clearInterval(probe)
      closing.signal.removeEventListener('abort', stop)
      // A dead connection answers no farewell.
      await Promise.race([client.end().catch(() => {}), pause(shortestPauseMs, null)])
    }
  }

  return {
    subscribe,
    async close() {
      closing.abort()
      await listening
    },
  }
}

function pauseMs(failures: number): number {
  const delayMs = Math.min(shortestPauseMs * 2 ** (failures - 1), longestPauseMs)
  // The jitter keeps the nodes from coming back to a restarted server in step.
  return Math.round(delayMs * (0.75 + Math.random() / 4))
}

function pause(ms: number, signal: AbortSignal | null): Promise<void> {
  return new Promise((resolve) => {
    const end = () => {
      clearTimeout(timer)
      signal?.removeEventListener('abort', end)
      resolve()
    }
    const timer = setTimeout(end, ms)
    signal?.addEventListener('abort', end, { once: true })
    if (signal?.aborted) end()
  })
}
