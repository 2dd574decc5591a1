/** Imports when workers die, storage fails, or the session or account is deleted. */
import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import { sweepUnclaimedFiles } from '../../src/server/features/files/unclaimed-files.ts'
import { runCopying } from '../../src/server/features/imports/copying.ts'
import { resumeImports } from '../../src/server/features/imports/jobs.ts'
import { inAccountScope } from '../../src/server/platform/concurrency/account-scope.ts'
import { failingAt } from '../support/failing-at.ts'
import type { ModerationWorld } from '../support/moderation-world.ts'
import { createModerationWorld } from '../support/moderation-world.ts'
import { plainJpeg } from '../support/sample-media.ts'
import { useWorld } from '../support/use-world.ts'
import type { Person } from '../support/world.ts'
import { createWorld, refused } from '../support/world.ts'

let world: ModerationWorld
let ana: Person

useWorld(createModerationWorld, async (fresh) => {
  world = fresh
  ana = await world.as('ana')
})

const at = (path: string) => `${world.site.origin}/${path}`
const begin = async (count = 6, more: string[] = []) => {
  const urls = Array.from({ length: count }, (_, index) => at(`png/${index}.png`))
  const { session } = await ana.imports.importSession({
    body: { title: 'Long', urls: [...urls, ...more] },
  })
  return session
}
const read = (id: number) => ana.sessions.read({ params: { id: String(id) } })
const unclaimed = async () =>
  (await world.ctx.db.selectFrom('unclaimed_files').select('key').execute()).map(({ key }) => key)
const count = async (id: number, kind: string) =>
  (await world.told(String(id))).filter(({ type }) => type === kind).length
const copiesOf = async (id: number) =>
  (await read(id)).media.filter(({ mediaUrl }) => mediaUrl?.startsWith('/media/')).length

/** Expects that every slide has its own file and that no other file exists. */
async function expectWhole(id: number, slides: number) {
  expect(await copiesOf(id)).toBe(slides)
  expect(await world.filesIn('user-media')).toHaveLength(slides * 2)
  expect(await unclaimed()).toEqual([])
  expect(await count(id, 'imported')).toBe(1)
  expect(await count(id, 'media')).toBe(slides)
  expect((await read(id)).media.map(({ order }) => order)).toEqual([...Array(slides).keys()])
  for (const { mediaUrl } of (await read(id)).media)
    expect((await world.visitor().fetch(mediaUrl ?? '')).status).toBe(200)
}

describe('a worker that dies', () => {
  test('half-way is replaced by another, which continues at the same slide', async () => {
    const { id } = await begin()
    world.storageFaults.writesLeft = 5
    await expect(runCopying(world.ctx, id)).rejects.toThrow('took the disk away')
    const done = await copiesOf(id)
    expect(done).toBeGreaterThan(0)
    expect(done).toBeLessThan(6)
    const asked = world.site.asked.length
    world.storageFaults.writesLeft = Infinity
    await world.runJobs()
    await expectWhole(id, 6)
    expect(world.site.asked.length - asked).toBe(6 - done)
    expect((await read(id)).skipped).toEqual([])
  })

  test('silently leaves files that a sweep removes, and its job to the sweep', async () => {
    const { id } = await begin(3)
    await sql`delete from pgboss.job where name = 'copy-imported'`.execute(world.ctx.db)
    // Fails as if the process had ended between the copy and the row: nothing is cleaned up.
    const dying = { ...world.ctx, db: failingAt(world.ctx.db, 'transaction') }
    await expect(runCopying(dying, id)).rejects.toThrow()
    expect(await copiesOf(id)).toBe(0)
    await resumeImports.run(world.ctx, {})
    expect(await world.runJobs()).toBe(0)
    world.clock.advance(16 * 60 * 1000)
    await resumeImports.run(world.ctx, {})
    await world.runJobs()
    expect(await copiesOf(id)).toBe(3)
    world.clock.advance(61 * 60 * 1000)
    await sweepUnclaimedFiles(world.ctx)
    await expectWhole(id, 3)
  })

  test('at the same picture each time does not try it for ever', async () => {
    const { id } = await begin(1, [at('jpg/deadly.jpg')])
    const [, deadly] = (await read(id)).media
    await sql`update media_to_copy set tries = 5 where media_id = ${deadly!.id}`.execute(
      world.ctx.db,
    )
    await world.runJobs()
    const after = await read(id)
    expect(after.media).toHaveLength(1)
    expect(after.skipped).toMatchObject([{ source: at('jpg/deadly.jpg'), code: 'interrupted' }])
    expect(world.site.asked).not.toContain('/jpg/deadly.jpg')
  })

  test('because the storage is unreachable does not use up a slide’s tries', async () => {
    const { id } = await begin(2)
    world.storageFaults.writesLeft = 0
    for (let tries = 0; tries < 7; tries += 1)
      await expect(runCopying(world.ctx, id)).rejects.toThrow('took the disk away')
    world.storageFaults.writesLeft = Infinity
    await world.runJobs()
    await expectWhole(id, 2)
  })
})

test('several workers that each believe they are alone copy every slide once', async () => {
  const { id } = await begin(8)
  await Promise.all([1, 2, 3].map(() => runCopying(world.ctx, id)))
  await world.runJobs()
  await expectWhole(id, 8)
})

test('a worker that lost its lease leaves the rest to the other', async () => {
  const { id } = await begin(30)
  expect(await during(id, () => runCopying(world.ctx, id))).toEqual({ isDone: true })
  expect(await copiesOf(id)).toBe(24)
  await world.runJobs()
  await expectWhole(id, 30)
})

test('an import that waits for a worker is enqueued once, not at every sweep', async () => {
  await begin(1)
  const enqueued = async () => {
    const { rows } = await sql`select id from pgboss.job where name = 'copy-imported'`.execute(
      world.ctx.db,
    )
    return rows.length
  }
  const before = await enqueued()
  world.clock.advance(16 * 60 * 1000)
  await Promise.all([resumeImports.run(world.ctx, {}), resumeImports.run(world.ctx, {})])
  world.clock.advance(5 * 60 * 1000)
  await resumeImports.run(world.ctx, {})
  expect((await enqueued()) - before).toBe(1)
})

test('a long import is copied in several runs, so that others run in between', async () => {
  const { id } = await begin(30)
  expect(await runCopying(world.ctx, id)).toEqual({ isDone: false })
  expect(await copiesOf(id)).toBe(24)
  await world.runJobs()
  await expectWhole(id, 30)
  const told = (await world.told(String(id))).filter(({ type }) => type === 'importing')
  expect(told.at(-1)?.data).toEqual({ done: 30, total: 30 })
  expect(told.length).toBeLessThanOrEqual(27)
})

/** Runs `meddle` when the first file is written. */
const during = async (id: number, meddle: () => Promise<unknown>) => {
  const { storage } = world.ctx
  let begun: Promise<unknown> | null = null
  const meddling = {
    ...world.ctx,
    storage: {
      ...storage,
      async put(...wanted: Parameters<typeof storage.put>) {
        // Another account's scope, as on another node, which does not wait for this node's turns.
        await (begun ??= inAccountScope({ account: 'elsewhere' }, meddle))
        return storage.put(...wanted)
      },
    },
  }
  const outcome = await runCopying(meddling, id).catch(() => null)
  expect(begun).not.toBeNull()
  return outcome
}

describe('deleting while it is copied', () => {
  const expectNothing = async () => {
    await world.runJobs()
    world.clock.advance(61 * 60 * 1000)
    await sweepUnclaimedFiles(world.ctx)
    await world.runJobs()
    expect(await world.filesIn('user-media')).toEqual([])
    expect(await unclaimed()).toEqual([])
    for (const table of ['session_imports', 'media_to_copy'] as const)
      expect(await world.ctx.db.selectFrom(table).selectAll().execute()).toEqual([])
  }

  test('the session leaves no file', async () => {
    const { id } = await begin(4)
    await during(id, () => ana.sessions.remove({ params: { id: String(id) } }))
    await expectNothing()
  })

  test('the session half-way leaves no file either', async () => {
    const { id } = await begin(30)
    await runCopying(world.ctx, id)
    expect(await world.filesIn('user-media')).toHaveLength(48)
    await ana.sessions.remove({ params: { id: String(id) } })
    await expectNothing()
  })

  test('of the account leaves no file', async () => {
    const { id } = await begin(4)
    const { email } = await ana.accounts.currentUser()
    await during(id, () => ana.accounts.deleteAccount({ body: { confirm: email } }))
    await expectNothing()
  })

  test('a slide keeps the other slides and deletes its own file', async () => {
    const { id } = await begin(3)
    const [, kept] = (await read(id)).media
    const slides = [{ id: kept!.id, caption: 'Kept' }]
    await during(id, () =>
      ana.sessions.replaceMedia({ params: { id: String(id) }, body: { slides } }),
    )
    await world.runJobs()
    expect((await read(id)).media).toMatchObject([{ id: kept!.id, caption: 'Kept', order: 0 }])
    await expectWholeFiles(id, 1)
  })

  async function expectWholeFiles(id: number, slides: number) {
    expect(await copiesOf(id)).toBe(slides)
    expect(await world.filesIn('user-media')).toHaveLength(slides * 2)
    expect(await unclaimed()).toEqual([])
  }
})

test('a picture that was taken down for good is not copied', async () => {
  const { shareCode } = await world.shareMedia(await world.adult('bo'), await plainJpeg())
  const report = await world.report({ targetType: 'shared_media', shareCode })
  await world.resolve(report, 'remove_and_block')
  const { id } = await begin(0, [at('photo/a.jpg'), at('gif/b.gif')])
  await world.runJobs()
  const after = await read(id)
  expect(after.skipped).toMatchObject([{ source: at('photo/a.jpg'), code: 'blocked' }])
  expect(after.media).toHaveLength(1)
})

test('a picture under a report is left alone, and copied after a dismissal', async () => {
  const { id } = await begin(2)
  const { shareCode } = await ana.sharing.shareSession({ params: { id: String(id) }, body: {} })
  const report = await world.report({ targetType: 'shared_session', shareCode })
  await world.runJobs()
  expect(world.site.asked).toEqual([])
  await world.resolve(report, 'dismiss')
  world.clock.advance(16 * 60 * 1000)
  await resumeImports.run(world.ctx, {})
  await world.runJobs()
  await expectWhole(id, 2)
})

test('content that is reported during the copy gets no visible file, and no slide is lost', async () => {
  const { id } = await begin(3, [at('page')])
  const { shareCode } = await ana.sharing.shareSession({ params: { id: String(id) }, body: {} })
  let report = ''
  await during(id, async () => {
    report = await world.report({ targetType: 'shared_session', shareCode })
  })
  await world.runJobs()
  expect(await world.filesIn('user-media')).toEqual([])
  expect(await count(id, 'skipped')).toBe(0)
  await world.resolve(report, 'dismiss')
  world.clock.advance(16 * 60 * 1000)
  await resumeImports.run(world.ctx, {})
  await world.runJobs()
  await expectWhole(id, 3)
  expect((await read(id)).skipped).toMatchObject([{ source: at('page'), code: 'not_media' }])
})

test('one account can import five times in fifteen minutes', async () => {
  const limited = await createWorld({ RATE_LIMIT_IMPORT: '5/900' })
  try {
    const [bo, ida] = [await limited.as('bo'), await limited.as('ida')]
    const tryOnce = (person: Person) =>
      person.imports.importSession({ body: { title: 'T', urls: ['https://a.example/1.png'] } })
    for (let calls = 0; calls < 4; calls += 1) await tryOnce(bo)
    // Failed imports count too.
    expect((await refused(bo.imports.importSession({ body: { urls: [] } }))).status).toBe(400)
    expect(await refused(tryOnce(bo))).toMatchObject({
      status: 429,
      body: { code: 'RATE_LIMIT_EXCEEDED' },
    })
    await tryOnce(ida)
    // Imports of whole libraries have their own limit.
    const tryLibrary = () => refused(bo.archives.importLibrary({ form: {} }))
    for (let calls = 0; calls < 5; calls += 1) expect((await tryLibrary()).status).toBe(400)
    expect((await tryLibrary()).status).toBe(429)
    limited.clock.advance(3 * 60 * 1000 + 1000)
    await tryOnce(bo)
  } finally {
    await limited.close()
  }
})
