/**
 * One reconnecting connection to Redis, which the node must be able to lose: no command waits for
 * longer than half a second, and an outage is written to the log instead of thrown at a request.
 */
import { createClient } from 'redis'
import type { OutageLog } from '../outage-log.ts'
import { quietLog } from '../outage-log.ts'
import { StartError } from '../start-error.ts'
import { outageNotice } from './redis-notice.ts'

export type Redis = {
  /** Runs a command, and rejects soon when Redis is away, silent, or refuses it. */
  ask<T>(command: (client: RedisClient) => Promise<T>): Promise<T>
  close(): Promise<void>
}

export type RedisClient = ReturnType<typeof createClient>

/**
 * Resolves once the first attempt has succeeded or failed: a node starts without its Redis, and
 * finds it later. Only an address that cannot be one is refused.
 */
export async function connectRedis(url: string, log: OutageLog = quietLog): Promise<Redis> {
  const client = openClient(url)
  const notice = outageNotice(log, {
    lost: 'Redis is unreachable, trying again',
    back: 'Redis is reachable again',
  })
  let overdueCommands = 0
  let closing = false

  client.on('error', (error: unknown) => {
    if (!closing) notice.lost(error, { kind: String(error) })
  })
  client.on('ready', () => notice.back())
  await firstAttempt(client)

  return {
    async ask(command) {
      if (!client.isReady) throw new Error('Redis is not connected')
      // The unanswered commands are the probe: until they are settled, one way or the other, no
      // further request is made to wait for a server that is known to be stuck.
      if (overdueCommands > 0) throw new Error('Redis is not answering')
      return await answerInTime(command(client), {
        onLate: () => (overdueCommands += 1),
        onLateAnswer: () => (overdueCommands -= 1),
      })
    },
    async close() {
      closing = true
      // A polite close waits for the answers that are due, which a stuck server never gives.
      if (client.isReady) await Promise.race([client.close(), pause(answerLimitMs)])
      client.destroy()
    },
  }
}

const answerLimitMs = 500
const firstAttemptLimitMs = 2_000
const longestBackOffMs = 2_000

function openClient(url: string): RedisClient {
  try {
    return createClient({
      url,
      // A command that cannot be sent now is refused now; the callers know what to do without it.
      disableOfflineQueue: true,
      // The package's own limit covers the wait for sending, not for the answer: ours covers both.
      commandOptions: { timeout: 0 },
      maintNotifications: 'disabled',
      // A connection that died without a word is noticed by the missing reply to a ping.
      pingInterval: 2_000,
      socket: { reconnectStrategy: backOffMs, connectTimeout: 2_000, socketTimeout: 5_000 },
    })
  } catch {
    // The cause is left out: it quotes the address, and with it the password.
    throw new StartError('REDIS_URL must be a redis:// or rediss:// address')
  }
}

function backOffMs(retries: number): number {
  const delayMs = Math.min(50 * 2 ** retries, longestBackOffMs)
  // The jitter keeps the nodes from coming back to a restarted server in step.
  return Math.round(delayMs * (0.75 + Math.random() / 4))
}

function firstAttempt(client: RedisClient): Promise<unknown> {
  const ended = new Promise<void>((resolve) => {
    client.once('ready', resolve)
    client.once('error', () => resolve())
  })
  // It settles only when connected or closed; failures between arrive as 'error' events.
  client.connect().catch(() => undefined)
  return Promise.race([ended, pause(firstAttemptLimitMs)])
}

async function answerInTime<T>(
  answer: Promise<T>,
  late: { onLate: () => void; onLateAnswer: () => void },
): Promise<T> {
  let isLate = false
  let timer: NodeJS.Timeout | undefined
  const timeUp = new Promise<never>((_, reject) => {
    timer = setTimeout(() => {
      isLate = true
      late.onLate()
      reject(new Error(`Redis gave no answer within ${answerLimitMs} ms`))
    }, answerLimitMs)
  })
  const settled = answer.finally(() => {
    clearTimeout(timer)
    if (isLate) late.onLateAnswer()
  })
  return await Promise.race([settled, timeUp])
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => {
    setTimeout(resolve, ms).unref()
  })
}
