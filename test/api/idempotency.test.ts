/** `Idempotency-Key`, on every paid endpoint (contract 4.7). */
import { describe, expect, test } from 'vitest'
import { claimKey, markCharged } from '../../src/server/features/credits/idempotency/claims.ts'
import { spend } from '../../src/server/features/credits/ledger/spending.ts'
import { paidRoutes } from '../support/paid-endpoints.ts'
import { useWorld } from '../support/use-world.ts'
import type { Person, World } from '../support/world.ts'
import { createWorld } from '../support/world.ts'

let world: World
let ana: Person
let bo: Person

useWorld(
  () => createWorld({}, { extraRoutes: paidRoutes }),
  async (fresh) => {
    world = fresh
    ana = await world.as('ana')
    bo = await world.as('bo')
  },
)

async function call(person: Person, path: 'buy' | 'view' | 'work', note: string, key?: string) {
  const response = await person.fetch(`/api/test/${path}`, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      ...(key === undefined ? {} : { 'idempotency-key': key }),
    },
    body: JSON.stringify({ note }),
  })
  const body = (await response.json()) as Record<string, unknown>
  return { status: response.status, body, replayed: response.headers.has('idempotent-replayed') }
}

const balanceOf = async (person: Person) => (await person.credits.balance()).balance

const notes = () =>
  world.ctx.db.selectFrom('activity_log').select('details').where('action', '=', 'note').execute()

test('without a key every call is charged', async () => {
  await call(ana, 'buy', 'one')
  await call(ana, 'buy', 'one')
  expect(await balanceOf(ana)).toBe(0)
  expect(await notes()).toHaveLength(2)
})

test('the same key returns the first response again and charges once', async () => {
  const first = await call(ana, 'buy', 'one', 'key-1')
  expect(first).toEqual({
    status: 201,
    body: { charged: 25, balance: 25, note: 'one' },
    replayed: false,
  })
  expect(await call(ana, 'buy', 'one', 'key-1')).toEqual({ ...first, replayed: true })
  expect(await balanceOf(ana)).toBe(25)
  expect(await notes()).toHaveLength(1)
})

test('keys are separate for each user', async () => {
  await call(ana, 'buy', 'one', 'shared-key')
  const other = await call(bo, 'buy', 'another', 'shared-key')
  expect(other).toMatchObject({ status: 201, body: { note: 'another' }, replayed: false })
})

test('the same key with another body, or on another endpoint, is a conflict', async () => {
  await call(ana, 'buy', 'one', 'key-1')
  const conflict = { status: 409, body: { code: 'IDEMPOTENCY_CONFLICT' } }
  expect(await call(ana, 'buy', 'two', 'key-1')).toMatchObject(conflict)
  expect(await call(ana, 'view', 'one', 'key-1')).toMatchObject(conflict)
  expect(await balanceOf(ana)).toBe(25)
})

test('twenty concurrent calls with one key have one effect', async () => {
  const calls = await Promise.all(
    Array.from({ length: 20 }, () => call(ana, 'buy', 'one', 'key-1')),
  )
  for (const { status, body } of calls)
    if (status !== 201) expect(body).toMatchObject({ code: 'IDEMPOTENCY_IN_PROGRESS' })
  expect(calls.filter(({ replayed, status }) => status === 201 && !replayed)).toHaveLength(1)
  expect(await balanceOf(ana)).toBe(25)
  expect(await notes()).toHaveLength(1)
})

test('a failure before any debit frees the key', async () => {
  await world.ctx.db
    .updateTable('feature_pricing')
    .set({ is_active: false })
    .where('feature_key', '=', 'session_create')
    .execute()
  expect(await call(ana, 'buy', 'one', 'key-1')).toMatchObject({
    status: 503,
    body: { code: 'FEATURE_PRICING_MISSING' },
  })
  await world.ctx.db
    .updateTable('feature_pricing')
    .set({ is_active: true })
    .where('feature_key', '=', 'session_create')
    .execute()
  expect(await call(ana, 'buy', 'one', 'key-1')).toMatchObject({ status: 201, replayed: false })
})

test('a failure after a debit is returned again, and refunded once', async () => {
  const first = await call(ana, 'work', 'fail', 'key-1')
  expect(first).toMatchObject({ status: 500, body: { code: 'WORK_FAILED' }, replayed: false })
  expect(await call(ana, 'work', 'fail', 'key-1')).toEqual({ ...first, replayed: true })
  expect(await balanceOf(ana)).toBe(50)
  const { transactions } = await ana.credits.transactions()
  expect(transactions.map(({ type, amount }) => [type, amount])).toEqual([
    ['refund', 5],
    ['spend', -5],
    ['grant', 50],
  ])
})

test('a key expires after a day', async () => {
  await call(ana, 'view', 'one', 'key-1')
  world.clock.advance(24 * 3600 * 1000 + 1000)
  expect(await call(ana, 'view', 'two', 'key-1')).toMatchObject({ status: 201, replayed: false })
  world.clock.advance(25 * 3600 * 1000)
  await world.ctx.queue.send(world.ctx.db, 'sweep-idempotency-keys', {}, {})
  await world.runJobs()
  expect(await world.ctx.db.selectFrom('idempotency_keys').selectAll().execute()).toEqual([])
})

test.each(['x'.repeat(201), 'with space', 'tab\there', 'caf\u00e9'])(
  'the key %j is refused, and nothing is charged',
  async (key) => {
    expect(await call(ana, 'view', 'one', key)).toMatchObject({ status: 400 })
    expect(await balanceOf(ana)).toBe(50)
  },
)

describe('a node that dies', () => {
  /** Returns Ana's call as the node claims it, with the hash that was stored for Bo's same call. */
  const request = async () => {
    const { id: userId } = await ana.accounts.currentUser()
    await call(bo, 'work', 'one', 'key-1')
    const { request_hash: requestHash } = await world.ctx.db
      .selectFrom('idempotency_keys')
      .select('request_hash')
      .where('user_id', '<>', userId)
      .executeTakeFirstOrThrow()
    return { userId, key: 'key-1', requestHash }
  }

  test('before the debit leaves a claim that expires', async () => {
    await claimKey(world.ctx, await request())
    expect(await call(ana, 'work', 'one', 'key-1')).toMatchObject({
      status: 409,
      body: { code: 'IDEMPOTENCY_IN_PROGRESS' },
    })
    world.clock.advance(16_000)
    expect(await call(ana, 'work', 'one', 'key-1')).toMatchObject({ status: 201 })
  })

  test('after the debit leaves a call that is ended and refunded exactly once', async () => {
    const standing = await claimKey(world.ctx, await request())
    if (standing.kind !== 'ours') throw new Error('the claim should be ours')
    const { userId } = standing.claim
    await spend({ ...world.ctx, claim: standing.claim }, userId, {
      featureKey: 'image_censor',
      description: 'Work',
    })
    expect(await balanceOf(ana)).toBe(45)
    world.clock.advance(16_000)
    const first = await call(ana, 'work', 'one', 'key-1')
    expect(first).toMatchObject({ status: 503, body: { code: 'INTERRUPTED' } })
    expect(await call(ana, 'work', 'one', 'key-1')).toEqual({ ...first, replayed: true })
    expect(await balanceOf(ana)).toBe(50)
  })

  test('after the debit of a caller that never returns is refunded by the sweep', async () => {
    const standing = await claimKey(world.ctx, await request())
    if (standing.kind !== 'ours') throw new Error('the claim should be ours')
    await spend({ ...world.ctx, claim: standing.claim }, standing.claim.userId, {
      featureKey: 'image_censor',
      description: 'Work',
    })
    world.clock.advance(16_000)
    await world.ctx.queue.send(world.ctx.db, 'sweep-idempotency-keys', {}, {})
    await world.runJobs()
    expect(await balanceOf(ana)).toBe(50)
    expect(await call(ana, 'work', 'one', 'key-1')).toMatchObject({ status: 503, replayed: true })
  })

  test('and returns too late cannot complete the call', async () => {
    const standing = await claimKey(world.ctx, await request())
    if (standing.kind !== 'ours') throw new Error('the claim should be ours')
    world.clock.advance(16_000)
    await call(ana, 'work', 'one', 'key-1')
    await expect(markCharged(world.ctx, standing.claim, null)).rejects.toThrow()
    expect(await balanceOf(ana)).toBe(45)
  })
})
