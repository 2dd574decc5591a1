/**
 * Listens for PostgreSQL notifications on one channel, over a dedicated connection that is reopened when
 * it breaks or goes silent. Subscribers are called after each reconnect and look for what they missed.
 */
import { Client } from 'pg'
import type { OutageWatch } from '../platform/outage-watch.ts'
import { DatabaseUnreachable } from './outage.ts'
import type { OutageLog } from '../platform/outage-log.ts'
import type { Sessions } from './pool.ts'
import { connectionOptions, sessionIdOf } from './pool.ts'

type Surroundings = {
  readonly sessions: Sessions
  readonly watch: OutageWatch<number>
  /** Called when PostgreSQL answers again. */
  readonly returnListeners: Set<() => void>
  readonly log: OutageLog
}

type Listener = {
  readonly channel: string
  readonly onNotification: (payload: string) => void
  readonly onReconnect: () => void
}

const heartbeatMs = 5000
const reconnectMs = 1000
const answerLimitMs = 5000

/** Rejects if the first connection fails. */
export async function listenOn(
  { sessions, watch, returnListeners, log }: Surroundings,
  { channel, onNotification, onReconnect }: Listener,
): Promise<{ close(): Promise<void> }> {
  let client: Client | null = null
  let timer: NodeJS.Timeout | undefined
  let isClosed = false

  const ask = (asked: Client, statement: string) =>
    watch.run(() => asked.query(statement), {
      subject: sessionIdOf(asked),
      limitMs: answerLimitMs,
    })

  async function connect(): Promise<void> {
    const next = new Client(connectionOptions(sessions))
    client = next
    next.on('error', () => reconnect(next))
    next.on('end', () => reconnect(next))
    next.on('notification', ({ payload }) => {
      if (payload !== undefined) onNotification(payload)
    })
    try {
      await watch.run(() => next.connect(), { limitMs: answerLimitMs })
      await ask(next, `listen "${channel}"`)
    } catch (error) {
      if (client === next) client = null
      hangUp(next)
      throw error
    }
    beat(next)
    onReconnect()
  }

  function beat(beating: Client): void {
    timer = setTimeout(() => {
      ask(beating, 'select 1').then(
        () => client === beating && beat(beating),
        () => reconnect(beating),
      )
    }, heartbeatMs).unref()
  }

  function reconnect(broken: Client): void {
    if (isClosed || client !== broken) return
    client = null
    hangUp(broken)
    again()
  }

  function again(): void {
    clearTimeout(timer)
    timer = setTimeout(tryAgain, reconnectMs).unref()
  }

  function tryAgain(): void {
    clearTimeout(timer)
    if (isClosed || client) return
    connect().catch((error: unknown) => {
      if (!(error instanceof DatabaseUnreachable))
        log.warn(
          { event: 'notifications_lost', err: error },
          'failed to listen for notifications, trying again',
        )
      again()
    })
  }

  await connect()
  returnListeners.add(tryAgain)
  return {
    async close() {
      isClosed = true
      returnListeners.delete(tryAgain)
      clearTimeout(timer)
      if (client) hangUp(client)
      client = null
    },
  }
}

/** Closes without waiting for a goodbye, which a silent server would not send. */
function hangUp(client: Client): void {
  client.removeAllListeners()
  client.on('error', () => {})
  void client.end()
}
