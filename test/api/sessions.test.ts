/** Sessions: listed, made, read, changed, deleted (contract 4.2). */
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

const body = { title: 'Evening', subfeeds: 'city, r/Night ,/r/city,CITY' }

const make = (change: Record<string, unknown> = {}, person = ana) =>
  world.make(person, { ...body, ...change })

const balance = async (person = ana) => (await person.credits.balance()).balance

describe('making a session', () => {
  test('normalises its subfeeds, sets the defaults and is charged', async () => {
    const session = await make()
    expect(session).toMatchObject({
      title: 'Evening',
      subfeeds: ['city', 'night'],
      categorySource: 'default',
      intervalMin: 3,
      intervalMax: 10,
      transition: 'fade',
      captionTheme: null,
      isPublic: false,
      isFavorite: false,
      isManualMode: false,
      isImported: false,
      tags: [],
      nsfw: false,
      mediaCount: 0,
      fillStatus: 'pending',
    })
    expect(session.thumbnail).toMatch(/^\/covers\/[0-9a-f]{16}\.svg$/)
    expect(await balance()).toBe(1025)
  })

  test('fills it with 25 slides, fairly, without duplicates, captions null', async () => {
    const { id } = await make({ subfeeds: 'one,two,three' })
    await world.runJobs()
    const { session, media } = await ana.sessions.read({ params: { id: String(id) } })
    expect(session).toMatchObject({ fillStatus: 'ready', mediaCount: 25, fillError: null })
    expect(session.thumbnail).toBe('https://pictures.example/one/0-small.jpg')
    expect(media.map(({ order }) => order)).toEqual(Array.from({ length: 25 }, (_, n) => n))
    expect(new Set(media.map(({ mediaUrl }) => mediaUrl)).size).toBe(25)
    for (const subfeed of ['one', 'two', 'three'])
      expect(media.filter((slide) => slide.subfeed === subfeed).length).toBeGreaterThanOrEqual(8)
    expect(media.every(({ caption }) => caption === null)).toBe(true)
  })

  test('shows adult posts only to age-verified accounts', async () => {
    world.feed.put('mixed', [
      ...pictures('mixed', 5),
      ...pictures('adult', 5, { subfeed: 'mixed', nsfw: true }),
    ])
    const { id } = await make({ subfeeds: 'mixed' })
    await world.runJobs()
    const params = { id: String(id) }
    expect((await ana.sessions.read({ params })).media).toHaveLength(5)
    await ana.accounts.verifyAge({ body: { birthDate: '1990-01-01', ageVerified: true } })
    await ana.sessions.refill({ params })
    await world.runJobs()
    const { session, media } = await ana.sessions.read({ params })
    expect(media).toHaveLength(10)
    expect(session.nsfw).toBe(true)
  })

  test('an omitted interval bound moves to meet the given one', async () => {
    expect(await make({ intervalMin: 20 })).toMatchObject({ intervalMin: 20, intervalMax: 20 })
    expect(await make({ intervalMax: 2 })).toMatchObject({ intervalMin: 2, intervalMax: 2 })
    expect((await refused(make({ intervalMin: 9, intervalMax: 3 }))).status).toBe(400)
  })

  test('an adult theme makes it adult, a custom one does not', async () => {
    expect(await make({ captionTheme: 'joi' })).toMatchObject({ nsfw: true })
    expect(await make({ captionTheme: 'custom', aiPrompt: 'Calm words' })).toMatchObject({
      nsfw: false,
    })
    expect(await make({ nsfw: true })).toMatchObject({ nsfw: true })
  })

  test('accepts an existing category and existing tags', async () => {
    const categories = await ana.classification.categories()
    const story = categories.find(({ slug }) => slug === 'story')
    const session = await make({ categoryId: story?.id, tags: ['city', 'night', 'city'] })
    expect(session).toMatchObject({
      categoryId: story?.id,
      categorySource: 'manual',
      tags: ['city', 'night'],
    })
    expect((await refused(make({ tags: ['city', 'nonsense'] }))).message).toContain('nonsense')
    expect((await refused(make({ categoryId: 99_999 }))).status).toBe(400)
    expect(await balance()).toBe(1025)
  })

  test.each([
    ['title', { title: '' }, 'Validation failed: title is required'],
    ['title', { title: undefined }, 'Validation failed: title is required'],
    [
      'title',
      { title: 'x'.repeat(201) },
      'Validation failed: title must have at most 200 characters',
    ],
    ['subfeeds', { subfeeds: '' }, 'Validation failed: subfeeds is required'],
    ['subfeeds', { subfeeds: 'a' }, 'Validation failed: subfeeds: a is not a name'],
    ['subfeeds', { subfeeds: 'ok,../etc' }, 'Validation failed: subfeeds: ../etc is not a name'],
    [
      'subfeeds',
      { subfeeds: Array.from({ length: 21 }, (_, n) => `sub${n}`).join() },
      'at most 20',
    ],
    ['intervalMin', { intervalMin: 0 }, 'Validation failed: intervalMin must be at least 1'],
    ['transition', { transition: 'spin' }, 'Validation failed: transition must be one of'],
    ['aiPrompt', { aiPrompt: 'x'.repeat(2001) }, 'Validation failed: aiPrompt must have at most'],
    ['thumbnail', { thumbnail: 'javascript:alert(1)' }, 'Validation failed: thumbnail'],
  ])('a wrong %s costs nothing', async (_, change, message) => {
    const response = await ana.fetch('/api/sessions', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ ...body, ...change }),
    })
    expect(response.status).toBe(400)
    expect(((await response.json()) as { message: string }).message).toContain(message)
    expect(await balance()).toBe(1050)
  })

  test('starts with the pending fill as its first event', async () => {
    const { id } = await make()
    const row = await world.ctx.db
      .selectFrom('sessions')
      .select(['fill_number', 'event_seq'])
      .where('id', '=', id)
      .executeTakeFirst()
    expect(row).toEqual({ fill_number: 1, event_seq: 1 })
    const told = world.ctx.db.selectFrom('session_events').select(['seq', 'type', 'data'])
    expect(await told.where('session_id', '=', id).execute()).toEqual([
      { seq: 1, type: 'fill', data: { status: 'pending', done: 0, total: 25 } },
    ])
  })

  test('without credits no session is created', async () => {
    await make({}, bo)
    await make({}, bo)
    expect(await refused(make({}, bo))).toMatchObject({
      status: 402,
      body: { required: 25, current: 0, featureKey: 'session_create' },
    })
    expect(await bo.sessions.list()).toHaveLength(2)
  })

  test('fifty concurrent calls with credits for ten create ten', async () => {
    await world.grant('bo', 200)
    const attempts = await Promise.allSettled(Array.from({ length: 50 }, () => make({}, bo)))
    expect(attempts.filter(({ status }) => status === 'fulfilled')).toHaveLength(10)
    expect(await bo.sessions.list()).toHaveLength(10)
    const { transactions } = await bo.credits.transactions({ query: { type: 'spend' } })
    expect(transactions).toHaveLength(10)
    expect(await balance(bo)).toBe(0)
  })

  test('repeated with its key it is created once', async () => {
    const headers = { 'idempotency-key': 'the-same' }
    const first = await ana.sessions.create({ body, headers })
    expect(await ana.sessions.create({ body, headers })).toEqual(first)
    expect(await ana.sessions.list()).toHaveLength(1)
  })
})
