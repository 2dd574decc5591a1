import { expect, test } from 'vitest'
import { createRedditSource } from '../../src/server/features/feeds/adapters/reddit.ts'
import { createTestWorld } from '../support/far-site.ts'
import { expectFeedMedia } from '../support/feed-media.ts'
import {
  goodToken,
  readRecording,
  redditListing,
  redditPicture,
  redditText,
  serveReddit,
} from '../support/reddit-server.ts'
import { testShared } from '../support/shared-corpora.ts'

const request = { subfeed: 'pics', sort: 'hot', limit: 25 } as const

test('a listing is requested with a token, and the token is kept', async () => {
  const { reddit, feed } = await connect({})
  const { media, after } = await feed.list(request)
  expect(media.map(({ postId }) => postId)).toEqual(['one', 'two'])
  expect(after).toBeNull()
  await feed.search({ query: 'lanterns', limit: 25 })

  expect(reddit.tokenRequests()).toMatchObject([
    {
      method: 'POST',
      body: 'grant_type=client_credentials',
      headers: {
        authorization: `Basic ${Buffer.from('client-id:client-secret').toString('base64')}`,
        'user-agent': 'test:lanternist:v0',
      },
    },
  ])
  expect(reddit.apiRequests()).toMatchObject([
    {
      method: 'GET',
      path: '/r/pics/hot',
      query: { limit: '50', raw_json: '1' },
      headers: { authorization: 'Bearer token-1', 'user-agent': 'test:lanternist:v0' },
    },
    {
      path: '/search',
      query: {
        q: 'lanterns',
        sort: 'relevance',
        type: 'link',
        include_over_18: 'on',
        limit: '50',
        raw_json: '1',
      },
      headers: { authorization: 'Bearer token-1' },
    },
  ])
})

testShared('recorded listings are read completely', async () => {
  const recordings = ['popular_hot_2026a_gallery_video', 'all_new_before_cursor']
  const { feed } = await connect({
    api: ({ path }) => ({
      body: JSON.parse(readRecording(`reddit/${recordings[path === '/search' ? 1 : 0]}.json`)),
    }),
  })
  const { media, after } = await feed.list({ ...request, subfeed: 'popular', limit: 54 })
  expect(media).toHaveLength(54)
  // The last picture does not belong to the last post: only text posts follow it.
  expect(after).toBe('t3_1skhdzl')
  const found = await feed.search({ query: 'anything', limit: 25 })
  // Three of the four got the same name when they were recorded.
  expect(found.map(({ postId }) => postId)).toEqual(['kzj68q', 'kzj68p'])
  const all = [...media, ...found]
  all.forEach(expectFeedMedia)
  return all.length
})

test('the sort selects the page, and the best are those of a month', async () => {
  const { reddit, feed } = await connect({})
  await feed.list({ ...request, sort: 'new' })
  await feed.list({ ...request, sort: 'top' })
  expect(reddit.apiRequests()).toMatchObject([
    { path: '/r/pics/new' },
    { path: '/r/pics/top', query: { t: 'month' } },
  ])
  expect(reddit.apiRequests()[0]?.query).not.toHaveProperty('t')
})

test('concurrent requests share one token request', async () => {
  const { reddit, feed } = await connect({})
  await Promise.all(['aa', 'bb', 'cc', 'dd'].map((subfeed) => feed.list({ ...request, subfeed })))
  expect(reddit.tokenRequests()).toHaveLength(1)
  expect(reddit.apiRequests()).toHaveLength(4)
})

test('a token is renewed shortly before it expires', async () => {
  const { reddit, feed, world } = await connect({})
  await feed.list(request)
  world.pass(3200_000)
  await feed.list(request)
  expect(reddit.tokenRequests()).toHaveLength(1)
  world.pass(100_000)
  await feed.list(request)
  expect(reddit.tokenRequests()).toHaveLength(2)
  expect(reddit.apiRequests().at(-1)?.headers.authorization).toBe('Bearer token-2')
})

test('a refused token is replaced, once', async () => {
  // reddit-errors/api_401_expired_token.json
  const expired = { status: 401, body: { error: 401 } }
  const { reddit, feed } = await connect({
    api: ({ headers }) =>
      headers.authorization === 'Bearer token-1' ? expired : { body: redditListing([]) },
  })
  await feed.list(request)
  expect(reddit.tokenRequests()).toHaveLength(2)

  const other = await connect({ api: () => expired })
  await expect(other.feed.list(request)).rejects.toMatchObject({ reason: 'unreachable' })
  expect(other.reddit.tokenRequests()).toHaveLength(2)
  expect(other.reddit.apiRequests()).toHaveLength(2)
})

test('a page may be cut: the next one starts after the last used post', async () => {
  const posts = ['a', 'b', 'c', 'd'].map((id) => redditPicture(id))
  const { reddit, feed } = await connect({
    api: () => ({ body: redditListing(posts, 't3_d') }),
  })
  expect(await feed.list({ ...request, limit: 2 })).toMatchObject({
    media: [{ postId: 'a' }, { postId: 'b' }],
    after: 't3_b',
  })
  expect((await feed.list({ ...request, limit: 4, after: 't3_b' })).after).toBe('t3_d')
  expect(reddit.apiRequests().map(({ query }) => query['after'])).toEqual([undefined, 't3_b'])
})

test('pages are followed until there is enough, four at most', async () => {
  const page = (_: unknown, count: number) => ({
    body: redditListing([redditText(`t${count}`), redditPicture(`p${count}`)], `t3_p${count}`),
  })
  const few = await connect({ api: page })
  expect((await few.feed.list({ ...request, limit: 2 })).media).toHaveLength(2)
  expect(few.reddit.apiRequests().map(({ query }) => query['after'])).toEqual([undefined, 't3_p0'])

  const many = await connect({ api: page })
  const { media, after } = await many.feed.list({ ...request, limit: 100 })
  expect(media.map(({ postId }) => postId)).toEqual(['p0', 'p1', 'p2', 'p3'])
  expect(after).toBe('t3_p3')
  expect(many.reddit.apiRequests()).toHaveLength(4)
})

test('a listing that leads back to itself ends', async () => {
  const { reddit, feed } = await connect({
    api: () => ({ body: redditListing([redditPicture('same')], 't3_same') }),
  })
  expect(await feed.list(request)).toMatchObject({ media: [{ postId: 'same' }], after: null })
  expect(reddit.apiRequests()).toHaveLength(2)
})

test('when a later page fails, the earlier ones are returned', async () => {
  const { feed } = await connect({
    api: (_, count) =>
      count === 0
        ? { body: redditListing([redditPicture('a')], 't3_a') }
        : { status: 503, body: '' },
  })
  expect(await feed.list(request)).toMatchObject({ media: [{ postId: 'a' }], after: 't3_a' })
})

// Shapes: reddit-errors/api_403.json, api_404.json, api_451.txt and api_302_random.html; the words
// 'private' from snoowrap issue 254 and 'gated' from redlib issue 109. That an unknown name leads to
// a search was not recorded.
test.each([
  ['private', { status: 403, body: { reason: 'private', message: 'Forbidden', error: 403 } }],
  ['quarantined', { status: 403, body: { reason: 'gated', message: 'Forbidden', error: 403 } }],
  ['closed to us', { status: 403, body: { error: 403 } }],
  ['banned', { status: 404, body: { reason: 'banned', message: 'Not Found', error: 404 } }],
  ['withheld by law', { status: 451, body: '' }],
  [
    'unknown',
    { status: 302, headers: { location: '/subreddits/search.json?q=pics' }, body: '<html></html>' },
  ],
])('a subreddit that is %s is no subfeed', async (_, reply) => {
  const { feed } = await connect({ api: () => reply })
  await expect(feed.list(request)).rejects.toMatchObject({ reason: 'no_such_subfeed' })
  await expect(feed.search({ query: 'x', limit: 1 })).rejects.toMatchObject({
    reason: 'unreachable',
  })
})

test.each(['a', '../api/v1/me', 'pics/new?x=', 'pics+cats', 'name@host', 'ö', ''])(
  'no request is made for the name %j',
  async (subfeed) => {
    const { reddit, feed } = await connect({})
    await expect(feed.list({ ...request, subfeed })).rejects.toMatchObject({
      reason: 'no_such_subfeed',
    })
    expect(reddit.asked).toEqual([])
  },
)

test.each([
  { clientId: undefined, clientSecret: 'x' },
  { clientId: 'x', clientSecret: undefined },
  { clientId: '', clientSecret: '' },
])('without credentials every call reports it: %j', async (credentials) => {
  const { reddit, world } = await connect({})
  const feed = createRedditSource({ ...reddit.settings, ...credentials }, world)
  await expect(feed.list(request)).rejects.toMatchObject({ reason: 'missing_credentials' })
  await expect(feed.search({ query: 'x', limit: 1 })).rejects.toMatchObject({
    reason: 'missing_credentials',
  })
  expect(reddit.asked).toEqual([])
})

test('refused credentials count as none', async () => {
  const { reddit, feed } = await connect({
    token: () => ({ status: 401, body: { message: 'Unauthorized', error: 401 } }),
  })
  await expect(feed.list(request)).rejects.toMatchObject({ reason: 'missing_credentials' })
  expect(reddit.apiRequests()).toEqual([])
})

test('a default user agent is sent if none is set', async () => {
  const { reddit, world } = await connect({})
  const feed = createRedditSource({ ...reddit.settings, userAgent: undefined }, world)
  await feed.list(request)
  for (const { headers } of reddit.asked)
    expect(headers['user-agent']).toMatch(/^web:lanternist:v\d/)
})

async function connect(script: Parameters<typeof serveReddit>[0]) {
  const reddit = await serveReddit({ token: goodToken, ...script })
  const world = createTestWorld()
  return { reddit, world, feed: createRedditSource(reddit.settings, world) }
}
