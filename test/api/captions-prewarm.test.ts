/** The job that captions the first slides of a session before it is played (contract 4.3). */
import { describe, expect, test } from 'vitest'
import { plainCaption } from '../support/caption-server.ts'
import type { CaptionWorld } from '../support/caption-world.ts'
import { createCaptionWorld } from '../support/caption-world.ts'
import { eventually } from '../support/eventually.ts'
import { useWorld } from '../support/use-world.ts'
import type { Person } from '../support/world.ts'
import { refusalOf, refused } from '../support/world.ts'

let world: CaptionWorld
let ana: Person
let bo: Person

useWorld(createCaptionWorld, async (fresh) => {
  world = fresh
  ;[ana, bo] = [await world.as('ana'), await world.as('bo')]
  await world.grant(ana, 450)
})

const slidesOf = async (person: Person, id: number) =>
  (await person.sessions.read({ params: { id: String(id) } })).media

const eventsOf = async (sessionId: number) =>
  world.ctx.db
    .selectFrom('session_events')
    .select(['type', 'data'])
    .where('session_id', '=', sessionId)
    .where('type', 'in', ['caption', 'done'])
    .orderBy('seq')
    .execute()

describe('preparing a session', () => {
  const prewarm = (person: Person, sessionId: number) =>
    person.captions.prewarm({ body: { sessionId } })

  test('writes the first five captions, two at a time, and playing them then costs nothing more', async () => {
    const sessionId = await world.makeSession(ana, { isPublic: true })
    let running = 0
    let max = 0
    world.server.always(async (response) => {
      running += 1
      max = Math.max(max, running)
      // The server answers in pairs; the fifth request is alone.
      const awaited = Math.min(5, 2 * Math.ceil(world.server.asked.length / 2))
      await eventually(() => expect(world.server.asked.length).toBeGreaterThanOrEqual(awaited))
      running -= 1
      response.setHeader('content-type', 'application/json')
      response.end(JSON.stringify({ choices: [{ message: { content: plainCaption } }] }))
    })
    expect(await prewarm(bo, sessionId)).toEqual({ queued: 5 })
    await world.runJobs()
    expect(world.server.asked).toHaveLength(5)
    expect(max).toBe(2)
    const told = (await eventsOf(sessionId)).filter(({ type }) => type === 'caption')
    expect(told).toHaveLength(5)
    expect(told[0]?.data).toMatchObject({ caption: plainCaption })
    for (let n = 0; n < 5; n += 1)
      await bo.captions.generate({ body: { media_url: world.site.url(`/${n}.jpg`), sessionId } })
    expect(world.server.asked).toHaveLength(5)
    expect((await slidesOf(ana, sessionId))[0]?.caption).toBeNull()
  })

  test('skips slides with captions, and a failing slide does not stop the others', async () => {
    const sessionId = await world.makeSession(ana)
    const [first] = await slidesOf(ana, sessionId)
    const params = { id: String(sessionId), mediaId: String(first!.id) }
    await ana.sessions.updateMedia({ params, body: { caption: 'My own words' } })
    world.server.reply({ status: 500, body: 'oops' })
    expect(await prewarm(ana, sessionId)).toEqual({ queued: 4 })
    await world.runJobs()
    expect(world.server.asked).toHaveLength(4)
  })

  test('is only for viewers of the session, and adult themes only for age-verified accounts', async () => {
    const sessionId = await world.makeSession(ana)
    expect((await refused(prewarm(bo, sessionId))).status).toBe(403)
    expect((await refused(prewarm(bo, 999_999))).status).toBe(404)
    const id = String(sessionId)
    const { shareCode } = await ana.sharing.shareSession({
      params: { id },
      body: { password: 'lantern', expiresAt: new Date(Date.now() + 3_600_000).toISOString() },
    })
    const body = { sessionId }
    const headers = { 'x-share-code': shareCode, 'x-share-password': 'lantern' }
    expect(await bo.captions.prewarm({ body, headers })).toEqual({ queued: 5 })
    const locked = { 'x-share-code': shareCode }
    expect((await refused(bo.captions.prewarm({ body, headers: locked }))).status).toBe(401)
    world.clock.advance(2 * 3_600_000)
    const reason = () => refusalOf(bo.captions.prewarm({ body, headers }))
    expect(await reason()).toEqual([410, 'SHARE_EXPIRED'])
    world.clock.advance(-2 * 3_600_000)
    const stopped = { expiresAt: new Date(0).toISOString() }
    await ana.sharing.shareSession({ params: { id }, body: stopped })
    expect(await reason()).toEqual([410, 'SHARE_STOPPED'])
    await ana.sessions.update({ params: { id }, body: { captionTheme: 'cuckold' } })
    expect((await refused(prewarm(ana, sessionId))).body).toMatchObject({
      code: 'AGE_VERIFICATION_REQUIRED',
    })
  })
})
