/** Lost database connections: the retry of a job completes what the first try was about to do. */
import { describe, expect, test } from 'vitest'
import { runCaptions } from '../../src/server/features/captions/batch/caption-run.ts'
import { runPrewarm } from '../../src/server/features/captions/playback/prewarm-run.ts'
import { runCopying } from '../../src/server/features/imports/copying.ts'
import { makeRendition } from '../../src/server/features/renditions/make-rendition.ts'
import { runFill } from '../../src/server/features/sessions/fill/fill.ts'
import { enrich } from '../../src/server/features/vault/enrich/enrich.ts'
import type { CaptionWorld } from '../support/caption-world.ts'
import { createCaptionWorld, paint } from '../support/caption-world.ts'
import type { LosingDatabase } from '../support/losing-database.ts'
import { createLosingDatabase } from '../support/losing-database.ts'
import { openTestDatabase } from '../support/test-database.ts'
import { useWorld } from '../support/use-world.ts'
import { putMedia } from '../support/vault-media.ts'
import type { Person } from '../support/world.ts'

let world: CaptionWorld
let ana: Person
let lossy: LosingDatabase

useWorld(
  async () => {
    lossy = createLosingDatabase(await openTestDatabase())
    return createCaptionWorld({ database: lossy.database })
  },
  async (fresh) => {
    world = fresh
    ana = await world.as('ana')
    await world.grant(ana, 2000)
  },
)

const outage = 'PostgreSQL cannot be used'

/** Loses each statement of the work in turn, until a run completes. */
async function losingEach(
  prepare: () => Promise<{ work: () => Promise<unknown>; expectDone: () => Promise<void> }>,
): Promise<void> {
  for (let statement = 1; ; statement += 1) {
    const { work, expectDone } = await prepare()
    const outcome = await lossy
      .losing(statement, work)
      .then((isLost) => (isLost ? outage : 'whole'))
      .catch(String)
    await world.runJobs()
    await expectDone()
    if (outcome === 'whole') return
    expect(outcome).toContain(outage)
  }
}

describe('at any statement', () => {
  test('captioning a session loses no caption', async () => {
    const sessionId = await world.makeSession(ana, {}, { count: 1 })
    const { media } = await ana.sessions.read({ params: { id: String(sessionId) } })
    const body = { sessionId, mediaIds: media.map(({ id }) => id) }
    await losingEach(async () => {
      const { jobId } = await ana.captions.captionSession({ body })
      return {
        work: () => runCaptions(world.ctx, jobId),
        async expectDone() {
          const job = await ana.captions.readJob({ params: { id: jobId } })
          expect(job).toEqual({ status: 'completed', done: 1, total: 1, failed: 0 })
        },
      }
    })
    const { transactions } = await ana.credits.transactions({ query: { type: 'refund' } })
    expect(transactions).toEqual([])
  })

  test('filling a session from the vault fills it completely', async () => {
    await putMedia(ana, await paint(1))
    await world.runJobs()
    await losingEach(async () => {
      const { id } = await ana.sessions.create({ body: { title: 'Mine', subfeeds: 'vault:all' } })
      return {
        work: () => runFill(world.ctx, { sessionId: id, fillNumber: 1 }),
        async expectDone() {
          const { session } = await ana.sessions.read({ params: { id: String(id) } })
          expect(session).toMatchObject({ fillStatus: 'ready', fillError: null, mediaCount: 1 })
        },
      }
    })
  })
})

describe('prewarmed captions', () => {
  const wantedOf = async (sessionId: number) => {
    const { userId, media } = await world.ctx.db
      .selectFrom('sessions')
      .innerJoin('session_media', 'session_media.session_id', 'sessions.id')
      .select(['sessions.user_id as userId', 'session_media.id as media'])
      .where('sessions.id', '=', sessionId)
      .executeTakeFirstOrThrow()
    return { sessionId, ownerId: userId, mediaIds: [media] }
  }

  test('are tried again, after any statement', async () => {
    for (let statement = 1; ; statement += 1) {
      await world.reset()
      ana = await world.as('ana')
      const wanted = await wantedOf(await world.makeSession(ana, {}, { count: 1 }))
      const outcome = await lossy
        .losing(statement, () => runPrewarm(world.ctx, wanted))
        .then((isLost) => (isLost ? 'written all the same' : 'whole'))
        .catch(String)
      const told = world.ctx.db
        .selectFrom('session_events')
        .select('seq')
        .where('type', '=', 'caption')
      if (!outcome.includes(outage)) expect(await told.execute(), `${statement}`).toHaveLength(1)
      if (outcome === 'whole') return
    }
  })

  test('are not written for a deleted session', async () => {
    const sessionId = await world.makeSession(ana, {}, { count: 1 })
    const wanted = await wantedOf(sessionId)
    await ana.sessions.remove({ params: { id: String(sessionId) }, query: {} })
    await runPrewarm(world.ctx, wanted)
    expect(world.server.asked).toEqual([])
  })
})

describe('with many repetitions', () => {
  const times = 6

  test('a vault file is enriched in the end', async () => {
    const id = Number(await putMedia(ana, await paint(1)))
    await world.ctx.queue.boss.deleteQueuedJobs('enrich-media')
    for (let n = 0; n < times; n += 1) await lossy.losing(2, () => enrich(world.ctx, id))
    expect(await enrich(world.ctx, id)).toBe('done')
    const [file] = (await ana.vault.list({ query: {} })).files
    expect(file).toMatchObject({ enrichmentStatus: 'completed', width: 120 })
  })

  test('a slide has its sizes in the end', async () => {
    const id = Number(await putMedia(ana, await paint(1, { width: 900, height: 600 })))
    await world.ctx.queue.boss.deleteQueuedJobs('enrich-media')
    await enrich(world.ctx, id)
    const file = await world.ctx.db
      .selectFrom('media_renditions')
      .select(['bucket', 'key'])
      .executeTakeFirstOrThrow()
    for (let n = 0; n < times; n += 1) await lossy.losing(2, () => makeRendition(world.ctx, file))
    expect(await makeRendition(world.ctx, file)).toBe('done')
    const rows = await world.ctx.db.selectFrom('media_renditions').select('status').execute()
    expect(rows).toEqual([{ status: 'done' }])
  })

  test('an import has all its slides in the end', async () => {
    const urls = [world.site.url('/1.jpg')]
    const { session } = await ana.imports.importSession({ body: { title: 'Far', urls } })
    for (let n = 0; n < times; n += 1)
      await lossy.losing(5, () => runCopying(world.ctx, session.id)).catch(() => {})
    await world.runJobs()
    const read = await ana.sessions.read({ params: { id: String(session.id) } })
    expect(read).toMatchObject({ skipped: [], media: [{ type: 'image' }] })
  })
})

test('a connection that is lost while a feed is read is a 503, not a failed feed', async () => {
  await putMedia(ana, await paint(1))
  const statuses = new Set<number>()
  for (let statement = 1; statement <= 6; statement += 1)
    await lossy.losing(statement, async () => {
      const { status } = await fetch(`${world.url}/api/fetch-feed`, {
        method: 'POST',
        headers: { cookie: ana.jar.header(), 'content-type': 'application/json' },
        body: JSON.stringify({ subfeeds: 'vault:all' }),
      })
      statuses.add(status)
    })
  expect(statuses).toEqual(new Set([503, 200]))
})

test('a connection that is lost while names are suggested is a 503, not an empty list', async () => {
  const ask = async () => {
    const headers = { cookie: ana.jar.header() }
    const answer = await fetch(`${world.url}/api/feeds/suggest?q=vault:al`, { headers })
    return answer.status === 200 ? answer.json() : answer.status
  }
  const whole = await ask()
  expect(whole).toMatchObject({ items: [{ name: 'vault:all' }] })
  const answers: unknown[] = []
  for (let statement = 1; statement <= 4; statement += 1)
    await lossy.losing(statement, async () => answers.push(await ask()))
  expect(answers).toContain(503)
  for (const answer of answers) expect([503, whole]).toContainEqual(answer)
})
