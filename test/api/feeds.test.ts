/** Searching and browsing feeds (contract 4.8). */
import { describe, expect, test } from 'vitest'
import { pictures } from '../support/fake-feed.ts'
import type { SessionWorld } from '../support/session-world.ts'
import { createSessionWorld } from '../support/session-world.ts'
import { useWorld } from '../support/use-world.ts'
import type { Person } from '../support/world.ts'
import { createWorld, refused } from '../support/world.ts'

let world: SessionWorld
let ana: Person
let adult: Person

useWorld(createSessionWorld, async (fresh) => {
  world = fresh
  ana = await world.as('ana')
  adult = world.visitor()
  await adult.accounts.devSignIn()
  world.feed.put('city', pictures('city', 6))
  world.feed.put('adult', pictures('adult', 4, { nsfw: true, title: 'Picture of adult' }))
})

describe('searching', () => {
  test('is open to everyone, with posts in the contract’s form', async () => {
    const posts = await world.visitor().feeds.search({ body: { query: 'of city' } })
    expect(posts).toHaveLength(6)
    expect(posts[0]).toEqual({
      id: 'city-0',
      title: 'Picture 0 of city',
      author: 'someone',
      subfeed: 'city',
      url: 'https://site.example/city/0',
      media_url: 'https://pictures.example/city/0.jpg',
      thumbnail: 'https://pictures.example/city/0-small.jpg',
      score: 100,
      num_comments: 0,
      created_utc: 1_700_000_000,
      is_video: false,
      nsfw: false,
      spoiler: false,
      source: 'demo',
      licence: null,
      alt: null,
    })
  })

  test('leaves out excluded addresses in any spelling, and duplicates', async () => {
    const body = {
      query: 'of city',
      excludeUrls: ['HTTPS://Pictures.Example/city/0.jpg?utm_source=a'],
    }
    const posts = await ana.feeds.search({ body })
    expect(posts.map(({ id }) => id)).toEqual(['city-1', 'city-2', 'city-3', 'city-4', 'city-5'])
    expect(await ana.feeds.search({ body: { ...body, limit: 2 } })).toHaveLength(2)
  })

  test('shows adult posts only to age-verified accounts', async () => {
    const body = { query: 'Picture' }
    expect((await world.visitor().feeds.search({ body })).every(({ nsfw }) => !nsfw)).toBe(true)
    expect((await ana.feeds.search({ body })).every(({ nsfw }) => !nsfw)).toBe(true)
    expect((await adult.feeds.search({ body })).some(({ nsfw }) => nsfw)).toBe(true)
  })

  test.each([
    {},
    { query: '' },
    { query: 'x'.repeat(201) },
    { query: 'a', limit: 0 },
    { query: 'a', limit: 101 },
    { query: 'a', excludeUrls: 'x' },
  ])('%j is refused with its message', async (body) => {
    const response = await ana.fetch('/api/feed-search', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    })
    expect(response.status).toBe(400)
    expect(await response.json()).toEqual({ message: expect.stringMatching(/^Validation error: /) })
  })

  test('accepts 500 addresses to leave out, of 2,000 characters each and 200,000 in all', async () => {
    const search = (excludeUrls: readonly string[]) =>
      world.visitor().fetch('/api/feed-search', {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ query: 'of city', excludeUrls }),
      })
    const long = `https://pictures.example/?${'a=1&'.repeat(400)}`.padEnd(2000, 'x')
    const some = (count: number, url = 'https://a.example/') =>
      Array.from({ length: count }, () => url)
    expect((await search(some(100, long))).status).toBe(200)
    expect((await search([`${long}x`])).status).toBe(400)
    expect((await search(some(500))).status).toBe(200)
    expect((await search(some(501))).status).toBe(400)
    const refusal = await search(some(101, long))
    expect(refusal.status).toBe(400)
    expect(await refusal.json()).toEqual({
      message: 'Validation error: excludeUrls must have at most 200000 characters in all',
    })
  })

  test('reports a missing configuration, or a failure', async () => {
    world.feed.fail('*', 'missing_credentials')
    expect(await refused(ana.feeds.search({ body: { query: 'a' } }))).toMatchObject({
      status: 503,
      body: { error: 'MISSING_CREDENTIALS' },
    })
    world.feed.fail('*', 'unreachable')
    const failure = await refused(ana.feeds.search({ body: { query: 'a' } }))
    expect(failure.status).toBe(500)
    expect(failure.message).toMatch(/^Failed to search/)
  })
})

describe('browsing', () => {
  test('is for members, alternates between subfeeds and has pages to the end', async () => {
    expect(
      (await refused(world.visitor().feeds.fetch({ body: { subfeeds: 'city' } }))).status,
    ).toBe(401)
    world.feed.put('night', pictures('night', 3))
    const seen: string[] = []
    let after: string | undefined
    for (let page = 0; page < 10; page += 1) {
      const body = { subfeeds: 'city,night', limit: 4, ...(after ? { after } : {}) }
      const answer = await ana.feeds.fetch({ body })
      seen.push(...answer.posts.map(({ id }) => id))
      if (answer.after === null) break
      after = answer.after
    }
    expect(new Set(seen)).toEqual(new Set(seen))
    expect(seen.some((id) => id.startsWith('night'))).toBe(true)
  })

  test('hides adult posts from unverified accounts', async () => {
    expect((await ana.feeds.fetch({ body: { subfeeds: 'adult' } })).posts).toEqual([])
    expect((await adult.feeds.fetch({ body: { subfeeds: 'adult' } })).posts).toHaveLength(4)
  })

  test('leaves out addresses that act when they are opened', async () => {
    const own = 'http://lanternist.test/api/logout'
    const [first, second] = pictures('city', 2)
    if (!first || !second) throw new Error('there are no pictures')
    world.feed.put('city', [
      { ...first, mediaUrl: own },
      { ...second, thumbnail: own },
    ])
    const { posts } = await ana.feeds.fetch({ body: { subfeeds: 'city' } })
    expect(posts).toMatchObject([{ id: second.postId, thumbnail: null }])
    expect(await ana.feeds.search({ body: { query: 'of city' } })).toMatchObject([
      { id: second.postId, thumbnail: null },
    ])
    const { id } = await ana.sessions.create({ body: { title: 'City', subfeeds: 'city' } })
    await world.runJobs()
    const { media } = await ana.sessions.read({ params: { id: String(id) } })
    expect(media).toMatchObject([{ mediaUrl: second.mediaUrl, thumbnail: null }])
  })

  test('an invalid cursor is refused', async () => {
    for (const after of ['nonsense', '..', Buffer.from('[1]').toString('base64url')])
      expect((await ana.feeds.fetch({ body: { subfeeds: 'city', after } })).posts).toEqual([])
  })

  test('reports a missing configuration, or a failure', async () => {
    world.feed.fail('city', 'missing_credentials')
    expect((await refused(ana.feeds.fetch({ body: { subfeeds: 'city' } }))).status).toBe(503)
    world.feed.fail('city', 'rate_limited')
    expect(await refused(ana.feeds.fetch({ body: { subfeeds: 'city' } }))).toMatchObject({
      status: 502,
      body: { code: 'SOURCE_FAILED' },
    })
    world.feed.fail('city', 'no_such_subfeed')
    const { posts, errors } = await ana.feeds.fetch({ body: { subfeeds: 'city,night' } })
    expect(new Set(posts.map(({ subfeed }) => subfeed))).toEqual(new Set(['night']))
    expect(errors).toEqual([{ subfeed: 'city', message: 'not found' }])
  })
})

test('a site without a feed reports it', async () => {
  const bare = await createWorld({ FEED: 'off' })
  const failure = await refused(bare.visitor().feeds.search({ body: { query: 'a' } }))
  const picture = await bare.visitor().fetch('/demo/slowwater-19.webm')
  await bare.close()
  expect(failure.body).toMatchObject({ error: 'MISSING_CREDENTIALS' })
  expect(picture.status).toBe(404)
})
