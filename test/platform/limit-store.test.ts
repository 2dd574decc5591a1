import * as fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createMemoryLimitStore } from '../../src/server/platform/limits/limit-store.ts'
import type { LimitRule, LimitStore } from '../../src/server/platform/limits/limit-store.ts'
import { createRedisLimitStore } from '../../src/server/platform/limits/redis-limit-store.ts'
import { connectRedis } from '../../src/server/platform/limits/redis.ts'
import type { Redis } from '../../src/server/platform/limits/redis.ts'
import { rules, steps, walkBoth } from '../support/dripping-bucket.ts'
import { eventually } from '../support/eventually.ts'
import { recordingLog } from '../support/recording-log.ts'
import { hasRedisServer, sayIfNoRedisServer, startRedisServer } from '../support/redis-server.ts'
import type { RedisServer } from '../support/redis-server.ts'

const perQuarterHour: LimitRule = { requests: 100, windowMs: 900_000 }

/** A realistic clock value, so that nothing depends on small numbers. */
const startMs = Date.UTC(2030, 0, 1)

/** The promises of every store, whatever keeps its buckets. */
function promises(runs: number, open: (nowMs: () => number) => LimitStore) {
  let caseNumber = 0
  const world = () => {
    const clock = { ms: startMs }
    caseNumber += 1
    return { clock, key: `case-${caseNumber}`, store: open(() => clock.ms) }
  }

  test('a full bucket of N allows N requests and refuses the next', async () => {
    const { store, key } = world()
    const rule = { requests: 3, windowMs: 30_000 }
    expect(await store.take(key, rule)).toEqual({
      allowed: true,
      remaining: 2,
      fullAtMs: startMs + 10_000,
      retryAfterMs: 0,
    })
    await store.take(key, rule)
    expect(await store.take(key, rule)).toMatchObject({ allowed: true, remaining: 0 })
    expect(await store.take(key, rule)).toEqual({
      allowed: false,
      remaining: 0,
      fullAtMs: startMs + 30_000,
      retryAfterMs: 10_000,
    })
  })

  test('tokens come back in proportion to time, not all at once', async () => {
    const { store, key, clock } = world()
    for (let i = 0; i < 100; i += 1) await store.take(key, perQuarterHour)
    clock.ms += 90_000
    expect(await store.take(key, perQuarterHour)).toMatchObject({ allowed: true, remaining: 9 })
  })

  test('keys and rules do not draw on each other', async () => {
    const { store, key } = world()
    const rule = { requests: 1, windowMs: 30_000 }
    await store.take(key, rule)
    expect(await store.take(`${key}-other`, rule)).toMatchObject({ allowed: true })
    expect(await store.take(key, { ...rule, windowMs: 60_000 })).toMatchObject({ allowed: true })
    expect(await store.take(key, rule)).toMatchObject({ allowed: false })
  })

  test('the greatest limit is still counted to the token', async () => {
    const { store, key } = world()
    const rule = { requests: 9_000_000, windowMs: 900_000_000 }
    await store.take(key, rule)
    expect(await store.take(key, rule)).toMatchObject({
      remaining: 8_999_998,
      fullAtMs: startMs + 200,
    })
  })

  test('it behaves like a bucket that is filled drop by drop, whole tokens always', async () => {
    await fc.assert(
      fc.asyncProperty(rules, steps({ minMs: 0, maxMs: 10_000 }), async (rule, walk) => {
        const { said, expected } = await walkBoth(world(), rule, walk)
        expect(said).toEqual(expected)
      }),
      { numRuns: runs },
    )
  })

  test('a clock that goes back adds no tokens and removes none', async () => {
    await fc.assert(
      fc.asyncProperty(rules, steps({ minMs: -10_000, maxMs: 10_000 }), async (rule, walk) => {
        const { said, expected } = await walkBoth(world(), rule, walk)
        expect(said).toEqual(expected)
      }),
      { numRuns: runs },
    )
  })

  test('no period allows more than N, plus refilled and refunded tokens', async () => {
    await fc.assert(
      fc.asyncProperty(rules, steps({ minMs: 0, maxMs: 10_000 }), async (rule, walk) => {
        const { store, key, clock } = world()
        const past: { atMs: number; tokens: number }[] = []
        for (const { afterMs, movement } of walk) {
          clock.ms += afterMs
          const { allowed } = await store[movement](key, rule)
          past.push({ atMs: clock.ms, tokens: movement === 'refund' ? -1 : Number(allowed) })
        }
        for (const [first, { atMs: fromMs }] of past.entries()) {
          let taken = 0
          let givenBack = 0
          for (const { atMs, tokens } of past.slice(first)) {
            if (tokens < 0) givenBack += 1
            else taken += tokens
            const flowedIn = ((atMs - fromMs) * rule.requests) / rule.windowMs
            expect(taken).toBeLessThanOrEqual(rule.requests + flowedIn + givenBack)
          }
        }
      }),
      { numRuns: runs },
    )
  })

  test('a refund never overfills the bucket', async () => {
    await fc.assert(
      fc.asyncProperty(rules, fc.nat(9), fc.nat(20), async (rule, takes, refunds) => {
        const { store, key } = world()
        for (let i = 0; i < takes; i += 1) await store.take(key, rule)
        for (let i = 0; i < refunds; i += 1) {
          const { remaining, allowed } = await store.refund(key, rule)
          expect(allowed).toBe(true)
          expect(remaining).toBe(
            Math.min(rule.requests, Math.max(0, rule.requests - takes) + i + 1),
          )
        }
      }),
      { numRuns: runs },
    )
  })

  test('a caller that waits as told is allowed, and a millisecond earlier is not', async () => {
    await fc.assert(
      fc.asyncProperty(rules, fc.nat(20_000), async (rule, laterMs) => {
        const { store, key, clock } = world()
        let taken = await store.take(key, rule)
        clock.ms += laterMs
        for (let i = 0; taken.allowed && i <= rule.requests; i += 1) {
          taken = await store.take(key, rule)
        }
        expect(taken.allowed).toBe(false)
        clock.ms += taken.retryAfterMs - 1
        expect(await store.take(key, rule)).toMatchObject({ allowed: false, retryAfterMs: 1 })
        clock.ms += 1
        expect(await store.take(key, rule)).toMatchObject({ allowed: true })
      }),
      { numRuns: runs },
    )
  })

  test('the bucket is full at its reset time, and not a millisecond earlier', async () => {
    await fc.assert(
      fc.asyncProperty(rules, fc.integer({ min: 1, max: 9 }), async (rule, takes) => {
        const { store, key, clock } = world()
        const twin = `${key}-twin`
        let { fullAtMs } = await store.take(key, rule)
        await store.take(twin, rule)
        for (let i = 1; i < takes; i += 1) {
          fullAtMs = (await store.take(key, rule)).fullAtMs
          await store.take(twin, rule)
        }
        clock.ms = fullAtMs - 1
        const sooner = await store.take(twin, rule)
        expect(sooner.allowed && sooner.remaining === rule.requests - 1).toBe(false)
        clock.ms = fullAtMs
        expect(await store.take(key, rule)).toMatchObject({
          allowed: true,
          remaining: rule.requests - 1,
        })
      }),
      { numRuns: runs },
    )
  })
}

describe('buckets in memory', () => {
  promises(150, (nowMs) => createMemoryLimitStore({ nowMs }))

  test('an idle bucket is kept for twice its window and forgotten within four times', async () => {
    const brief = { requests: 2, windowMs: 1000 }
    const long = { requests: 2, windowMs: 1_000_000 }
    await fc.assert(
      fc.asyncProperty(fc.nat(3000), fc.nat(6000), async (usedAfterMs, idleForMs) => {
        const clock = { ms: startMs }
        const store = createMemoryLimitStore({ nowMs: () => clock.ms })
        await store.take('first', brief)
        clock.ms += usedAfterMs
        await store.take('idle', brief)
        const before = store.bucketCount()
        clock.ms += idleForMs
        // Requests under any rule sweep the buckets of all rules.
        await store.take('other', long)
        const kept = store.bucketCount() - 1
        expect(kept).toBeGreaterThanOrEqual(idleForMs < 2000 ? 1 : 0)
        expect(kept).toBeLessThanOrEqual(idleForMs < 4000 ? before : 0)
      }),
    )
  })

  test('buckets of callers that never return are swept', async () => {
    const clock = { ms: startMs }
    const store = createMemoryLimitStore({ nowMs: () => clock.ms })
    const rule = { requests: 5, windowMs: 1000 }
    for (let caller = 0; caller < 12_000; caller += 1) {
      clock.ms += 1
      await store.take(`caller-${caller}`, rule)
      expect(store.bucketCount()).toBeLessThanOrEqual(4000)
    }
  })

  test('a flood of callers evicts idle buckets, not active ones', async () => {
    const store = createMemoryLimitStore({ nowMs: () => startMs, maxBuckets: 10 })
    const rule = { requests: 1, windowMs: 1000 }
    await store.take('idle', rule)
    await store.take('busy', rule)
    for (let caller = 0; caller < 30; caller += 1) {
      await store.take(`caller-${caller}`, rule)
      expect(await store.take('busy', rule)).toMatchObject({ allowed: false })
      expect(store.bucketCount()).toBeLessThanOrEqual(10)
    }
    expect(await store.take('idle', rule)).toMatchObject({ allowed: true })
  })
})

sayIfNoRedisServer('limits shared through Redis')

describe.skipIf(!hasRedisServer)('buckets in Redis', () => {
  let server: RedisServer
  let redis: Redis
  beforeAll(async () => {
    server = await startRedisServer()
    redis = await connectRedis(server.url)
  })
  afterAll(async () => {
    await redis.close()
    await server.stop()
  })

  // A failure of Redis fails the test. Otherwise the memory fallback would hide it.
  promises(25, (nowMs) => {
    const log = { warn: (details: object) => expect.fail(JSON.stringify(details)), info: () => {} }
    return createRedisLimitStore(redis, { nowMs, log })
  })

  test('parallel requests over two connections take exactly the tokens there are', async () => {
    const other = await connectRedis(server.url)
    const nodes = [redis, other].map((link) =>
      createRedisLimitStore(link, { nowMs: () => startMs }),
    )
    const rule = { requests: 20, windowMs: 60_000 }
    const taken = await Promise.all(
      Array.from({ length: 200 }, (_, index) => nodes[index % 2]!.take('crowd', rule)),
    )
    expect(taken.filter(({ allowed }) => allowed)).toHaveLength(20)
    await Promise.all(Array.from({ length: 7 }, () => nodes[1]!.refund('crowd', rule)))
    const again = await Promise.all(Array.from({ length: 50 }, () => nodes[0]!.take('crowd', rule)))
    expect(again.filter(({ allowed }) => allowed)).toHaveLength(7)
    await other.close()
  })

  test('a bucket lives for twice its window after the last request', async () => {
    await redis.ask((client) => client.flushDb())
    const store = createRedisLimitStore(redis, { nowMs: () => startMs })
    await store.take('lives', perQuarterHour)
    const [key = ''] = await redis.ask((client) => client.keys('*lives*'))
    const livesMs = await redis.ask((client) => client.pTTL(key))
    expect(livesMs).toBeGreaterThan(perQuarterHour.windowMs)
    expect(livesMs).toBeLessThanOrEqual(2 * perQuarterHour.windowMs)

    await store.take('ends', { requests: 1, windowMs: 10 })
    await eventually(async () => {
      expect(await redis.ask((client) => client.keys('*ends*'))).toEqual([])
    })
  })

  test('a server that has forgotten the script gets it again', async () => {
    const log = recordingLog()
    const store = createRedisLimitStore(redis, { nowMs: () => startMs, log })
    const rule = { requests: 2, windowMs: 60_000 }
    await store.take('forgetful', rule)
    await redis.ask((client) => client.scriptFlush())
    expect(await store.take('forgetful', rule)).toMatchObject({ allowed: true, remaining: 0 })
    expect(log.lines).toEqual([])
  })

  test('the script answers in one round trip', async () => {
    const store = createRedisLimitStore(redis, { nowMs: () => startMs })
    await store.take('trips', perQuarterHour)
    await redis.ask((client) => client.configResetStat())
    await store.take('trips', perQuarterHour)
    await store.refund('trips', perQuarterHour)
    const stats = await redis.ask((client) => client.info('commandstats'))
    expect(/cmdstat_evalsha:calls=(\d+)/.exec(stats)?.[1]).toBe('2')
    expect(stats).not.toMatch(/cmdstat_eval:/)
  })
})
