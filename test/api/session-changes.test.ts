/** Existing sessions: listed, read, changed, deleted (contract 4.2). */
import { describe, expect, test } from 'vitest'
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
  await world.grant('ana', 1000)
})

const make = (change: Record<string, unknown> = {}, person = ana) => world.make(person, change)

const balance = async (person = ana) => (await person.credits.balance()).balance

describe('the list', () => {
  test('is the caller’s own, newest first, with every filter', async () => {
    const categories = await ana.classification.categories()
    const story = categories.find(({ slug }) => slug === 'story')
    const one = await make({ title: 'City one', tags: ['city'] })
    const two = await make({
      title: 'Night two',
      tags: ['city', 'night'],
      categoryId: story?.id,
      isFavorite: true,
    })
    await make({ title: 'Not hers' }, bo)
    const ids = async (query: Record<string, string>) =>
      (await ana.sessions.list({ query })).map(({ id }) => id)
    expect(await ids({})).toEqual([two.id, one.id])
    expect(await ids({ tags: 'night' })).toEqual([two.id])
    expect(await ids({ tags: 'city,night' })).toEqual([two.id, one.id])
    expect(await ids({ tags: 'city,night', tagMode: 'and' })).toEqual([two.id])
    expect(await ids({ tags: 'night,city', sort: 'relevance' })).toEqual([two.id, one.id])
    expect(await ids({ categorySlug: 'story' })).toEqual([two.id])
    expect(await ids({ categoryId: String(story?.id) })).toEqual([two.id])
    expect(await ids({ favorite: 'true' })).toEqual([two.id])
    expect(await ids({ favorite: 'false' })).toEqual([one.id])
    expect(await ids({ q: 'CITY' })).toEqual([one.id])
    expect(await ids({ q: '%' })).toEqual([])
    expect(await ids({ limit: '1' })).toEqual([two.id])
    expect(await ids({ limit: '1', before: String(two.id) })).toEqual([one.id])
    expect(await bo.sessions.list()).toHaveLength(1)
  })

  test('relevance puts the most matching tags first', async () => {
    const both = await make({ tags: ['city', 'night'] })
    const single = await make({ tags: ['night'] })
    const query = { tags: 'city,night', sort: 'relevance' as const }
    expect((await ana.sessions.list({ query })).map(({ id }) => id)).toEqual([both.id, single.id])
  })

  test.each([
    'categoryId=0',
    'categoryId=x',
    'sort=best',
    'tagMode=xor',
    'limit=0',
    'limit=201',
    'before=0',
    'favorite=1',
    `categorySlug=${'x'.repeat(121)}`,
  ])('%s is refused with its message', async (query) => {
    const response = await ana.fetch(`/api/sessions?${query}`)
    expect(response.status).toBe(400)
    expect(await response.json()).toEqual({ message: expect.stringMatching(/^Validation error: /) })
  })

  test('answers with its own message when nobody is signed in', async () => {
    expect((await refused(world.visitor().sessions.list())).body).toEqual({
      message: 'Authentication required',
    })
  })
})

describe('one session', () => {
  test('is visible to its owner, and to everyone once public, without adult slides for unverified accounts', async () => {
    world.feed.put('mixed', [
      ...pictures('mixed', 2),
      ...pictures('adult', 2, { subfeed: 'mixed', nsfw: true }),
    ])
    await ana.accounts.verifyAge({ body: { birthDate: '1990-01-01', ageVerified: true } })
    const { id } = await make({ subfeeds: 'mixed' })
    await world.runJobs()
    const params = { id: String(id) }
    expect((await refused(bo.sessions.read({ params }))).status).toBe(403)
    await ana.sessions.update({ params, body: { isPublic: true } })
    expect((await bo.sessions.read({ params })).media).toHaveLength(2)
    expect((await ana.sessions.read({ params })).media).toHaveLength(4)
    await bo.accounts.verifyAge({ body: { birthDate: '1990-01-01', ageVerified: true } })
    expect((await bo.sessions.read({ params })).media).toHaveLength(4)
  })

  test('that does not exist is not found, in every call', async () => {
    const params = { id: '2000000000' }
    for (const ask of [
      () => ana.sessions.read({ params }),
      () => ana.sessions.update({ params, body: { title: 'x' } }),
      () => ana.sessions.remove({ params }),
      () => ana.sessions.refill({ params }),
      () => ana.sessions.play({ params }),
      () => ana.sessions.events({ params }),
      () => ana.sessions.replaceMedia({ params, body: { slides: [] } }),
      () => ana.sessions.updateMedia({ params: { ...params, mediaId: '1' }, body: {} }),
      () => ana.sharing.shareSession({ params, body: {} }),
    ])
      expect(await refused(ask())).toMatchObject({ status: 404, message: 'Session not found' })
  })

  test('of another account is closed, in every call', async () => {
    const { id } = await make()
    const params = { id: String(id) }
    for (const ask of [
      () => bo.sessions.read({ params }),
      () => bo.sessions.update({ params, body: { title: 'Mine' } }),
      () => bo.sessions.remove({ params }),
      () => bo.sessions.refill({ params }),
      () => bo.sessions.play({ params }),
      () => bo.sessions.events({ params }),
      () => bo.sessions.replaceMedia({ params, body: { slides: [] } }),
      () => bo.sessions.updateMedia({ params: { ...params, mediaId: '1' }, body: {} }),
      () => bo.sharing.shareSession({ params, body: {} }),
    ])
      expect((await refused(ask())).status).toBe(403)
    expect((await ana.sessions.read({ params })).session.title).toBe('Evening')
  })
})

describe('changing a session', () => {
  test('changes only the fields in the request', async () => {
    const made = await make({ tags: ['city'] })
    const params = { id: String(made.id) }
    world.clock.advance(1000)
    const changed = await ana.sessions.update({
      params,
      body: { title: 'Night', isFavorite: true, transition: 'zoom', captionTheme: 'custom' },
    })
    expect(changed).toMatchObject({
      ...made,
      title: 'Night',
      isFavorite: true,
      transition: 'zoom',
      captionTheme: 'custom',
      updatedAt: changed.updatedAt,
    })
    expect(changed.updatedAt > made.updatedAt).toBe(true)
    expect(await ana.sessions.update({ params, body: { intervalMin: 30 } })).toMatchObject({
      intervalMin: 30,
      intervalMax: 30,
    })
    expect(await ana.sessions.update({ params, body: { intervalMax: 5 } })).toMatchObject({
      intervalMin: 5,
      intervalMax: 5,
    })
    expect(await ana.sessions.update({ params, body: { categoryId: null } })).toMatchObject({
      categorySource: 'default',
    })
    expect((await refused(ana.sessions.update({ params, body: { tags: ['no'] } }))).status).toBe(
      400,
    )
    expect(
      (await refused(ana.sessions.update({ params, body: { categoryId: 9999 } }))).status,
    ).toBe(400)
  })

  test('an empty thumbnail makes a new cover', async () => {
    const made = await make({ thumbnail: 'https://pictures.example/own.jpg' })
    const params = { id: String(made.id) }
    expect(made.thumbnail).toBe('https://pictures.example/own.jpg')
    await world.runJobs()
    expect((await ana.sessions.read({ params })).session.thumbnail).toBe(made.thumbnail)
    const changed = await ana.sessions.update({ params, body: { thumbnail: '' } })
    expect(changed.thumbnail).toMatch(/^\/covers\//)
  })

  test('other subfeeds fill it again, for free', async () => {
    const { id } = await make({ subfeeds: 'one' })
    await world.runJobs()
    const params = { id: String(id) }
    const before = await balance()
    const changed = await ana.sessions.update({ params, body: { subfeeds: 'two' } })
    expect(changed.fillStatus).toBe('pending')
    await world.runJobs()
    const { media } = await ana.sessions.read({ params })
    expect(new Set(media.map(({ subfeed }) => subfeed))).toEqual(new Set(['two']))
    expect(await balance()).toBe(before)
  })

  test('imported sessions keep their subfeeds, theme and prompt', async () => {
    const { id } = await make()
    await world.ctx.db
      .updateTable('sessions')
      .set({ is_imported: true })
      .where('id', '=', id)
      .execute()
    const params = { id: String(id) }
    for (const body of [{ subfeeds: 'other' }, { captionTheme: null }, { aiPrompt: 'x' }])
      expect((await refused(ana.sessions.update({ params, body }))).status).toBe(400)
    expect((await ana.sessions.update({ params, body: { title: 'Fine' } })).title).toBe('Fine')
  })

  test('deleting takes slides and codes with it', async () => {
    const { id } = await make()
    const params = { id: String(id) }
    const { shareCode } = await ana.sharing.shareSession({ params, body: {} })
    expect(await ana.sessions.remove({ params })).toEqual({
      message: 'Session deleted successfully',
    })
    expect((await refused(ana.sessions.read({ params }))).status).toBe(404)
    expect((await refused(bo.sharing.open({ params: { code: shareCode } }))).status).toBe(404)
    await world.runJobs()
  })
})

describe('duplicating', () => {
  test('creates a private copy with the same slides, captions, timing and settings, for free', async () => {
    const slides = [
      { mediaUrl: 'https://pictures.example/one.jpg', caption: 'First light', durationMs: 4000 },
      { mediaUrl: 'https://pictures.example/two.jpg' },
    ]
    const settings = { intervalMin: 4, intervalMax: 9, transition: 'zoom' as const, tags: ['city'] }
    const { session } = await ana.sessions.createManual({
      body: { title: 'Evening', slides, isManualMode: true, ...settings },
    })
    const params = { id: String(session.id) }
    await ana.sharing.shareSession({ params, body: {} })
    const before = await balance()
    const copy = await ana.sessions.duplicate({ params })
    expect(await balance()).toBe(before)
    const read = { params: { id: String(copy.session.id) } }
    expect(await ana.sessions.read(read)).toMatchObject(copy)
    const source = await ana.sessions.read({ params })
    const { id, createdAt: _, updatedAt: __, ...same } = source.session
    expect(copy.session).toMatchObject({ ...same, isPublic: false })
    expect(copy.session.id).not.toBe(id)
    const shown = (media: typeof copy.media) =>
      media.map((slide) => ({ ...slide, id: null, sessionId: null }))
    expect(shown(copy.media)).toEqual(shown(source.media))
    expect((await refused(ana.sharing.readShare(read))).status).toBe(404)
  })

  test('is only for the owner', async () => {
    const { id } = await make()
    const params = { id: String(id) }
    await ana.sharing.shareSession({ params, body: {} })
    expect((await refused(bo.sessions.duplicate({ params }))).status).toBe(403)
    expect((await refused(world.visitor().sessions.duplicate({ params }))).status).toBe(401)
    await ana.sessions.remove({ params })
    expect((await refused(ana.sessions.duplicate({ params }))).status).toBe(404)
    expect(await ana.sessions.list()).toEqual([])
  })

  test('is refused while the session is hidden by a report', async () => {
    const { id } = await make()
    const params = { id: String(id) }
    const { shareCode } = await ana.sharing.shareSession({ params, body: {} })
    const reason = 'non_consensual'
    await world.visitor().moderation.report({
      body: { targetType: 'shared_session', shareCode, reason },
    })
    expect(await refused(ana.sessions.duplicate({ params }))).toMatchObject({ status: 422 })
    expect(await ana.sessions.list()).toHaveLength(1)
  })
})
