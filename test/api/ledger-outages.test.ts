/**
 * The ledger when calls and connections break off. `npm run faults ledger` searches for such moments at
 * random. These are the ones that it found.
 */
import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import type { Context } from '../../src/server/context.ts'
import { atomically } from '../../src/server/database/atomically.ts'
import type { Claim } from '../../src/server/features/credits/idempotency/claims.ts'
import {
  claimKey,
  endFailedClaim,
  markCharged,
} from '../../src/server/features/credits/idempotency/claims.ts'
import { spend } from '../../src/server/features/credits/ledger/spending.ts'
import { sha256 } from '../../src/server/platform/signature.ts'
import { eventually } from '../support/eventually.ts'
import { paidRoutes } from '../support/paid-endpoints.ts'
import { engine } from '../support/test-database.ts'
import { useWorld } from '../support/use-world.ts'
import type { Person, World } from '../support/world.ts'
import { createWorld } from '../support/world.ts'

let world: World
let ana: Person
let anaId: string

useWorld(
  () => createWorld({}, { extraRoutes: paidRoutes }),
  async (fresh) => {
    world = fresh
    ana = await world.as('ana')
    anaId = (await ana.accounts.currentUser()).id
  },
)

const view = { featureKey: 'session_slide_view', description: 'A view' }

async function claim(key: string, note = 'one'): Promise<Claim> {
  const request = ['POST', '/api/test/work', undefined, undefined, { note, quantity: 1 }]
  const requestHash = sha256(JSON.stringify(request))
  const standing = await claimKey(world.ctx, { userId: anaId, key, requestHash })
  if (standing.kind !== 'ours') throw new Error('the claim should be ours')
  return standing.claim
}

async function work(note: string, key: string) {
  const response = await ana.fetch('/api/test/work', {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'idempotency-key': key },
    body: JSON.stringify({ note }),
  })
  const body = (await response.json()) as Record<string, unknown>
  return { status: response.status, body, replayed: response.headers.has('idempotent-replayed') }
}

test('work that fails after its debit is reported as interrupted, also when it is repeated', async () => {
  const first = await work('break', 'key-1')
  expect(first).toMatchObject({ status: 503, body: { code: 'INTERRUPTED' }, replayed: false })
  expect(await work('break', 'key-1')).toEqual({ ...first, replayed: true })
  expect((await ana.credits.balance()).balance).toBe(50)
})

test('many calls with keys on one account leave capacity for others', async () => {
  const bo = await world.as('bo')
  const claims = await Promise.all(Array.from({ length: 50 }, (_, index) => claim(`key-${index}`)))
  const order: string[] = []
  const crowd = claims.map((claim) => spend({ ...world.ctx, claim }, anaId, view))
  const ended = Promise.all(crowd).then(() => order.push('the crowd'))
  await bo.accounts.currentUser()
  order.push('bo')
  await ended
  expect(order).toEqual(['bo', 'the crowd'])
})

if (engine === 'embedded')
  console.info('skipped: three promises about connections, of which this engine has one')

describe.skipIf(engine === 'embedded')('with several connections', () => {
  test('a failure after a debit does not forget its pending COMMIT', async () => {
    const held = await claim('key-1')
    const begun = Promise.withResolvers<void>()
    const reply = Promise.withResolvers<void>()
    const debit = atomically(world.ctx, async (ctx) => {
      await spend({ ...ctx, claim: held }, anaId, view)
      begun.resolve()
      await reply.promise
    })
    await begun.promise
    const ending = endFailedClaim(world.ctx, held, { status: 503, body: {} })
    await eventually(async () => expect(await countWaiting(world.ctx)).toBeGreaterThan(0))
    reply.resolve()
    await debit
    expect(await ending).not.toBeNull()
    expect(await work('one', 'key-1')).toMatchObject({ status: 503, replayed: true })
    expect((await ana.credits.balance()).balance).toBe(49)
  })

  test('a call that several nodes end at once is ended once', async () => {
    await markCharged(world.ctx, await claim('key-1'), null)
    world.clock.advance(16_000)
    const calls = await atomically(world.ctx, async (ctx) => {
      await ctx.db.selectFrom('idempotency_keys').select('key').forUpdate().execute()
      const waiting = Array.from({ length: 6 }, () => work('one', 'key-1'))
      await eventually(async () => expect(await countWaiting(world.ctx)).toBe(6))
      return { waiting }
    })
    for (const { status, body } of await Promise.all(calls.waiting))
      expect(['INTERRUPTED', 'IDEMPOTENCY_IN_PROGRESS'], String(status)).toContain(body['code'])
    expect(await work('one', 'key-1')).toMatchObject({ status: 503, body: { code: 'INTERRUPTED' } })
  })

  test('a connection that breaks in a transaction fails that, and nothing else', async () => {
    const broken = atomically(world.ctx, async (ctx) => {
      await spend(ctx, anaId, view)
      const { rows } = await sql<{ pid: number }>`select pg_backend_pid() as pid`.execute(ctx.db)
      await sql`select pg_terminate_backend(${rows[0]?.pid})`.execute(world.ctx.db)
      await spend(ctx, anaId, view)
    })
    await expect(broken).rejects.toThrow()
    expect((await ana.credits.balance()).balance).toBe(50)
    expect(await spend(world.ctx, anaId, view)).toMatchObject({ balance: 49 })
  })
})

async function countWaiting(ctx: Context): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*) from pg_stat_activity
    where datname = current_database() and wait_event_type = 'Lock'`.execute(ctx.db)
  return Number(rows[0]?.count)
}
