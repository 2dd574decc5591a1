/** Sessions that are refreshed: filled again once a day (contract-additions, section 18). */
import { describe, expect, test } from 'vitest'
import { refreshDueSessions } from '../../src/server/features/sessions/fill/refresh.ts'
import { pictures } from '../support/fake-feed.ts'
import type { SessionWorld } from '../support/session-world.ts'
import { createSessionWorld } from '../support/session-world.ts'
import { useWorld } from '../support/use-world.ts'
import type { Person } from '../support/world.ts'
import { refused } from '../support/world.ts'

let world: SessionWorld
let ana: Person
let bo: Person

useWorld(createSessionWorld, async (fresh) => {
  world = fresh
  ;[ana, bo] = [await world.as('ana'), await world.as('bo')]
})

const hourMs = 3600_000
const read = (id: string) => ana.sessions.read({ params: { id } })
const keepFresh = (id: string, refreshDaily = true) =>
  ana.sessions.update({ params: { id }, body: { refreshDaily } })
const titles = async (id: string) =>
  new Set((await read(id)).media.map(({ mediaUrl }) => mediaUrl?.split('/')[3]))

/** Lets hours pass, then runs the due refreshes and the fills that they enqueue. */
async function pass(hours: number): Promise<void> {
  world.clock.advance(hours * hourMs)
  await refreshDueSessions(world.ctx)
  await world.runJobs()
}

/** Makes a session of city pictures, then replaces the pictures of its feed. */
async function makeFresh(): Promise<string> {
  world.feed.put('city', pictures('old', 5, { subfeed: 'city' }))
  const id = await world.makeFilled(ana)
  await keepFresh(id)
  world.feed.put('city', pictures('new', 5, { subfeed: 'city' }))
  return id
}

describe('a session with a daily refresh', () => {
  test('has refreshDaily, and stays unchanged for a day', async () => {
    const id = await makeFresh()
    expect((await read(id)).session.refreshDaily).toBe(true)
    await pass(23)
    expect(await titles(id)).toEqual(new Set(['old']))
  })

  test('is filled again once a day, free', async () => {
    const id = await makeFresh()
    const { balance } = await ana.credits.balance()
    await pass(25)
    expect(await titles(id)).toEqual(new Set(['new']))
    const asked = world.feed.asked
    await pass(0)
    await pass(22)
    expect(world.feed.asked).toBe(asked)
    await pass(2)
    expect(world.feed.asked).toBeGreaterThan(asked)
    expect((await ana.credits.balance()).balance).toBe(balance)
  })

  test('keeps slides that were captioned or added manually', async () => {
    const id = await makeFresh()
    const [first] = (await read(id)).media
    const params = { id, mediaId: String(first?.id) }
    await ana.sessions.updateMedia({ params, body: { caption: 'The bay' } })
    const slides = (await read(id)).media.map((slide) => ({
      id: slide.id,
    }))
    const own = { mediaUrl: 'https://mine.example/own/1.jpg' }
    await ana.sessions.replaceMedia({ params: { id }, body: { slides: [own, ...slides] } })
    await pass(25)
    const { media } = await read(id)
    expect(media.map(({ caption }) => caption)).toContain('The bay')
    expect(media.map(({ mediaUrl }) => mediaUrl)).toContain(own.mediaUrl)
    expect(media).toHaveLength(7)
  })

  test('is not refreshed after its owner turned it off, nor while they are disabled', async () => {
    const id = await makeFresh()
    expect((await keepFresh(id, false)).refreshDaily).toBe(false)
    await pass(25)
    expect(await titles(id)).toEqual(new Set(['old']))
    await keepFresh(id)
    const active = (isActive: boolean) =>
      world.ctx.db.updateTable('users').set({ is_active: isActive }).execute()
    await active(false)
    await pass(25)
    await active(true)
    expect(await titles(id)).toEqual(new Set(['old']))
    await pass(0)
    expect(await titles(id)).toEqual(new Set(['new']))
  })

  test('waits while it is being filled', async () => {
    const id = await makeFresh()
    world.clock.advance(25 * hourMs)
    await ana.sessions.refill({ params: { id } })
    await refreshDueSessions(world.ctx)
    const { fill_number: number } = await world.ctx.db
      .selectFrom('sessions')
      .select('fill_number')
      .where('id', '=', Number(id))
      .executeTakeFirstOrThrow()
    expect(number).toBe(2)
  })

  test('is refreshed by one of two nodes', async () => {
    for (let made = 0; made < 2; made += 1) await makeFresh()
    world.clock.advance(25 * hourMs)
    await Promise.all([1, 2, 3].map(() => refreshDueSessions(world.ctx)))
    const rows = await world.ctx.db.selectFrom('sessions').select('fill_number').execute()
    expect(rows.map(({ fill_number: number }) => number)).toEqual([2, 2])
  })

  test('has subfeeds, and belongs to the caller', async () => {
    const { session } = await ana.sessions.createManual({
      body: { title: 'Mine', slides: [{ mediaUrl: 'https://mine.example/1.jpg' }] },
    })
    expect((await refused(keepFresh(String(session.id)))).status).toBe(400)
    expect((await keepFresh(String(session.id), false)).refreshDaily).toBe(false)
    const id = await makeFresh()
    const attempt = bo.sessions.update({ params: { id }, body: { refreshDaily: false } })
    expect((await refused(attempt)).status).toBe(403)
    expect((await read(id)).session.refreshDaily).toBe(true)
  })
})

describe('a session whose daily refresh fails', () => {
  const notices = async (person: Person) => (await person.moderation.listNotices()).items

  test('sends its owner one notice after three failed days in a row', async () => {
    const id = await makeFresh()
    world.feed.fail('city', 'unreachable')
    await pass(25)
    await pass(24)
    expect(await notices(ana)).toEqual([])
    await pass(24)
    const [notice, ...others] = await notices(ana)
    expect(notice?.message).toContain('“Evening” could not be kept fresh for three days')
    expect(others).toEqual([])
    expect(await titles(id)).toEqual(new Set(['old']))
    await pass(24)
    expect(await notices(ana)).toHaveLength(1)
    expect(await notices(bo)).toEqual([])
  })

  test('starts to count again after a successful day', async () => {
    const id = await makeFresh()
    world.feed.fail('city', 'unreachable')
    await pass(25)
    await pass(24)
    world.feed.reset()
    await ana.sessions.refill({ params: { id } })
    await world.runJobs()
    world.feed.fail('city', 'unreachable')
    await pass(24)
    await pass(24)
    expect(await notices(ana)).toEqual([])
    await pass(24)
    expect(await notices(ana)).toHaveLength(1)
  })

  test('counts days, not the owner’s own refills', async () => {
    const id = await makeFresh()
    world.feed.fail('city', 'unreachable')
    await pass(25)
    for (let tries = 0; tries < 3; tries += 1) {
      await ana.sessions.refill({ params: { id } })
      await world.runJobs()
    }
    expect(await notices(ana)).toEqual([])
  })

  test('gets no free fill that was never paid', async () => {
    world.feed.fail('city', 'unreachable')
    const id = await world.makeFilled(ana)
    expect((await read(id)).session.fillStatus).toBe('failed')
    await keepFresh(id)
    world.feed.reset()
    for (let day = 0; day < 3; day += 1) await pass(25)
    expect((await read(id)).media).toEqual([])
    expect(await notices(ana)).toHaveLength(1)
  })
})
