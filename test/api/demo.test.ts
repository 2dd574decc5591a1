/** The demo feed through the public API: it fills sessions, and its picture addresses answer. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Person, World } from '../support/world.ts'
import { createWorld } from '../support/world.ts'

const types = { image: /^image\/jpeg$/, gif: /^image\/(webp|gif)$/, video: /^video\/webm$/ }

let world: World
let ana: Person

beforeAll(async () => {
  world = await createWorld({ FEED: 'demo' })
  ana = await world.as('ana')
})
afterAll(() => world.close())

test('a session is filled with 25 different pictures, and their addresses answer', async () => {
  const { id } = await ana.sessions.create({
    body: { title: 'Evening', subfeeds: 'chromatropes, slowwater' },
  })
  await world.runJobs()
  const { session, media } = await ana.sessions.read({ params: { id: String(id) } })
  expect(session).toMatchObject({ fillStatus: 'ready', mediaCount: 25 })
  expect(new Set(media.map(({ mediaUrl }) => mediaUrl)).size).toBe(25)
  expect(session.thumbnail).toBe(media[0]?.thumbnail)
  for (const kind of ['image', 'gif', 'video'] as const) {
    const slide = media.find(({ type }) => type === kind)
    const answer = await ana.fetch(slide?.mediaUrl ?? '')
    expect(answer.status).toBe(200)
    expect(answer.headers.get('content-type')).toMatch(types[kind])
    expect((await answer.arrayBuffer()).byteLength).toBeGreaterThan(1000)
    const thumbnail = await ana.fetch(slide?.thumbnail ?? '')
    expect([thumbnail.status, thumbnail.headers.get('content-type')]).toEqual([200, 'image/jpeg'])
    const part = await ana.fetch(slide?.mediaUrl ?? '', { headers: { range: 'bytes=0-99' } })
    expect([part.status, (await part.arrayBuffer()).byteLength]).toEqual([206, 100])
  }
})

test('any name returns pictures, and search finds them', async () => {
  const { posts } = await ana.feeds.fetch({ body: { subfeeds: 'whatever_you_like', limit: 10 } })
  expect(posts).toHaveLength(10)
  const found = await world.visitor().feeds.search({ body: { query: 'northern lights', limit: 5 } })
  expect(found.length).toBeGreaterThan(0)
  expect(found[0]?.media_url).toMatch(/^\/demo\//)
})

test('a post can become a slide', async () => {
  const [post] = await ana.feeds.search({ body: { query: 'lanterns video', limit: 1 } })
  const { media } = await ana.sessions.createManual({
    body: { title: 'One', slides: [{ feedPost: post }, { mediaUrl: '/demo/slowwater-19.webm' }] },
  })
  expect(media.map(({ type }) => type)).toEqual(['video', 'video'])
})

test.each(['paper_theatre-01-s.webp', 'quietwoods-21-s.webp'])(
  'pictures of version 0.2.0 still work: %s',
  async (name) => {
    const answer = await ana.fetch(`/demo/${name}`)
    expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'image/jpeg'])
  },
)

test.each([
  '/demo/..%2fsession-secret',
  '/demo/..%2F..%2F..%2Fetc%2Fpasswd',
  '/demo/%2e%2e',
  '/demo/.draft-1',
  '/demo/unknown.webp',
  '/demo/a%00b',
])('no other name leads to a file: %s', async (path) => {
  const answer = await ana.fetch(path)
  expect([answer.status, await answer.json()]).toEqual([404, { message: 'Not Found' }])
})

test('the first sessions of a site are free and filled like any other', async () => {
  const before = await ana.credits.balance()
  const { id } = await ana.accounts.currentUser()
  await world.ctx.demo?.giveSessions(world.ctx, id)
  await world.runJobs()
  const given = (await ana.sessions.list()).slice(0, 3)
  for (const session of given)
    expect(session).toMatchObject({ fillStatus: 'ready', mediaCount: 25, isPublic: false })
  const different = (of: (session: (typeof given)[number]) => unknown) =>
    new Set(given.map(of)).size
  expect(different(({ title }) => title)).toBe(3)
  expect(different(({ transition }) => transition)).toBe(3)
  expect(different(({ intervalMin }) => intervalMin)).toBe(3)
  expect(given.some(({ tags }) => tags.length > 0)).toBe(true)
  expect(new Set(given.flatMap(({ subfeeds }) => subfeeds)).size).toBe(9)
  expect(await ana.credits.balance()).toEqual(before)
})
