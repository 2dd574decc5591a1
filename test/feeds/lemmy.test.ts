import { expect, test } from 'vitest'
import type { World } from '../../src/server/features/feeds/adapters/remote-site.ts'
import { createLemmySource } from '../../src/server/features/feeds/adapters/lemmy.ts'
import { createOffSource } from '../../src/server/features/feeds/feed-source.ts'
import { createTestWorld, rudeReplies } from '../support/far-site.ts'
import { lemmyList, newPostView, oldPostView, serveLemmy } from '../support/lemmy-server.ts'
import { readRecording } from '../support/reddit-server.ts'
import { testShared } from '../support/shared-corpora.ts'

const request = { subfeed: 'pictures', sort: 'hot', limit: 25 } as const
const versions = ['0.19', '1.0'] as const

testShared('a recorded instance of 0.19 is read by /api/v3', async () => {
  const { lemmy, feed } = await connect({
    version: '0.19',
    posts: ({ query }) =>
      query['page_cursor']
        ? { body: { posts: [], next_page: null } }
        : { body: JSON.parse(readRecording('lemmy/v3_post_list_lemmy_world_0.19_trimmed.json')) },
  })
  const { media, after } = await feed.list({ ...request, subfeed: 'microblogmemes@lemmy.world' })
  expect(media).toMatchObject([{ postId: '50908658', subfeed: 'microblogmemes' }])
  expect(after).toBeNull()
  expect(lemmy.postRequests().map(({ query }) => query['page_cursor'])).toEqual([
    undefined,
    'P308c595',
  ])

  // An instance that answers /api/v4/site with the content of 0.19 is not a 1.0.
  const site = { body: JSON.parse(readRecording('lemmy/v3_site_lemmy_world_0.19_trimmed.json')) }
  const other = await connect({ version: '0.19', site: () => site })
  await other.feed.list(request)
  expect(other.lemmy.postRequests()).toMatchObject([{ path: '/api/v3/post/list' }])

  const body = JSON.parse(readRecording('lemmy/v3_error_body.json'))
  const missing = await connect({ version: '0.19', posts: () => ({ status: 404, body }) })
  await expect(missing.feed.list(request)).rejects.toMatchObject({ reason: 'no_such_subfeed' })
  return 3
})

test('0.19 gets its own requests', async () => {
  const { lemmy, feed } = await connect({ version: '0.19' })
  await feed.list(request)
  await feed.list({ ...request, sort: 'new', subfeed: 'cats@other.example' })
  await feed.list({ ...request, sort: 'top' })
  const common = { community_name: 'pictures', limit: '50', show_nsfw: 'true' }
  expect(lemmy.postRequests().map(({ path, query }) => [path, query])).toEqual([
    ['/api/v3/post/list', { ...common, sort: 'Hot' }],
    ['/api/v3/post/list', { ...common, sort: 'New', community_name: 'cats@other.example' }],
    ['/api/v3/post/list', { ...common, sort: 'TopMonth' }],
  ])
  expect(lemmy.asked[0]?.headers['user-agent']).toMatch(/^Lanternist\/\d/)
})

test('1.0 gets its own requests', async () => {
  const { lemmy, feed } = await connect({ version: '1.0' })
  await feed.list(request)
  await feed.list({ ...request, sort: 'top' })
  const common = { community_name: 'pictures', limit: '50', show_nsfw: 'true' }
  expect(lemmy.postRequests().map(({ path, query }) => [path, query])).toEqual([
    ['/api/v4/post/list', { ...common, sort: 'hot', time_range_seconds: '0' }],
    ['/api/v4/post/list', { ...common, sort: 'top', time_range_seconds: '2592000' }],
  ])
})

test.each(versions)('the version %s is asked for once an hour', async (version) => {
  const { lemmy, feed, world } = await connect({ version })
  await Promise.all([feed.list(request), feed.list(request), feed.search({ query: 'x', limit: 1 })])
  world.pass(3_599_999)
  await feed.list(request)
  expect(lemmy.siteRequests()).toMatchObject([{ path: '/api/v4/site' }])
  world.pass(1)
  await feed.list(request)
  expect(lemmy.siteRequests()).toHaveLength(2)
})

test('a version that could not be read is requested again', async () => {
  let isDown = true
  const { lemmy, feed } = await connect({
    version: '1.0',
    site: () => (isDown ? { status: 502, body: '' } : { body: { version: '1.0.0' } }),
  })
  await expect(feed.list(request)).rejects.toMatchObject({ reason: 'unreachable' })
  isDown = false
  await feed.list(request)
  expect(lemmy.siteRequests()).toHaveLength(2)
  expect(lemmy.postRequests()).toMatchObject([{ path: '/api/v4/post/list' }])
})

test('an instance that answers unknown paths with its front page is 0.19', async () => {
  const { lemmy, feed } = await connect({
    version: '0.19',
    site: () => ({ body: '<!doctype html>' }),
  })
  await feed.list(request)
  expect(lemmy.postRequests()).toMatchObject([{ path: '/api/v3/post/list' }])
})

test.each(versions)('pages of %s are followed, and left at any post', async (version) => {
  const { lemmy, feed } = await connect({
    version,
    posts: ({ query }) => {
      if (query['page_cursor'] === 'second') return lemmyList(version, [4, 5, 6])
      return lemmyList(version, [1, 2, 3], 'second')
    },
  })
  const ids = async (limit: number, after?: string) => {
    const page = await feed.list({ ...request, limit, after })
    return [page.media.map(({ postId }) => postId).join(), page.after]
  }
  expect(await ids(2)).toEqual(['1,2', '~2'])
  expect(await ids(2, '~2')).toEqual(['3,4', 'second~1'])
  expect(await ids(2, 'second~1')).toEqual(['5,6', null])
  expect(await ids(3)).toEqual(['1,2,3', 'second'])
  expect(await ids(100)).toEqual(['1,2,3,4,5,6', null])
  const cursors = lemmy.postRequests().map(({ query }) => query['page_cursor'] ?? 'first')
  expect(cursors.join(' ')).toBe('first first second second first first second')
})

test('a search of 0.19 counts its pages, and ends with an empty page', async () => {
  const { lemmy, feed } = await connect({
    version: '0.19',
    posts: ({ query }) =>
      // SearchResponse of 0.19: lists by kind, no cursor (lemmy-js-client 0.19).
      query['page'] === '1'
        ? { body: { type_: 'Posts', posts: [oldPostView(1)], comments: [], users: [] } }
        : { body: { type_: 'Posts', posts: [], comments: [], users: [] } },
  })
  const media = await feed.search({ query: 'two words', limit: 25 })
  expect(media.map(({ postId }) => postId)).toEqual(['1'])
  expect(lemmy.postRequests()).toMatchObject([
    {
      path: '/api/v3/search',
      query: { q: 'two words', type_: 'Posts', listing_type: 'All', sort: 'TopAll', page: '1' },
    },
    { query: { page: '2' } },
  ])
})

test('a search of 1.0 follows its cursor', async () => {
  const { lemmy, feed } = await connect({
    version: '1.0',
    posts: ({ query }) =>
      query['page_cursor'] === 'next'
        ? { body: { posts: [newPostView(2)], next_page: null } }
        : { body: { posts: [newPostView(1)], next_page: 'next' } },
  })
  const media = await feed.search({ query: 'two words', limit: 25 })
  expect(media.map(({ postId }) => postId)).toEqual(['1', '2'])
  expect(lemmy.postRequests()).toMatchObject([
    {
      path: '/api/v4/search',
      query: { q: 'two words', search_term: 'two words', type_: 'posts', show_nsfw: 'true' },
    },
    { query: { page_cursor: 'next' } },
  ])
})

// 0.19: crates/utils/src/error.rs gives the error's name with 400, or 404 for a row that is not
// there. 1.0: LemmyErrorType::NotFound with 404.
test.each([
  ['0.19', 400, 'couldnt_find_community'],
  ['0.19', 404, 'couldnt_find_community'],
  ['1.0', 404, 'not_found'],
] as const)('a community that %s refuses with %i is no subfeed', async (version, status, error) => {
  const { feed } = await connect({ version, posts: () => ({ status, body: { error } }) })
  await expect(feed.list(request)).rejects.toMatchObject({ reason: 'no_such_subfeed' })
})

test('a private instance is distinguished from a missing community', async () => {
  const { feed } = await connect({
    version: '0.19',
    posts: () => ({ status: 400, body: { error: 'instance_is_private' } }),
  })
  await expect(feed.list(request)).rejects.toMatchObject({ reason: 'unreachable' })
})

test.each([
  // LemmyNet/lemmy issue 5332: 0.19 has no status for it and names no time.
  ['0.19', { status: 400, body: { error: 'rate_limit_error' } }, 60],
  // 1.0: actix-extensible-rate-limit with its headers (crates/utils/src/rate_limit).
  [
    '1.0',
    {
      status: 429,
      headers: { 'retry-after': '17', 'x-ratelimit-remaining': '0', 'x-ratelimit-reset': '17' },
      body: { error: 'rate_limit_error' },
    },
    17,
  ],
] as const)(
  'after a rate limit of %s, nothing is requested for a while',
  async (version, reply, s) => {
    const { lemmy, feed, world } = await connect({
      version,
      posts: (_, count) => (count === 0 ? reply : lemmyList(version, [1])),
    })
    const retryAt = new Date(world.now().getTime() + s * 1000)
    const limited = { reason: 'rate_limited', retryAt }
    await expect(feed.list(request)).rejects.toMatchObject(limited)
    world.pass(s * 1000 - 1)
    await expect(feed.list(request)).rejects.toMatchObject(limited)
    expect(lemmy.postRequests()).toHaveLength(1)
    world.pass(1)
    expect((await feed.list(request)).media).toHaveLength(1)
  },
)

test('too many searches do not stop lists, which are counted separately', async () => {
  const { feed } = await connect({
    version: '0.19',
    posts: ({ path }) =>
      path.endsWith('/search')
        ? { status: 400, body: { error: 'rate_limit_error' } }
        : lemmyList('0.19', [1]),
  })
  await expect(feed.search({ query: 'x', limit: 1 })).rejects.toMatchObject({
    reason: 'rate_limited',
  })
  expect((await feed.list(request)).media).toHaveLength(1)
})

const limits = { timeoutMs: 300, maxAnswerBytes: 200_000 }

test.each(Object.entries(rudeReplies))('a list is answered with %s', async (_, reply) => {
  const { feed } = await connect({ version: '1.0', posts: () => reply }, limits)
  await expect(feed.list(request)).rejects.toMatchObject({ reason: 'unreachable' })
  await expect(feed.search({ query: 'x', limit: 1 })).rejects.toMatchObject({
    reason: 'unreachable',
  })
})

test.each(['a', '../site', 'cats?x=1', 'cats&sort=New', '@host', 'cats@', 'cats@a/b', ''])(
  'no request is made for the name %j',
  async (subfeed) => {
    const { lemmy, feed } = await connect({ version: '1.0' })
    await expect(feed.list({ ...request, subfeed })).rejects.toMatchObject({
      reason: 'no_such_subfeed',
    })
    expect(lemmy.asked).toEqual([])
  },
)

test('without an instance, or turned off, every call reports it', async () => {
  for (const feed of [
    createLemmySource({ url: undefined }, createTestWorld()),
    createOffSource(),
  ]) {
    await expect(feed.list(request)).rejects.toMatchObject({ reason: 'missing_credentials' })
    await expect(feed.search({ query: 'x', limit: 1 })).rejects.toMatchObject({
      reason: 'missing_credentials',
    })
  }
})

async function connect(
  script: Parameters<typeof serveLemmy>[0],
  limits?: Pick<World, 'timeoutMs' | 'maxAnswerBytes'>,
) {
  const lemmy = await serveLemmy(script)
  const world = createTestWorld(limits)
  return { lemmy, world, feed: createLemmySource(lemmy.settings, world) }
}
