import { describe, expect, test } from 'vitest'
import { limitPolicies } from '../../src/contract/limits.ts'
import type { PolicyName } from '../../src/contract/limits.ts'
import {
  isCounted,
  limitHeaders,
  limitKey,
  policies,
  retryAfterSeconds,
} from '../../src/server/http/limits/rate-limit.ts'
import { createMemoryLimitStore } from '../../src/server/platform/limits/limit-store.ts'

const rule = { requests: 5, windowMs: 900_000 }
const startMs = Date.UTC(2030, 0, 1)
const strangerKey = (ip: string, policy: PolicyName = 'auth') =>
  limitKey({ policy }, { ip, userId: undefined })
const anna = { ip: '203.0.113.9', userId: 'anna' }

test('every policy of the contract counts by its key and its rule', () => {
  expect(Object.keys(policies)).toEqual([...limitPolicies])
  const table = Object.entries(policies).map(
    ([name, { key, counts }]) => `${name} ${key} ${counts}`,
  )
  expect(table).toEqual([
    'public ip all',
    'captions user all',
    'feed ip below 400',
    'auth ip failures',
    'import user all',
    'callback ip all',
    'payment user all',
    'webhook ip all',
    'admin user all',
    'report ip all',
    'upload user all',
    'share_password ip failures',
    'mail ip all',
    'room ip all',
  ])
})

describe('counting', () => {
  const outcomes = [200, 302, 399, 400, 401, 404, 500].flatMap((status) =>
    [true, false, undefined].map((succeeded) => ({ status, succeeded })),
  )

  test('a policy that counts all counts all', () => {
    for (const policy of [
      'public',
      'captions',
      'import',
      'callback',
      'payment',
      'webhook',
    ] as const)
      for (const outcome of outcomes) expect(isCounted({ policy }, outcome)).toBe(true)
  })

  test('a feed request that failed is free', () => {
    for (const outcome of outcomes) {
      expect(isCounted({ policy: 'feed' }, outcome)).toBe(outcome.status < 400)
    }
  })

  test('a sign-in counts unless it succeeded, whatever the status', () => {
    for (const outcome of outcomes) {
      const counted = outcome.succeeded !== true
      expect(isCounted({ policy: 'auth' }, outcome)).toBe(counted)
      expect(isCounted({ policy: 'auth', bucket: 'auth' }, outcome)).toBe(counted)
    }
  })

  test('every registration counts', () => {
    for (const outcome of outcomes) {
      expect(isCounted({ policy: 'auth', bucket: 'register' }, outcome)).toBe(true)
    }
  })
})

describe('the key of a bucket', () => {
  test('by address: the same for all users behind it', () => {
    const ben = { ...anna, userId: 'ben' }
    expect(limitKey({ policy: 'public' }, anna)).toBe(limitKey({ policy: 'public' }, ben))
    expect(limitKey({ policy: 'public' }, anna)).not.toBe(
      limitKey({ policy: 'public' }, { ...anna, ip: '203.0.113.10' }),
    )
  })

  test('by user: the same from every address, and never shared with another user', () => {
    const elsewhere = { ...anna, ip: '198.51.100.1' }
    expect(limitKey({ policy: 'import' }, anna)).toBe(limitKey({ policy: 'import' }, elsewhere))
    expect(limitKey({ policy: 'import' }, anna)).not.toBe(
      limitKey({ policy: 'import' }, { ...anna, userId: 'ben' }),
    )
  })

  test('visitors are counted by address, apart from every user', () => {
    expect(strangerKey('203.0.113.9', 'import')).not.toBe(strangerKey('203.0.113.10', 'import'))
    for (const userId of ['203.0.113.9', 'ip:203.0.113.9', 'undefined']) {
      expect(limitKey({ policy: 'import' }, { ...anna, userId })).not.toBe(
        strangerKey(anna.ip, 'import'),
      )
    }
  })

  test('an IPv6 customer cannot multiply the limit within a /64', () => {
    expect(strangerKey('2001:db8:1:2::1')).toBe(strangerKey('2001:db8:1:2:ffff::9'))
    expect(strangerKey('2001:db8:1:2::1')).not.toBe(strangerKey('2001:db8:1:3::1'))
  })

  test('policies, and buckets within one, are separate; the unnamed bucket is the policy’s', () => {
    const limits = [
      ...limitPolicies.map((policy) => ({ policy })),
      { policy: 'auth', bucket: 'register' } as const,
    ]
    expect(new Set(limits.map((limit) => limitKey(limit, anna))).size).toBe(limits.length)
    expect(limitKey({ policy: 'auth' }, anna)).toBe(
      limitKey({ policy: 'auth', bucket: 'auth' }, anna),
    )
  })
})

describe('the headers', () => {
  test('an allowed response has the limit, the remaining requests and the reset time', async () => {
    const store = createMemoryLimitStore({ nowMs: () => startMs })
    expect(limitHeaders(await store.take('k', rule), rule)).toEqual({
      'X-RateLimit-Limit': '5',
      'X-RateLimit-Remaining': '4',
      'X-RateLimit-Reset': '2030-01-01T00:03:00.000Z',
    })
  })

  test('a refused response has a waiting time that is sufficient', async () => {
    const clock = { ms: startMs }
    const store = createMemoryLimitStore({ nowMs: () => clock.ms })
    for (let i = 0; i < 5; i += 1) await store.take('k', rule)
    clock.ms += 500
    const refused = await store.take('k', rule)
    expect(limitHeaders(refused, rule)).toEqual({
      'X-RateLimit-Limit': '5',
      'X-RateLimit-Remaining': '0',
      'X-RateLimit-Reset': '2030-01-01T00:15:00.000Z',
      'Retry-After': '180',
    })
    clock.ms += retryAfterSeconds(refused) * 1000
    expect(await store.take('k', rule)).toMatchObject({ allowed: true })
  })

  test('the wait is in whole seconds, at least one; the rest is never below zero', () => {
    const refused = { allowed: false, remaining: -3, fullAtMs: startMs, retryAfterMs: 1 }
    expect(limitHeaders(refused, rule)).toMatchObject({
      'X-RateLimit-Remaining': '0',
      'Retry-After': '1',
    })
    expect(retryAfterSeconds({ ...refused, retryAfterMs: 0 })).toBe(1)
    expect(retryAfterSeconds({ ...refused, retryAfterMs: 1000 })).toBe(1)
    expect(retryAfterSeconds({ ...refused, retryAfterMs: 1001 })).toBe(2)
  })
})
