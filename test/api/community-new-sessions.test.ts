/** Publishing a session when it is created, with shareToCommunity (contract 2, 4.2). */
import { describe, expect, test } from 'vitest'
import { open } from '../support/community-calls.ts'
import type { CommunityWorld } from '../support/community-world.ts'
import { createCommunityWorld } from '../support/community-world.ts'
import { useWorld } from '../support/use-world.ts'
import type { Person } from '../support/world.ts'
import { refused } from '../support/world.ts'

let world: CommunityWorld
let ana: Person
let bo: Person

useWorld(createCommunityWorld, async (fresh) => {
  world = fresh
  ;[ana, bo] = [await world.adult('ana'), await world.adult('bo')]
})

describe('publishing', () => {
  test('can be requested with a new session, and waits for its fill', async () => {
    const body = { title: 'New', subfeeds: 'city', shareToCommunity: true, nsfw: false }
    const made = await ana.sessions.create({ body })
    expect(made).toMatchObject({ shareToCommunity: true, fillStatus: 'pending' })
    expect(await refused(open(bo, '1'))).toMatchObject({ status: 404 })
    await world.runJobs()
    const { session, media } = await open(bo, '1')
    expect(session).toMatchObject({ title: 'New', mediaCount: 3, nsfw: false })
    expect(media).toHaveLength(3)
    const shared = world.ctx.db.selectFrom('activity_log').select('session_id')
    expect(await shared.where('action', '=', 'session_shared').execute()).toEqual([
      { session_id: made.id },
    ])
    world.feed.put('empty', [])
    const empty = await ana.sessions.create({ body: { ...body, subfeeds: 'empty' } })
    await world.runJobs()
    const params = { id: String(empty.id) }
    expect((await ana.sessions.read({ params })).session.shareToCommunity).toBe(false)
  })

  test('can be requested with a manual session', async () => {
    const slides = [{ mediaUrl: `${world.site.origin}/photo/city.jpg`, caption: 'Mine' }]
    const body = { title: 'By hand', slides, shareToCommunity: true, nsfw: false }
    const { session } = await ana.sessions.createManual({ body })
    expect(session).toMatchObject({ shareToCommunity: true })
    await world.runJobs()
    expect((await open(bo, '1')).media).toMatchObject([{ caption: 'Mine' }])
  })

  test('possible adult content needs a verified age, else nothing is created or charged', async () => {
    const minor = await world.as('minor')
    const before = (await minor.credits.balance()).balance
    const told = { title: 'New', shareToCommunity: true }
    const slides = [{ mediaUrl: `${world.site.origin}/photo/city.jpg` }]
    for (const make of [
      () => minor.sessions.create({ body: { ...told, subfeeds: 'city' } }),
      () => minor.sessions.create({ body: { ...told, subfeeds: 'city', nsfw: true } }),
      () => minor.sessions.createManual({ body: { ...told, slides } }),
    ])
      expect(await refused(make())).toMatchObject({
        status: 403,
        body: { code: 'AGE_VERIFICATION_REQUIRED' },
      })
    expect(await minor.sessions.list()).toEqual([])
    expect((await minor.credits.balance()).balance).toBe(before)
    await minor.sessions.create({ body: { ...told, subfeeds: 'city', nsfw: false } })
  })
})
