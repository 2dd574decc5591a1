/** Slides that remote sites no longer have: replaced where possible, else marked. The owner is notified. */
import { describe, expect, test, vi } from 'vitest'
import { checkDueLinks } from '../../src/server/features/link-health/link-checks.ts'
import type { SafeFetch } from '../../src/server/platform/fetch/safe-fetch.ts'
import type { LinkWorld } from '../support/link-world.ts'
import { createLinkWorld, dayMs, gone, hourMs, minuteMs } from '../support/link-world.ts'
import { useWorld } from '../support/use-world.ts'
import type { Person } from '../support/world.ts'

let world: LinkWorld
let ana: Person

useWorld(createLinkWorld, async (fresh) => {
  world = fresh
  ana = await world.as('ana')
})

const read = (id: string) => ana.sessions.read({ params: { id } })

describe('a slide whose picture no longer exists', () => {
  test('is replaced at its position by a fresh one of its subfeed, and the session says so', async () => {
    const id = await world.fill(ana, 4)
    const before = await read(id)
    expect(before.session.linkHealth).toBeNull()
    const [, second] = before.media
    const params = { id, mediaId: String(second!.id) }
    await ana.sessions.updateMedia({ params, body: { durationMs: 4000 } })
    world.site.answers.set('/city/1.jpg', gone)
    await world.check()
    const once = await read(id)
    expect(once.session.linkHealth).toMatchObject({ brokenCount: 0, replacedCount: 0 })
    expect(once.media.map(({ id }) => id)).toEqual(before.media.map(({ id }) => id))
    expect(await world.told(id)).toEqual([])

    await world.checkAfter(hourMs)
    const after = await read(id)
    expect(await world.paths(ana, id)).toEqual([
      '/city/0.jpg',
      '/city/4.jpg',
      '/city/2.jpg',
      '/city/3.jpg',
    ])
    expect(after.media[1]).toMatchObject({ order: 1, subfeed: 'city', durationMs: 4000 })
    expect(after.media[1]!.id).not.toBe(second!.id)
    expect(after.session).toMatchObject({ mediaCount: 4 })
    expect(after.session.updatedAt > once.session.updatedAt).toBe(true)
    const { linkHealth } = after.session
    expect(linkHealth).toMatchObject({ brokenCount: 0, replacedCount: 1 })
    expect(Math.abs(Date.parse(linkHealth!.checkedAt) - world.clock.now().getTime())).toBeLessThan(
      minuteMs,
    )
    expect(await world.told(id)).toEqual([{ replaced: 1, broken: 0 }])
    const logged = world.ctx.db.selectFrom('activity_log').select(['details', 'session_id'])
    expect(await logged.where('action', '=', 'links_checked').execute()).toEqual([
      { details: { replaced: 1, broken: 0 }, session_id: Number(id) },
    ])
  })

  test('is never replaced by a picture of the session, or by a missing one', async () => {
    const id = await world.fill(ana, 3, 0)
    const posts = world.site.posts('city', 6)
    const again = { ...posts[0]!, postId: 'again', mediaUrl: `${posts[0]!.mediaUrl}?utm_source=x` }
    world.feed.put('city', [...posts.slice(0, 3), again, ...posts.slice(3)])
    for (const path of ['/city/1.jpg', '/city/2.jpg', '/city/3.jpg'])
      world.site.answers.set(path, gone)
    await world.check()
    await world.checkAfter(hourMs)
    expect(await world.paths(ana, id)).toEqual(['/city/0.jpg', '/city/4.jpg', '/city/5.jpg'])
  })

  test('is marked if its feed has no other, and replaced once it has', async () => {
    const id = await world.fill(ana, 2, 0)
    world.site.answers.set('/city/0.jpg', gone)
    await world.check()
    await world.checkAfter(hourMs)
    expect(await world.brokenPaths(ana, id)).toEqual(['/city/0.jpg'])
    expect((await read(id)).session.linkHealth).toMatchObject({ brokenCount: 1, replacedCount: 0 })
    world.feed.fail('city', 'unreachable')
    await world.checkAfter(dayMs)
    expect(await world.brokenPaths(ana, id)).toEqual(['/city/0.jpg'])
    world.feed.reset()
    world.feed.put('city', world.site.posts('city', 3))
    await world.checkAfter(2 * dayMs)
    expect(await world.paths(ana, id)).toEqual(['/city/2.jpg', '/city/1.jpg'])
    expect(await world.told(id)).toEqual([
      { replaced: 0, broken: 1 },
      { replaced: 1, broken: 0 },
    ])
  })

  test('stays, marked, with its caption', async () => {
    const id = await world.fill(ana, 3)
    const [first, second] = (await read(id)).media
    await world.ctx.db
      .updateTable('session_media')
      .set({ caption: 'By a machine', caption_is_ai: true })
      .where('id', '=', first!.id)
      .execute()
    const params = { id, mediaId: String(second!.id) }
    await ana.sessions.updateMedia({ params, body: { caption: 'By hand' } })
    for (const path of ['/city/0.jpg', '/city/1.jpg', '/city/2.jpg'])
      world.site.answers.set(path, gone)
    await world.check()
    await world.checkAfter(hourMs)
    const { media, session } = await read(id)
    expect(await world.paths(ana, id)).toEqual(['/city/0.jpg', '/city/1.jpg', '/city/3.jpg'])
    expect(media).toMatchObject([
      { caption: 'By a machine', isBroken: true },
      { caption: 'By hand', isBroken: true },
      { caption: null, isBroken: false },
    ])
    expect(session.linkHealth).toMatchObject({ brokenCount: 2, replacedCount: 1 })
    const kept = [{ id: media[2]!.id }]
    await ana.sessions.replaceMedia({ params: { id }, body: { slides: kept } })
    expect((await read(id)).session.linkHealth).toMatchObject({ brokenCount: 0 })
  })

  test('stays in manual and imported sessions, marked, until it is back', async () => {
    const chosen = await world.choose(ana, ['/a.jpg', '/b.jpg'])
    const imported = await world.fill(ana, 2)
    await world.ctx.db
      .updateTable('sessions')
      .set({ is_imported: true })
      .where('id', '=', Number(imported))
      .execute()
    world.site.answers.set('/a.jpg', gone)
    world.site.answers.set('/city/1.jpg', gone)
    await world.check()
    const { updatedAt } = (await read(chosen)).session
    await world.checkAfter(hourMs)
    expect(await world.brokenPaths(ana, chosen)).toEqual(['/a.jpg'])
    expect((await read(chosen)).session.updatedAt).toBe(updatedAt)
    expect(await world.brokenPaths(ana, imported)).toEqual(['/city/1.jpg'])
    world.site.answers.clear()
    await world.checkAfter(dayMs)
    expect(await world.brokenPaths(ana, chosen)).toEqual([])
    expect(await world.told(chosen)).toEqual([
      { replaced: 0, broken: 1 },
      { replaced: 0, broken: 0 },
    ])
  })

  test('is replaced by nothing that its owner may not see, and a safe one by nothing adult', async () => {
    const id = await world.fill(ana, 2, 0)
    const adult = world.site.posts('night', 3, { nsfw: true, subfeed: 'city' })
    world.feed.put('city', [...world.site.posts('city', 2), ...adult])
    world.site.answers.set('/city/0.jpg', gone)
    world.site.answers.set('/city/1.jpg', gone)
    await world.ctx.db
      .updateTable('session_media')
      .set({ nsfw: true })
      .where('position', '=', 1)
      .execute()
    await world.check()
    await world.checkAfter(hourMs)
    expect(await world.paths(ana, id)).toEqual(['/city/0.jpg', '/city/1.jpg'])
    await world.ctx.db.updateTable('users').set({ age_verified: true }).execute()
    await world.checkAfter(dayMs)
    expect(await world.paths(ana, id)).toEqual(['/city/0.jpg', '/night/0.jpg'])
    expect(await world.brokenPaths(ana, id)).toEqual(['/city/0.jpg'])
  })
})

test('a session that is hidden during the check is only marked', async () => {
  const id = await world.fill(ana, 2)
  const { db } = world.ctx
  const { id: takedownId } = await db
    .insertInto('takedowns')
    .values({
      session_id: Number(id),
      state: 'hidden',
      is_quarantine: false,
      created_at: world.clock.now(),
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  const hidden = { session_id: Number(id), takedown_id: takedownId }
  await db.insertInto('hidden_sessions').values(hidden).execute()
  world.site.answers.set('/city/0.jpg', gone)
  await world.check()
  await world.checkAfter(hourMs)
  expect(await world.brokenPaths(ana, id)).toEqual(['/city/0.jpg'])
  await db.deleteFrom('hidden_sessions').execute()
  await world.checkAfter(dayMs)
  expect(await world.paths(ana, id)).toEqual(['/city/2.jpg', '/city/1.jpg'])
})

test('slow replacements are postponed, and the results are kept', async () => {
  const ids = [await world.fill(ana, 3), await world.fill(ana, 3)]
  world.site.answers.set('/city/0.jpg', gone)
  world.site.answers.set('/city/1.jpg', gone)
  await world.check()
  const listing = vi.spyOn(world.feed, 'list').mockImplementationOnce((request) => {
    world.clock.advance(9 * minuteMs)
    return world.feed.list(request)
  })
  await world.checkAfter(hourMs)
  expect(listing).toHaveBeenCalledTimes(2)
  listing.mockRestore()
  for (const id of ids) {
    expect(await world.brokenPaths(ana, id)).toEqual(['/city/0.jpg', '/city/1.jpg'])
    expect(await world.told(id)).toEqual([{ replaced: 0, broken: 2 }])
  }
  await world.checkAfter(16 * minuteMs)
  for (const id of ids) {
    expect(await world.paths(ana, id)).toEqual(['/city/3.jpg', '/city/4.jpg', '/city/2.jpg'])
    expect(await world.brokenPaths(ana, id)).toEqual([])
  }
})

test('a run that dies while it looks for replacements keeps its other results', async () => {
  const id = await world.fill(ana, 2)
  await world.choose(ana, ['/fine.jpg'])
  world.site.answers.set('/city/0.jpg', gone)
  await world.check()
  world.clock.advance(8 * dayMs)
  const fetch: SafeFetch = (url, request) =>
    url.endsWith('/city/2.jpg')
      ? Promise.reject(new Error('the node dies'))
      : world.ctx.fetch(url, request)
  await expect(checkDueLinks({ ...world.ctx, fetch })).rejects.toThrow('the node dies')
  await world.checkAfter(16 * minuteMs)
  expect(world.site.asked.filter((line) => line === 'HEAD /fine.jpg')).toHaveLength(2)
  expect(await world.told(id)).toEqual([{ replaced: 1, broken: 0 }])
})

describe('changes during a check', () => {
  /** Runs the second check, and the owner's action between its requests and its writes. */
  async function meanwhile(action: () => Promise<unknown>): Promise<void> {
    await world.check()
    const listing = vi.spyOn(world.feed, 'list').mockImplementationOnce(async (request) => {
      await action()
      return world.feed.list(request)
    })
    await world.checkAfter(hourMs)
    listing.mockRestore()
  }

  test('win: edited slides stay as they were edited', async () => {
    const id = await world.fill(ana, 4)
    const [first, second, third, fourth] = (await read(id)).media.map(({ id }) => id)
    for (const path of ['/city/0.jpg', '/city/1.jpg', '/city/2.jpg'])
      world.site.answers.set(path, gone)
    await meanwhile(() =>
      ana.sessions.replaceMedia({
        params: { id },
        body: { slides: [{ id: fourth! }, { id: third! }, { id: first!, caption: 'By hand' }] },
      }),
    )
    const { media } = await read(id)
    expect(media.map(({ id }) => id)).toEqual([fourth, expect.any(Number), first])
    expect(media[1]!.id).not.toBe(second)
    expect(media.map(({ caption, isBroken }) => [caption, isBroken])).toEqual([
      [null, false],
      [null, false],
      ['By hand', true],
    ])
  })

  test('wins: a session that is being filled is left to its fill', async () => {
    const id = await world.fill(ana, 3)
    world.site.answers.set('/city/0.jpg', gone)
    await meanwhile(() => ana.sessions.update({ params: { id }, body: { subfeeds: 'other' } }))
    expect(await world.paths(ana, id)).toEqual(['/city/0.jpg', '/city/1.jpg', '/city/2.jpg'])
    expect(await world.told(id)).toEqual([])
  })

  test('win: a slide with one of our files is not marked', async () => {
    const id = await world.fill(ana, 2)
    world.site.answers.set('/city/0.jpg', gone)
    await meanwhile(() =>
      world.ctx.db
        .updateTable('session_media')
        .set({ own_file_key: 'copied.jpg', caption: 'By hand' })
        .where('position', '=', 0)
        .execute(),
    )
    expect(await world.brokenPaths(ana, id)).toEqual([])
  })

  test('win: a session that is deleted is gone', async () => {
    const id = await world.fill(ana, 3)
    world.site.answers.set('/city/0.jpg', gone)
    await meanwhile(() => ana.sessions.remove({ params: { id } }))
    expect(await world.told(id)).toEqual([])
    expect(await world.ctx.db.selectFrom('session_media').selectAll().execute()).toEqual([])
  })
})
