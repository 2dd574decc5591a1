/** Failures after the debit: one debit, at most one refund, and the record of the generation ends. */
import { beforeEach, describe, expect, test, vi } from 'vitest'
import type { ProviderName } from '../../src/contract/enhancement.ts'
import { sweepIdempotencyKeys } from '../../src/server/features/credits/jobs.ts'
import {
  failGeneration,
  failStuckEnhancements,
  sweepFailedEnhancements,
} from '../../src/server/features/enhancement/endings.ts'
import { runJob } from '../../src/server/jobs/job.ts'
import { StorageUnreachable } from '../../src/server/platform/storage/storage.ts'
import type { Behaviour, EnhancementWorld } from '../support/enhancement-world.ts'
import { createEnhancementWorld, pictureFile } from '../support/enhancement-world.ts'
import { eventually } from '../support/eventually.ts'
import { useWorld } from '../support/use-world.ts'
import type { Person } from '../support/world.ts'
import { refused } from '../support/world.ts'

let world: EnhancementWorld
let ana: Person

useWorld(createEnhancementWorld, async (fresh) => {
  world = fresh
  ana = await world.enhancer('ana')
})

const key = { 'idempotency-key': 'key-1' }
const minutes = (count: number) => count * 60_000

const generate = async (quality: 'low' | 'high', headers: Record<string, string> = {}) =>
  ana.enhancement.generate({ form: { image: await pictureFile(), quality }, headers })

const sweep = () => runJob(world.ctx, failStuckEnhancements, {})

/** Returns the folder name of each of the person's files. */
async function filesOf(userId: string): Promise<string[]> {
  const prefix = `users/${userId}/enhance/`
  const folders: string[] = []
  for await (const { key } of world.ctx.storage.list('user-media', prefix))
    folders.push(key.slice(prefix.length).replace(/\/.*/, ''))
  return folders.toSorted()
}

const files = async (name: string) => filesOf(await world.idOf(name))

/** Expects that the generation failed and its debit was refunded in full, once. */
async function expectPaidBack(amount: number) {
  const [debit, refund, ...more] = await world.movements('ana')
  expect([debit?.amount, refund?.amount, refund?.refundOf, more]).toEqual([
    -amount,
    amount,
    debit?.id,
    [],
  ])
  const [record, ...others] = await world.records('ana')
  expect(others).toEqual([])
  expect(record).toMatchObject({
    status: 'failed',
    result_path: null,
    credit_charged: true,
    refund_transaction_id: refund?.id,
  })
  expect(record?.error_message).toMatch(/./)
  expect(record?.refunded_at).not.toBeNull()
  expect((await ana.credits.balance()).balance).toBe(1050)
  return record
}

const faults: readonly Behaviour[] = [
  'fails',
  'hangs',
  'gives nothing',
  'gives an empty file',
  'gives no picture',
  'gives another size',
  'is unavailable',
]

describe.each(faults)('a provider that %s', (fault) => {
  beforeEach(() => {
    // Only a provider that hangs uses up the time budget.
    if (fault === 'hangs') Object.assign(world.budgetMs, { low: 2500, high: 2500 })
  })

  test.each([
    ['low', 'provider_a', 'provider_b', 25],
    ['high', 'provider_b', 'provider_a', 25],
  ] as const)('is replaced by the other one, for %s', async (quality, first, second, charged) => {
    world.behave({ [first]: fault })
    const answer = await generate(quality)
    expect(answer).toMatchObject({ provider: second, creditsCharged: charged })
    expect(world.asked).toEqual([first, second])
    const movements = await world.movements('ana')
    expect(movements.filter(({ type }) => type === 'spend')).toHaveLength(1)
    expect(movements.filter(({ type }) => type === 'refund')).toHaveLength(
      quality === 'low' ? 0 : 1,
    )
    expect((await ana.credits.balance()).balance).toBe(1025)
  })

  test('like the other one charges nothing, with a key and without', async () => {
    world.behave({ provider_a: fault, provider_b: 'fails' })
    const { status, body } = await refused(generate('low'))
    expect({ status, body }).toMatchObject({ status: 503, body: { code: 'PROVIDER_UNAVAILABLE' } })
    const record = await expectPaidBack(25)
    expect(record?.error_message).toMatch(/provider_a: .+; provider_b: the provider broke/)
    await world.ctx.db.deleteFrom('enhancement_generations').execute()
    const before = await world.movements('ana')
    const first = await refused(generate('high', key))
    world.behave({ provider_a: 'works', provider_b: 'works' })
    const again = await refused(generate('high', key))
    expect([again.status, again.body]).toEqual([first.status, first.body])
    expect(again.headers.get('idempotent-replayed')).toBe('true')
    const [debit, refund, ...more] = (await world.movements('ana')).slice(before.length)
    expect([debit?.amount, refund?.amount, more]).toEqual([-45, 45, []])
  })
})

test('a refusal of the picture ends the work: no other provider is used, and nothing is charged', async () => {
  world.behave({ provider_a: 'refuses the picture' })
  const { status, body } = await refused(generate('low'))
  expect({ status, body }).toMatchObject({ status: 422, body: { code: 'SAFETY_REJECTED' } })
  expect(world.asked).toEqual(['provider_a' satisfies ProviderName])
  await expectPaidBack(25)
})

describe('a storage that cannot be reached', () => {
  test.each([
    ['at the beginning', 1],
    ['at the end', 3],
  ])('%s: the credits are refunded, and no file is left', async (_, failing) => {
    const { storage } = world.ctx
    const put = storage.put.bind(storage)
    let count = 0
    const spy = vi.spyOn(storage, 'put').mockImplementation(async (...file) => {
      count += 1
      if (count === failing) throw new StorageUnreachable('no disk')
      return put(...file)
    })
    const { status, body } = await refused(generate('low', key))
    spy.mockRestore()
    expect({ status, body }).toMatchObject({ status: 503, body: { code: 'STORAGE_UNREACHABLE' } })
    await expectPaidBack(25)
    expect(await files('ana')).toEqual(failing === 1 ? [] : ['original', 'provider'])
    expect((await refused(generate('low', key))).body).toEqual(body)
  })
})

describe('a node that dies in the middle', () => {
  /** Starts a call on a node that has stopped renewing leases. Its provider keeps working. */
  async function abandoned(quality: 'low' | 'high', headers: Record<string, string> = {}) {
    const held = world.holdProviders()
    const call = generate(quality, headers).catch((error: unknown) => error)
    await eventually(() => expect(held.entered()).toBe(1))
    return { call, held }
  }

  test('leaves an enhancement that the sweep ends, within five minutes', async () => {
    const { call, held } = await abandoned('high')
    await sweep()
    expect((await world.records('ana'))[0]?.status).toBe('pending')
    world.clock.advance(minutes(1.1))
    await sweep()
    await expectPaidBack(45)
    await sweep()
    await expectPaidBack(45)
    // The node was not dead. Its result arrives too late and changes nothing.
    held.release()
    expect(await call).toMatchObject({ status: 503, body: { code: 'PROVIDER_UNAVAILABLE' } })
    await expectPaidBack(45)
    expect(await files('ana')).toEqual(['original', 'provider'])
  })

  test('and held a key: the sweep of keys refunds it, and the record says so', async () => {
    const { call, held } = await abandoned('low', key)
    world.clock.advance(minutes(1.1))
    await runJob(world.ctx, sweepIdempotencyKeys, {})
    expect((await refused(generate('low', key))).body).toMatchObject({ code: 'INTERRUPTED' })
    await sweep()
    await expectPaidBack(25)
    held.release()
    expect(await call).toMatchObject({ status: 503 })
    await expectPaidBack(25)
    expect((await refused(generate('low', key))).body).toMatchObject({ code: 'INTERRUPTED' })
  })

  test('and held a key that was released while it still worked: nothing is refunded twice', async () => {
    const { call, held } = await abandoned('low', key)
    world.clock.advance(20_000)
    expect((await refused(generate('low', key))).body).toMatchObject({ code: 'INTERRUPTED' })
    held.release()
    expect(await call).toMatchObject({ status: 409 })
    await expectPaidBack(25)
    await sweep()
    await expectPaidBack(25)
  })

  test('and returns just before the sweep: it continues', async () => {
    const { call, held } = await abandoned('low')
    const [record] = await world.records('ana')
    const found = { id: record!.id, userId: record!.user_id }
    const options = { onlyAbandoned: true }
    expect(await failGeneration(world.ctx, found, 'It was found dead', options)).toBeNull()
    held.release()
    expect(await call).toMatchObject({ success: true })
    expect(await world.movements('ana')).toHaveLength(1)
  })

  test('can be ended by its owner, and by no other account', async () => {
    const bo = await world.enhancer('bo')
    const { call, held } = await abandoned('low')
    expect(await ana.enhancement.clearStuck()).toEqual({ cleared: 0, refunded: 0 })
    world.clock.advance(minutes(1.1))
    expect(await bo.enhancement.clearStuck()).toEqual({ cleared: 0, refunded: 0 })
    expect(await ana.enhancement.clearStuck()).toEqual({ cleared: 1, refunded: 1 })
    expect(await ana.enhancement.clearStuck()).toEqual({ cleared: 0, refunded: 0 })
    await expectPaidBack(25)
    held.release()
    await call
    await expectPaidBack(25)
  })
})

test.each([{}, key])(
  'the account is deleted during the work: nothing fails, nothing is left (%o)',
  async (headers) => {
    const held = world.holdProviders()
    const call = generate('low', headers).catch((error: unknown) => error)
    await eventually(() => expect(held.entered()).toBe(1))
    const id = await world.idOf('ana')
    await world.ctx.db.deleteFrom('users').where('id', '=', id).execute()
    held.release()
    expect(await call).toMatchObject({ status: 503 })
    expect(await world.ctx.db.selectFrom('enhancement_generations').selectAll().execute()).toEqual(
      [],
    )
    // No result is stored for the deleted account.
    expect(await filesOf(id)).not.toContain('result')
    const debits = await world.ctx.db
      .selectFrom('credit_transactions')
      .select(['type', 'user_id'])
      .where('type', 'in', ['spend', 'refund'])
      .execute()
    // The debit stays, anonymised. There is no account left to refund.
    expect(debits).toEqual([{ type: 'spend', user_id: null }])
  },
)

test('a stopping node refunds what it cannot finish', async () => {
  const stopping = await createEnhancementWorld()
  const bo = await stopping.enhancer('bo')
  const id = await stopping.idOf('bo')
  stopping.behave({ provider_a: 'hangs', provider_b: 'hangs' })
  const image = await pictureFile()
  const call = refused(bo.enhancement.generate({ form: { image, quality: 'low' } }))
  await eventually(() => expect(stopping.asked).toHaveLength(1))
  const { ctx } = stopping
  const read = vi.spyOn(ctx.enhancers, 'close').mockImplementation(async () => {
    // The last query before the database closes.
    balances = await ctx.db
      .selectFrom('credit_accounts')
      .select('balance')
      .where('user_id', '=', id)
      .execute()
  })
  let balances: { balance: number }[] = []
  await stopping.close()
  expect(read).toHaveBeenCalledOnce()
  expect((await call).body).toMatchObject({ code: 'PROVIDER_UNAVAILABLE' })
  expect(balances).toEqual([{ balance: 1050 }])
  expect(stopping.asked).toHaveLength(1)
})

test('a failed enhancement is deleted after a day, with its files; a completed one stays', async () => {
  await generate('low')
  world.behave({ provider_a: 'fails', provider_b: 'fails' })
  await refused(generate('low'))
  expect(await files('ana')).toEqual(['original', 'original', 'provider', 'provider', 'result'])
  world.clock.advance(minutes(23 * 60))
  await runJob(world.ctx, sweepFailedEnhancements, {})
  expect(await world.records('ana')).toHaveLength(2)
  world.clock.advance(minutes(2 * 60))
  await runJob(world.ctx, sweepFailedEnhancements, {})
  expect((await world.records('ana')).map(({ status }) => status)).toEqual(['completed'])
  expect(await files('ana')).toEqual(['original', 'provider', 'result'])
  expect(await world.ctx.db.selectFrom('unclaimed_files').selectAll().execute()).toEqual([])
  // The ledger keeps its records.
  expect(await world.movements('ana')).toHaveLength(3)
})
