/** Captioning a whole session in the background (contract 4.3). */
import { describe, expect, test } from 'vitest'
import { plainCaption, policyRefusal } from '../support/caption-server.ts'
import type { CaptionWorld } from '../support/caption-world.ts'
import { createCaptionWorld } from '../support/caption-world.ts'
import { pictures } from '../support/fake-feed.ts'
import { useWorld } from '../support/use-world.ts'
import type { Person } from '../support/world.ts'
import { refused } from '../support/world.ts'

let world: CaptionWorld
let ana: Person
let bo: Person

useWorld(createCaptionWorld, async (fresh) => {
  world = fresh
  ;[ana, bo] = [await world.as('ana'), await world.as('bo')]
  await world.grant(ana, 450)
})

const caption = (person: Person, sessionId: number, more: Record<string, unknown> = {}) =>
  person.captions.captionSession({ body: { sessionId, ...more } })

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

const refunds = async () =>
  (await ana.credits.transactions({ query: { type: 'refund' } })).transactions.map(
    ({ amount }) => amount,
  )

const runSweep = () =>
  world.ctx.queue.jobs.find(({ name }) => name === 'sweep-captions')?.run(world.ctx, {})

describe('captioning a session', () => {
  test('is charged at once, runs in the background with progress, and marks the captions', async () => {
    const sessionId = await world.makeSession(ana)
    const before = await world.balanceOf(ana)
    let n = 0
    world.server.decide(() => `Caption ${(n += 1)}: ${plainCaption}`)
    const { jobId, total } = await caption(ana, sessionId, { steering: 'More rain' })
    expect(total).toBe(12)
    expect(await world.balanceOf(ana)).toBe(before - 96)
    const params = { id: jobId }
    expect(await ana.captions.readJob({ params })).toEqual({
      status: 'pending',
      done: 0,
      total: 12,
      failed: 0,
    })
    await world.runJobs()
    expect(await ana.captions.readJob({ params })).toEqual({
      status: 'completed',
      done: 12,
      total: 12,
      failed: 0,
    })
    expect((await slidesOf(ana, sessionId)).map((slide) => slide.caption)).toEqual(
      Array.from({ length: 12 }, () => plainCaption),
    )
    const marked = await world.ctx.db
      .selectFrom('session_media')
      .select('id')
      .where('caption_is_ai', '=', true)
      .execute()
    expect(marked).toHaveLength(12)
    const events = await eventsOf(sessionId)
    const progress = events.filter(({ type }) => type === 'caption')
    expect(progress.map(({ data }) => data['done'])).toEqual([
      1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12,
    ])
    expect(progress[0]?.data).toMatchObject({ jobId, caption: plainCaption, total: 12 })
    expect(events.at(-1)).toMatchObject({ type: 'done', data: { jobId, status: 'completed' } })
    expect(world.server.asked[4]?.user).toContain('<steering>More rain</steering>')
    expect(world.server.asked[4]?.user.match(/<caption_before>/g)).toHaveLength(3)
    expect(world.server.asked[4]?.user).toContain('<title>Picture 4 of city</title>')
    expect(await refunds()).toEqual([])
  })

  test('keeps captions of the owner, unless the slide is named', async () => {
    const sessionId = await world.makeSession(ana, {}, { count: 3 })
    const [first, second] = await slidesOf(ana, sessionId)
    const params = { id: String(sessionId), mediaId: String(first!.id) }
    await ana.sessions.updateMedia({ params, body: { caption: 'My own words' } })
    expect((await caption(ana, sessionId)).total).toBe(2)
    await world.runJobs()
    expect((await slidesOf(ana, sessionId))[0]?.caption).toBe('My own words')
    const mediaIds = [first!.id, second!.id, first!.id]
    expect((await caption(ana, sessionId, { mediaIds })).total).toBe(2)
    await world.runJobs()
    expect((await slidesOf(ana, sessionId))[0]?.caption).toBe(plainCaption)
  })

  test('captions moving slides by their stills', async () => {
    const [one] = pictures('city', 1)
    const moving = {
      ...one!,
      type: 'video' as const,
      mediaUrl: world.site.url('/film.mp4'),
      thumbnail: world.site.url('/9.jpg'),
    }
    world.feed.put('films', [
      moving,
      { ...moving, mediaUrl: 'https://x.example/b.mp4', thumbnail: null },
    ])
    const { id } = await ana.sessions.create({ body: { title: 'Films', subfeeds: 'films' } })
    await world.runJobs()
    expect((await caption(ana, id)).total).toBe(1)
    await world.runJobs()
    expect(world.site.requests).toEqual(['HEAD /9.jpg', 'GET /9.jpg'])
  })

  test('refunds failed slides, once', async () => {
    const sessionId = await world.makeSession(ana, {}, { count: 6 })
    const before = await world.balanceOf(ana)
    world.server.decide(({ user }) =>
      /<title>Picture [24] of/.test(user) ? policyRefusal : plainCaption,
    )
    const { jobId } = await caption(ana, sessionId)
    await world.runJobs()
    expect(await ana.captions.readJob({ params: { id: jobId } })).toMatchObject({
      status: 'completed',
      done: 4,
      failed: 2,
    })
    expect(await world.balanceOf(ana)).toBe(before - 32)
    expect(await refunds()).toEqual([16])
    const job = world.ctx.queue.jobs.find(({ name }) => name === 'caption-slides')
    await job?.run(world.ctx, { jobId })
    world.clock.advance(2 * 3600 * 1000)
    await runSweep()
    world.clock.advance(-2 * 3600 * 1000)
    expect(await refunds()).toEqual([16])
    expect(world.server.asked).toHaveLength(8)
  })

  test('stops if the provider is down, and refunds everything', async () => {
    const sessionId = await world.makeSession(ana, {}, { count: 12 })
    const before = await world.balanceOf(ana)
    world.server.always({ status: 500, body: 'oops' })
    const { jobId } = await caption(ana, sessionId)
    await world.runJobs()
    expect(world.server.asked).toHaveLength(3)
    expect(await ana.captions.readJob({ params: { id: jobId } })).toEqual({
      status: 'failed',
      done: 0,
      total: 12,
      failed: 12,
    })
    expect(await world.balanceOf(ana)).toBe(before)
    expect((await slidesOf(ana, sessionId)).every((slide) => slide.caption === null)).toBe(true)
  })

  test('continues on another worker if its worker died, or is ended by the sweep and refunded', async () => {
    const sessionId = await world.makeSession(ana, {}, { count: 8 })
    const before = await world.balanceOf(ana)
    const { jobId } = await caption(ana, sessionId)
    const run = world.ctx.queue.jobs.find(({ name }) => name === 'caption-slides')
    // The first worker captions five slides, then dies without completing its job.
    const { runCaptions } = await import('../../src/server/features/captions/batch/caption-run.ts')
    expect(await runCaptions(world.ctx, jobId)).toBe(true)
    expect(await ana.captions.readJob({ params: { id: jobId } })).toMatchObject({
      status: 'running',
      done: 5,
    })
    await runSweep()
    expect((await ana.captions.readJob({ params: { id: jobId } })).status).toBe('running')
    world.clock.advance(11 * 60 * 1000)
    await runSweep()
    expect((await ana.captions.readJob({ params: { id: jobId } })).status).toBe('running')
    await world.ctx.queue.boss.deleteQueuedJobs('caption-slides')
    await runSweep()
    world.clock.advance(-11 * 60 * 1000)
    expect(await ana.captions.readJob({ params: { id: jobId } })).toEqual({
      status: 'completed',
      done: 5,
      total: 8,
      failed: 3,
    })
    expect(await world.balanceOf(ana)).toBe(before - 40)
    await run?.run(world.ctx, { jobId })
    expect(world.server.asked).toHaveLength(5)
    expect(await refunds()).toEqual([24])
  })

  test('waits in the queue for any time', async () => {
    const sessionId = await world.makeSession(ana, {}, { count: 3 })
    const { jobId } = await caption(ana, sessionId)
    world.clock.advance(2 * 3600 * 1000)
    await runSweep()
    world.clock.advance(-2 * 3600 * 1000)
    await world.runJobs()
    expect(await ana.captions.readJob({ params: { id: jobId } })).toMatchObject({
      status: 'completed',
      done: 3,
    })
    expect(await refunds()).toEqual([])
  })

  test('that another worker has taken over is not touched', async () => {
    const sessionId = await world.makeSession(ana, {}, { count: 3 })
    const { jobId } = await caption(ana, sessionId)
    const { runCaptions } = await import('../../src/server/features/captions/batch/caption-run.ts')
    world.server.reply(async (response) => {
      await world.ctx.db
        .updateTable('caption_jobs')
        .set({ run: crypto.randomUUID() })
        .where('id', '=', jobId)
        .execute()
      response.setHeader('content-type', 'application/json')
      response.end(JSON.stringify({ choices: [{ message: { content: plainCaption } }] }))
    })
    expect(await runCaptions(world.ctx, jobId)).toBe(false)
    expect(await ana.captions.readJob({ params: { id: jobId } })).toMatchObject({
      status: 'running',
      done: 0,
      failed: 0,
    })
    expect((await slidesOf(ana, sessionId))[0]?.caption).toBeNull()
    await world.runJobs()
    expect(await ana.captions.readJob({ params: { id: jobId } })).toMatchObject({ done: 3 })
  })

  test('of a session that is deleted during the work is refunded', async () => {
    const sessionId = await world.makeSession(ana, {}, { count: 4 })
    const before = await world.balanceOf(ana)
    const { jobId } = await caption(ana, sessionId)
    await ana.sessions.remove({ params: { id: String(sessionId) } })
    await world.runJobs()
    expect(await world.balanceOf(ana)).toBe(before)
    expect(await ana.captions.readJob({ params: { id: jobId } })).toMatchObject({
      status: 'failed',
      failed: 4,
    })
  })

  test('is only for the owner, and so is its job', async () => {
    const sessionId = await world.makeSession(ana, { isPublic: true }, { count: 3 })
    expect((await refused(caption(bo, sessionId))).status).toBe(403)
    expect((await refused(caption(bo, 999_999))).status).toBe(404)
    const { jobId } = await caption(ana, sessionId)
    for (const id of [jobId, crypto.randomUUID(), 'not-an-id']) {
      const failure = await refused(bo.captions.readJob({ params: { id } }))
      expect([failure.status, failure.body]).toEqual([404, { message: 'Job not found' }])
    }
  })

  test('refuses other accounts’ slides, empty work, adult themes of minors, too few credits', async () => {
    const sessionId = await world.makeSession(ana, {}, { count: 3 })
    const others = await slidesOf(
      bo,
      await (await world.grant(bo, 100), world.makeSession(bo, {}, { count: 2 })),
    )
    const mediaIds = [others[0]!.id]
    expect((await refused(caption(ana, sessionId, { mediaIds }))).body).toEqual({
      message: 'Media not found',
    })
    await caption(ana, sessionId)
    await world.runJobs()
    await ana.sessions.update({
      params: { id: String(sessionId) },
      body: { captionTheme: 'cbt' },
    })
    expect((await refused(caption(ana, sessionId))).body).toMatchObject({
      code: 'AGE_VERIFICATION_REQUIRED',
    })
    await ana.sessions.update({ params: { id: String(sessionId) }, body: { captionTheme: null } })
    await ana.sessions.replaceMedia({ params: { id: String(sessionId) }, body: { slides: [] } })
    expect((await refused(caption(ana, sessionId))).message).toBe(
      'Validation failed: the session has no slides to caption',
    )
    const poor = await world.makeSession(bo, {}, { count: 25 })
    expect((await refused(caption(bo, poor))).body).toMatchObject({ required: 200 })
    expect(await world.ctx.db.selectFrom('caption_jobs').select('id').execute()).toHaveLength(1)
  })

  test('does not send captions of an adult theme in events to viewers without a verified age', async () => {
    await world.verifyAge(ana)
    const sessionId = await world.makeSession(
      ana,
      { captionTheme: 'joi', isPublic: true },
      { count: 2 },
    )
    await caption(ana, sessionId)
    await world.runJobs()
    const first = (await eventsOf(sessionId)).find(({ type }) => type === 'caption')
    expect(first?.data).toMatchObject({ done: 1 })
    expect(first?.data).not.toHaveProperty('caption')
  })
})
