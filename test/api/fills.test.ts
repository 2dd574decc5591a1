/** Filling sessions when feeds misbehave and nodes die (contract, sections 2 and 4.2). */
import { describe, expect, test, vi } from 'vitest'
import { failStuckFills, runFill } from '../../src/server/features/sessions/fill/fill.ts'
import { pictures } from '../support/fake-feed.ts'
import type { SessionWorld } from '../support/session-world.ts'
import { createSessionWorld } from '../support/session-world.ts'
import { useWorld } from '../support/use-world.ts'
import type { Person } from '../support/world.ts'
import { refused } from '../support/world.ts'

let world: SessionWorld
let ana: Person

useWorld(createSessionWorld, async (fresh) => {
  world = fresh
  ana = await world.as('ana')
})

const read = (id: string) => ana.sessions.read({ params: { id } })
const balance = async () => (await ana.credits.balance()).balance

describe('a feed that', () => {
  test.each(['rate_limited', 'unreachable', 'no_such_subfeed', 'missing_credentials'] as const)(
    'is %s fails the fill with a reason and refunds once',
    async (reason) => {
      world.feed.fail('*', reason)
      const id = await world.makeFilled(ana)
      const { session, media } = await read(id)
      expect(session).toMatchObject({ fillStatus: 'failed', mediaCount: 0 })
      expect(session.fillError).toMatch(/\w/)
      expect(media).toEqual([])
      expect(await balance()).toBe(50)
      const { transactions } = await ana.credits.transactions({ query: { type: 'refund' } })
      expect(transactions).toHaveLength(1)
    },
  )

  test('throws an unexpected error fails the same way', async () => {
    const list = vi.spyOn(world.feed, 'list').mockRejectedValue(new TypeError('surprise'))
    const id = await world.makeFilled(ana)
    list.mockRestore()
    expect((await read(id)).session).toMatchObject({ fillStatus: 'failed' })
    expect(await balance()).toBe(50)
  })

  test('is empty fails, one with three items is ready with three', async () => {
    world.feed.put('city', [])
    expect((await read(await world.makeFilled(ana))).session.fillStatus).toBe('failed')
    world.feed.put('city', pictures('city', 3))
    const { session } = await read(await world.makeFilled(ana))
    expect(session).toMatchObject({ fillStatus: 'ready', mediaCount: 3 })
  })

  test('repeats itself: there are no duplicates', async () => {
    const [one, two] = pictures('city', 2)
    const escaped = { ...one!, mediaUrl: `${one!.mediaUrl}?utm_source=x#fragment` }
    world.feed.put('city', [one!, one!, escaped, two!, { ...two!, postId: 'again' }])
    expect((await read(await world.makeFilled(ana))).media).toHaveLength(2)
  })

  test('consists of galleries does not crowd out the others', async () => {
    const gallery = Array.from({ length: 500 }, (_, index) => ({
      ...pictures('one', 1)[0]!,
      mediaUrl: `https://pictures.example/gallery/${index}.jpg`,
    }))
    world.feed.put('one', gallery)
    const { media } = await read(await world.makeFilled(ana, { subfeeds: 'one,two' }))
    expect(media).toHaveLength(25)
    expect(media.filter(({ subfeed }) => subfeed === 'two').length).toBeGreaterThanOrEqual(12)
  })

  test('is partly down: its available pictures are used', async () => {
    world.feed.fail('one', 'unreachable')
    const { session } = await read(await world.makeFilled(ana, { subfeeds: 'one,two' }))
    expect(session).toMatchObject({
      fillStatus: 'ready',
      fillError: 'one: cannot be reached',
      mediaCount: 25,
    })
  })

  test('has only posts that its owner may not see is not charged, and has not failed', async () => {
    world.feed.put('city', pictures('city', 3, { nsfw: true }))
    const { session } = await read(await world.makeFilled(ana))
    expect(session).toMatchObject({ fillStatus: 'ready', fillError: null, mediaCount: 0 })
    expect(await balance()).toBe(50)
  })
})

describe('after an empty fill', () => {
  test('the next refill is charged again, and others are free', async () => {
    world.feed.fail('*', 'unreachable')
    const id = await world.makeFilled(ana)
    expect(await balance()).toBe(50)
    world.feed.reset()
    await ana.sessions.refill({ params: { id } })
    await world.runJobs()
    expect((await read(id)).session).toMatchObject({ fillStatus: 'ready', fillError: null })
    expect(await balance()).toBe(25)
    await ana.sessions.refill({ params: { id } })
    await world.runJobs()
    expect(await balance()).toBe(25)
  })

  test('a refill without credits is refused', async () => {
    world.feed.fail('*', 'unreachable')
    const id = await world.makeFilled(ana)
    world.feed.reset()
    await world.makeFilled(ana)
    await world.makeFilled(ana)
    expect((await refused(ana.sessions.refill({ params: { id } }))).status).toBe(402)
  })

  test('a failing refill keeps the existing slides', async () => {
    const id = await world.makeFilled(ana)
    world.feed.fail('*', 'unreachable')
    await ana.sessions.refill({ params: { id } })
    await world.runJobs()
    const { session, media } = await read(id)
    expect(session.fillStatus).toBe('failed')
    expect(media).toHaveLength(25)
    expect(await balance()).toBe(25)
  })
})

describe('a node that dies', () => {
  const begun = async () => {
    const { id } = await ana.sessions.create({ body: { title: 'Evening', subfeeds: 'city' } })
    return { sessionId: id, fillNumber: 1 }
  }

  test('during a fill leaves it to another run, without duplicates', async () => {
    const fill = await begun()
    await world.ctx.db.updateTable('sessions').set({ fill_status: 'filling' }).execute()
    await Promise.all([
      runFill(world.ctx, fill),
      runFill(world.ctx, fill),
      runFill(world.ctx, fill),
    ])
    await world.runJobs()
    const { session, media } = await read(String(fill.sessionId))
    expect(session).toMatchObject({ fillStatus: 'ready', mediaCount: 25 })
    expect(new Set(media.map(({ mediaUrl }) => mediaUrl)).size).toBe(25)
  })

  test.each(['pending', 'filling'] as const)(
    'for good fails a %s fill, refunded once',
    async (status) => {
      const fill = await begun()
      await world.ctx.db.updateTable('sessions').set({ fill_status: status }).execute()
      await world.ctx.queue.boss.deleteQueuedJobs('fill-session')
      world.clock.advance(6 * 60 * 1000)
      await Promise.all([failStuckFills(world.ctx), failStuckFills(world.ctx)])
      expect((await read(String(fill.sessionId))).session).toMatchObject({ fillStatus: 'failed' })
      expect(await balance()).toBe(50)
      await world.runJobs()
      expect((await read(String(fill.sessionId))).session.fillStatus).toBe('failed')
    },
  )

  test.each(['pending', 'filling'] as const)(
    'leaves a %s fill alone while its job waits in the queue',
    async (status) => {
      const fill = await begun()
      await world.ctx.db.updateTable('sessions').set({ fill_status: status }).execute()
      world.clock.advance(24 * 3600 * 1000)
      await failStuckFills(world.ctx)
      expect((await read(String(fill.sessionId))).session.fillStatus).toBe(status)
      expect(await balance()).toBe(25)
      await world.runJobs()
      expect((await read(String(fill.sessionId))).session).toMatchObject({
        fillStatus: 'ready',
        mediaCount: 25,
      })
    },
  )

  test('a fill that was replaced by other subfeeds writes nothing', async () => {
    const fill = await begun()
    await ana.sessions.update({ params: { id: String(fill.sessionId) }, body: { subfeeds: 'two' } })
    await runFill(world.ctx, fill)
    await world.runJobs()
    const { media } = await read(String(fill.sessionId))
    expect(new Set(media.map(({ subfeed }) => subfeed))).toEqual(new Set(['two']))
  })
})
