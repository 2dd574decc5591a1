/**
 * A reconnecting connection to Redis. A node must work without Redis: no command waits longer than half a
 * second, and an outage is logged and does not fail a request.
 */
import { createClient } from 'redis'
import type { OutageLog } from '../outage-log.ts'
import { quietLog } from '../outage-log.ts'
import { StartError } from '../start-error.ts'
import { outageNotice } from './redis-notice.ts'

export type Redis = {
  /** Runs a command. Rejects soon if Redis is unavailable, does not answer, or refuses the command. */
  ask<T>(command: (client: RedisClient) => Promise<T>): Promise<T>
  close(): Promise<void>
}

export type RedisClient = ReturnType<typeof createClient>

/**
 * Connects. Resolves when the first attempt has succeeded or failed: a node starts without Redis and
 * connects later. Only an invalid address is an error.
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
      // The unanswered commands are the probe. Until they settle, no other request waits for Redis.
      if (overdueCommands > 0) throw new Error('Redis is not answering')
      return await answerInTime(command(client), {
        onLate: () => (overdueCommands += 1),
        onLateAnswer: () => (overdueCommands -= 1),
      })
    },
    async close() {
      closing = true
      // A graceful close waits for pending replies, which a hanging server never sends.
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
      // A command that cannot be sent now is rejected at once; the callers have a fallback.
      disableOfflineQueue: true,
      // The package's limit covers the time until sending. Ours covers the reply too.
      commandOptions: { timeout: 0 },
      maintNotifications: 'disabled',
      // A ping without a reply detects a dead connection.
      pingInterval: 2_000,
      socket: { reconnectStrategy: backOffMs, connectTimeout: 2_000, socketTimeout: 5_000 },
    })
  } catch {
    // The cause is omitted: it contains the address, and with it the password.
    throw new StartError('REDIS_URL must be a redis:// or rediss:// address')
  }
}

function backOffMs(retries: number): number {
  const delayMs = Math.min(50 * 2 ** retries, longestBackOffMs)
  // Jitter prevents all nodes from reconnecting to a restarted server at the same time.
  return Math.round(delayMs * (0.75 + Math.random() / 4))
}

function firstAttempt(client: RedisClient): Promise<unknown> {
  const ended = new Promise<void>((resolve) => {
    client.once('ready', resolve)
    client.once('error', () => resolve())
  })
  // The promise settles only when connected or closed. Earlier failures are 'error' events.
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
      reject(new Error(`Redis did not answer within ${answerLimitMs} ms`))
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
