import { describe, expect, onTestFinished, test } from 'vitest'
import type { LimitStore } from '../../src/server/platform/limits/limit-store.ts'
import { createRedisLimitStore } from '../../src/server/platform/limits/redis-limit-store.ts'
import { connectRedis } from '../../src/server/platform/limits/redis.ts'
import type { Redis } from '../../src/server/platform/limits/redis.ts'
import type { OutageLog } from '../../src/server/platform/outage-log.ts'
import { eventually } from '../support/eventually.ts'
import { recordingLog } from '../support/recording-log.ts'
import { hasRedisServer, sayIfNoRedisServer, startRedisServer } from '../support/redis-server.ts'

const startMs = Date.UTC(2030, 0, 1)

sayIfNoRedisServer('limits while Redis is away')

async function startServer(options?: { port?: number }) {
  const server = await startRedisServer(options)
  onTestFinished(() => server.stop())
  return server
}

async function connect(url: string, log?: OutageLog) {
  const redis = await connectRedis(url, log)
  onTestFinished(() => redis.close())
  return redis
}

describe.skipIf(!hasRedisServer)('limits while Redis is away', () => {
  const rule = { requests: 2, windowMs: 60_000 }

  async function takeThree(store: LimitStore, key: string) {
    const taken = [await store.take(key, rule), await store.take(key, rule)]
    return [...taken, await store.take(key, rule)].map(({ allowed }) => allowed)
  }

  /** Expects that the bucket is in Redis itself. A node may also count alone. */
  const isSharedAgain = async (store: LimitStore, redis: Redis, key: string) => {
    await store.refund(key, rule)
    expect(await redis.ask((client) => client.keys(`*${key}*`))).toHaveLength(1)
  }

  test('a node that never finds Redis starts, and counts limits by itself', async () => {
    const gone = await startServer()
    await gone.stop()
    const log = recordingLog()
    const redis = await connect(gone.url, log)
    const store = createRedisLimitStore(redis, { nowMs: () => startMs, log })
    expect(await takeThree(store, 'alone')).toEqual([true, true, false])
    expect(log.count('Rate limits are counted by this node only')).toBe(1)
    expect(log.count('Redis is unreachable, trying again')).toBe(1)

    await startServer({ port: gone.port })
    await eventually(() => isSharedAgain(store, redis, 'found'))
    expect(log.count('Rate limits are shared through Redis again')).toBe(1)
  })

  test('a restart of Redis is logged, and fails no request', async () => {
    const first = await startServer()
    const log = recordingLog()
    const redis = await connect(first.url, log)
    const store = createRedisLimitStore(redis, { nowMs: () => startMs, log })
    expect(await takeThree(store, 'before')).toEqual([true, true, false])
    await first.stop()
    expect(await takeThree(store, 'during')).toEqual([true, true, false])
    await startServer({ port: first.port })
    await eventually(() => isSharedAgain(store, redis, 'after'))
    expect(log.count('Rate limits are shared through Redis again')).toBe(1)
  })

  test('a hanging server delays only requests that were already waiting', async () => {
    const server = await startServer()
    const log = recordingLog()
    const redis = await connect(server.url, log)
    const store = createRedisLimitStore(redis, { nowMs: () => startMs, log })
    await store.take('warm', rule)
    server.freeze()
    const crowd = await Promise.all(Array.from({ length: 50 }, () => store.take('hung', rule)))
    expect(crowd.filter(({ allowed }) => allowed)).toHaveLength(2)
    await expect(redis.ask((client) => client.ping())).rejects.toThrow('Redis is not answering')
    expect(await store.take('hung', rule)).toMatchObject({ allowed: false })
    server.thaw()
    await eventually(() => isSharedAgain(store, redis, 'awake'))
  })

  test('closing does not wait for a server that hangs', async () => {
    const server = await startServer()
    const redis = await connect(server.url)
    server.freeze()
    const unanswered = redis.ask((client) => client.ping())
    await Promise.all([expect(unanswered).rejects.toThrow(/./), redis.close()])
  })
})

test('an invalid address is refused without repeating its password', async () => {
  for (const url of ['http://:secret@host', 'redis://:secret@host:port', ':secret@']) {
    const refusal = await connectRedis(url).then(
      () => 'connected',
      (error: Error) => `${error.message} ${JSON.stringify(error)} ${String(error.cause)}`,
    )
    expect(refusal).toContain('REDIS_URL must be a redis:// or rediss:// address')
    expect(refusal).not.toContain('secret')
  }
})
