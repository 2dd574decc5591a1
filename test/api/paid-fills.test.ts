/** The price of fills: one session_create pays for all fills of a session, until it is refunded. */
import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import { findUnbalanced } from '../../src/server/features/credits/ledger/queries.ts'
import { spendAnd } from '../../src/server/features/credits/ledger/spending.ts'
import { refillSession } from '../../src/server/features/sessions/fill/refill.ts'
import { insertPlay } from '../../src/server/features/sessions/plays/play-queries.ts'
import { changeSession } from '../../src/server/features/sessions/session-endpoints.ts'
import { Settled } from '../../src/server/http/reply.ts'
import { createTurns } from '../../src/server/platform/concurrency/turns.ts'
import { eventually } from '../support/eventually.ts'
import { pictures } from '../support/fake-feed.ts'
import type { SessionWorld } from '../support/session-world.ts'
import { createSessionWorld } from '../support/session-world.ts'
import { testOnServer } from '../support/test-database.ts'
import { useWorld } from '../support/use-world.ts'
import type { Person } from '../support/world.ts'
import { refused } from '../support/world.ts'

let world: SessionWorld
let ana: Person

useWorld(createSessionWorld, async (fresh) => {
  world = fresh
  ana = await world.as('ana')
  await world.grant('ana', 150)
})

const balance = async () => {
  expect(await findUnbalanced(world.ctx)).toEqual([])
  return (await ana.credits.balance()).balance
}

const read = (id: string) => ana.sessions.read({ params: { id } })

/** Makes a session whose first fill failed and was refunded. */
async function refundedSession(): Promise<string> {
  world.feed.fail('*', 'unreachable')
  const id = await world.makeFilled(ana)
  world.feed.reset()
  expect(await balance()).toBe(200)
  return id
}

const ownSlide = { mediaUrl: 'https://pictures.example/own.jpg' }

/** Every way to start a fill of an existing session. */
const waysToFill: Record<string, (id: string) => Promise<unknown>> = {
  'a refill': (id) => ana.sessions.refill({ params: { id } }),
  'other subfeeds': (id) => ana.sessions.update({ params: { id }, body: { subfeeds: 'night' } }),
  'a slide of one’s own, then a refill': async (id) => {
    await ana.sessions.replaceMedia({ params: { id }, body: { slides: [ownSlide] } })
    await ana.sessions.refill({ params: { id } })
  },
  'a slide of one’s own, then other subfeeds': async (id) => {
    await ana.sessions.replaceMedia({ params: { id }, body: { slides: [ownSlide] } })
    await ana.sessions.update({ params: { id }, body: { subfeeds: 'night' } })
  },
}

describe.each([
  ['given', 0],
  ['bought', 200],
  ['in part bought', 190],
])('with credits that were %s', (_, purchased) => {
  test.each([
    ['without a key', {}],
    ['with one', { 'idempotency-key': 'the-same' }],
  ])('a new session is charged, and refunded if it stays empty: %s', async (_, headers) => {
    await sql`update credit_accounts set purchased = ${purchased} where balance = 200`.execute(
      world.ctx.db,
    )
    world.feed.fail('*', 'unreachable')
    const body = { title: 'Evening', subfeeds: 'city' }
    const { id } = await ana.sessions.create({ body, headers })
    expect(await balance()).toBe(175)
    expect(await purchasedLeft()).toBe(Math.min(purchased, 175))
    const { rows: unpaid } = await sql`
      select from idempotency_keys where not charged or debit_id is null`.execute(world.ctx.db)
    expect(unpaid).toEqual([])
    await world.runJobs()
    expect((await read(String(id))).session.fillStatus).toBe('failed')
    expect(await balance()).toBe(200)
    expect(await purchasedLeft()).toBe(purchased)
  })
})

async function purchasedLeft(): Promise<number | undefined> {
  const { rows } = await sql<{ purchased: number }>`
    select max(purchased) as purchased from credit_accounts`.execute(world.ctx.db)
  return rows[0]?.purchased
}

describe.each(Object.entries(waysToFill))('after a fill that was paid back, %s', (_, fill) => {
  test('is charged once, and the next ones are free', async () => {
    const id = await refundedSession()
    await fill(id)
    await world.runJobs()
    expect((await read(id)).session.fillStatus).toBe('ready')
    expect(await balance()).toBe(175)
    await ana.sessions.refill({ params: { id } })
    await ana.sessions.update({ params: { id }, body: { subfeeds: 'sea' } })
    await world.runJobs()
    expect(await balance()).toBe(175)
  })

  test('is refused if it cannot be paid, and changes nothing', async () => {
    const id = await refundedSession()
    await world.ctx.db
      .updateTable('feature_pricing')
      .set({ credits_required: 1000 })
      .where('feature_key', '=', 'session_create')
      .execute()
    const before = await read(id)
    const refusal = await refused(fill(id))
    expect([refusal.status, refusal.body]).toMatchObject([402, { code: 'INSUFFICIENT_CREDITS' }])
    await world.runJobs()
    const { session } = await read(id)
    expect(session.subfeeds).toEqual(before.session.subfeeds)
    expect(session.fillStatus).toBe('failed')
    expect(await balance()).toBe(200)
  })

  test('an empty second fill is refunded too', async () => {
    const id = await refundedSession()
    world.feed.fail('*', 'unreachable')
    await fill(id)
    await ana.sessions.replaceMedia({ params: { id }, body: { slides: [] } })
    await world.runJobs()
    expect((await read(id)).session.fillStatus).toBe('failed')
    expect(await balance()).toBe(200)
  })
})

describe('a session', () => {
  test('that was made manually pays for its first fill from feeds, and then no more', async () => {
    const { session } = await ana.sessions.createManual({
      body: { title: 'Mine', slides: [ownSlide] },
    })
    const params = { id: String(session.id) }
    await ana.sessions.update({ params, body: { subfeeds: 'city' } })
    await world.runJobs()
    expect(await balance()).toBe(175)
    await ana.sessions.update({ params, body: { subfeeds: 'night' } })
    await ana.sessions.refill({ params })
    await world.runJobs()
    expect(await balance()).toBe(175)
  })

  test('that was filled once is not refunded after it was emptied', async () => {
    const id = await world.makeFilled(ana)
    await ana.sessions.replaceMedia({ params: { id }, body: { slides: [] } })
    world.feed.fail('*', 'unreachable')
    await ana.sessions.refill({ params: { id } })
    await world.runJobs()
    expect((await read(id)).session).toMatchObject({ fillStatus: 'failed', mediaCount: 0 })
    expect(await balance()).toBe(175)
    world.feed.reset()
    await ana.sessions.refill({ params: { id } })
    await world.runJobs()
    expect((await read(id)).media).toHaveLength(25)
    expect(await balance()).toBe(175)
  })

  test('has slides that count from 0 after a refill', async () => {
    world.feed.put('city', pictures('city', 6))
    const id = await world.makeFilled(ana)
    const { media } = await read(id)
    for (const at of [1, 4])
      await ana.sessions.updateMedia({
        params: { id, mediaId: String(media[at]!.id) },
        body: { caption: `Kept ${at}` },
      })
    world.feed.put('city', pictures('sea', 4, { subfeed: 'city' }))
    await ana.sessions.refill({ params: { id } })
    await world.runJobs()
    const after = (await read(id)).media
    expect(after.map(({ order }) => order)).toEqual([0, 1, 2, 3, 4, 5])
    expect(after.slice(0, 2).map(({ caption }) => caption)).toEqual(['Kept 1', 'Kept 4'])
  })
})

describe('twenty concurrent refills', () => {
  /** Calls the handlers directly, so that each runs on another node: only the database serialises them. */
  async function onNodes(work: 'refill' | 'subfeeds', id: string): Promise<void> {
    const user = await world.ctx.db
      .selectFrom('users')
      .selectAll()
      .where('email', '=', 'ana@example.test')
      .executeTakeFirstOrThrow()
    await Promise.all(
      Array.from({ length: 20 }, (_, number) => {
        const ctx = { ...world.ctx, turns: createTurns() }
        const settle = async <T>(work: (inner: typeof ctx) => Promise<T>) =>
          new Settled(await work(ctx))
        const call = { user, params: { id: Number(id) }, settle, visitor: {} }
        return work === 'refill'
          ? refillSession(ctx, call as never)
          : changeSession(ctx, { ...call, body: { subfeeds: [`sub${number}`] } } as never)
      }),
    )
  }

  test.each(['refill', 'subfeeds'] as const)('are charged once: %s', async (work) => {
    for (let round = 0; round < 3; round += 1) {
      const id = await refundedSession()
      await onNodes(work, id)
      expect(await balance()).toBe(175)
      world.feed.fail('*', 'unreachable')
      await world.runJobs()
      expect(await balance()).toBe(200)
    }
  })

  test('are charged once over HTTP too, with keys and without', async () => {
    const id = await refundedSession()
    await Promise.all(
      Array.from({ length: 20 }, (_, number) =>
        ana.sessions.refill({
          params: { id },
          headers: number % 2 === 0 ? {} : { 'idempotency-key': `key-${number}` },
        }),
      ),
    )
    expect(await balance()).toBe(175)
  })

  // A session is locked before its account. Other code locks the account and then inserts rows that
  // reference the session, as captions of a whole session do.
  testOnServer('never deadlock', async () => {
    const id = await refundedSession()
    const { id: userId } = await ana.accounts.currentUser()
    const view = { featureKey: 'session_slide_view', description: 'A view' }
    const isWaiting = async () => {
      const { rows } = await sql`select from pg_stat_activity
        where datname = current_database() and wait_event_type = 'Lock'`.execute(world.ctx.db)
      expect(rows).not.toHaveLength(0)
    }
    const other = { ...world.ctx, turns: createTurns() }
    await spendAnd(other, userId, view, async (ctx) => {
      const refill = ana.sessions.refill({ params: { id } })
      await eventually(isWaiting)
      await insertPlay(ctx, { sessionId: Number(id), userId })
      return { refill }
    }).then(({ refill }) => refill)
    expect(await balance()).toBe(174)
  })
})

describe('a change of subfeeds whose response was lost', () => {
  test.each([{}, { 'idempotency-key': 'lost' }])(
    'is charged once when it is repeated: %o',
    async (headers) => {
      const id = await refundedSession()
      const change = { params: { id }, body: { subfeeds: 'night' }, headers }
      const first = await ana.sessions.update(change)
      expect(first.subfeeds).toEqual(['night'])
      expect(await ana.sessions.update(change)).toMatchObject({
        id: first.id,
        fillStatus: 'pending',
      })
      await world.runJobs()
      await ana.sessions.update(change)
      expect(await balance()).toBe(175)
    },
  )
})
