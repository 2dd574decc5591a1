// Reddit when it is busy, broken or limits us. No secret appears in an error.

import { inspect } from 'node:util'
import { expect, test } from 'vitest'
import type { World } from '../../src/server/features/feeds/adapters/remote-site.ts'
import { createRedditSource } from '../../src/server/features/feeds/adapters/reddit.ts'
import type { FeedSource } from '../../src/server/features/feeds/feed-source.ts'
import { FeedUnavailable } from '../../src/server/features/feeds/feed-source.ts'
import type { Reply } from '../support/far-site.ts'
import { createTestWorld, rudeReplies } from '../support/far-site.ts'
import {
  readRecording,
  redditListing,
  redditPicture,
  serveReddit,
} from '../support/reddit-server.ts'
import { testShared } from '../support/shared-corpora.ts'

const request = { subfeed: 'pics', sort: 'hot', limit: 25 } as const
const listing = { body: redditListing([redditPicture('one')]) }
const secrets = [
  'client-secret',
  Buffer.from('client-id:client-secret').toString('base64'),
  'token-1',
  'token-2',
]

const tokenRecordings = [
  'token_client_credentials_200',
  'token_200_with_ratelimit_headers',
  'token_installed_client_200',
]

testShared('recorded refusals and tokens are understood', async () => {
  const html = readRecording('reddit-errors/api_429_html_retry_after.html')
  const api = await connect({
    api: () => ({ status: 429, headers: { 'retry-after': '4' }, body: html }),
  })
  expect(await failureOf(api.feed)).toMatchObject({ reason: 'rate_limited', retryAt: api.in(4) })

  const json = JSON.parse(readRecording('reddit-errors/token_429_json_no_retry_after.json'))
  const token = await connect({ token: () => ({ status: 429, body: json }) })
  expect(await failureOf(token.feed)).toMatchObject({
    reason: 'rate_limited',
    retryAt: token.in(60),
  })

  const invalid = JSON.parse(readRecording('reddit-errors/token_refresh_invalid_400.json'))
  const refused = await connect({ token: () => ({ status: 400, body: invalid }) })
  expect(await failureOf(refused.feed)).toMatchObject({ reason: 'unreachable' })

  for (const [status, reason, file] of [
    [401, 'unreachable', 'api_401_expired_token.json'],
    [403, 'no_such_subfeed', 'api_403.json'],
    [404, 'no_such_subfeed', 'api_404.json'],
    [302, 'no_such_subfeed', 'api_302_random.html'],
    [451, 'no_such_subfeed', 'api_451.txt'],
    [502, 'unreachable', 'api_502.txt'],
    [503, 'unreachable', 'api_503.txt'],
  ] as const) {
    const text = readRecording(`reddit-errors/${file}`)
    const body = file.endsWith('.json') ? JSON.parse(text) : text
    const { feed } = await connect({ api: () => ({ status, body }) })
    expect(await failureOf(feed), file).toMatchObject({ reason })
  }

  for (const file of tokenRecordings) {
    const body = JSON.parse(readRecording(`reddit-errors/${file}.json`))
    const { feed } = await connect({ token: () => ({ body }) })
    expect((await feed.list(request)).media).toHaveLength(1)
  }
  return 10 + tokenRecordings.length
})

test('nothing is requested before the time that a 429 names', async () => {
  const { reddit, feed, world, ...then } = await connect({
    api: (_, count) =>
      count === 0
        ? { status: 429, headers: { 'retry-after': '4' }, body: '<h1>whoa there, pardner!</h1>' }
        : listing,
  })
  const retryAt = then.in(4)
  expect(await failureOf(feed)).toMatchObject({ reason: 'rate_limited', retryAt })
  world.pass(3999)
  expect(await failureOf(feed)).toMatchObject({ reason: 'rate_limited', retryAt })
  await expect(feed.search({ query: 'x', limit: 1 })).rejects.toMatchObject({ retryAt })
  expect(reddit.apiRequests()).toHaveLength(1)
  world.pass(1)
  expect((await feed.list(request)).media).toHaveLength(1)
})

test.each<[string, Record<string, string>, number]>([
  ['nothing', {}, 60],
  ['the end of its period', { 'x-ratelimit-reset': '120' }, 120],
  ['both', { 'x-ratelimit-reset': '120', 'retry-after': '30' }, 30],
  ['a date', { 'retry-after': 'Fri, 01 May 2026 12:05:00 GMT' }, 300],
  ['a date long past', { 'retry-after': 'Fri, 01 May 2020 12:05:00 GMT' }, 60],
  ['nonsense', { 'retry-after': 'soon', 'x-ratelimit-reset': '-3' }, 60],
  ['a moment instead of a time', { 'x-ratelimit-reset': '1776105848' }, 60],
])('a 429 that names %s', async (_, headers, seconds) => {
  const { feed, ...then } = await connect({
    api: () => ({ status: 429, headers, body: { message: 'Too Many Requests', error: 429 } }),
  })
  expect(await failureOf(feed)).toMatchObject({
    reason: 'rate_limited',
    retryAt: then.in(seconds),
  })
})

test('the last allowed answer of a period is used, then there is a pause', async () => {
  const headers = { 'x-ratelimit-remaining': '0.0', 'x-ratelimit-reset': '90' }
  const { reddit, feed, world, ...then } = await connect({ api: () => ({ ...listing, headers }) })
  const retryAt = then.in(90)
  expect((await feed.list(request)).media).toHaveLength(1)
  expect(await failureOf(feed)).toMatchObject({ reason: 'rate_limited', retryAt })
  expect(reddit.apiRequests()).toHaveLength(1)
  world.pass(90_000)
  await feed.list(request)
  expect(reddit.apiRequests()).toHaveLength(2)
})

test.each([
  ['0.9', true],
  ['1.0', false],
  ['598.0', false],
])('with %s requests left there is a pause: %s', async (remaining, isPause) => {
  const headers = { 'x-ratelimit-remaining': remaining, 'x-ratelimit-reset': '90' }
  const { feed } = await connect({ api: () => ({ ...listing, headers }) })
  await feed.list(request)
  expect((await failureOf(feed)) !== null).toBe(isPause)
})

test('the pause of the token endpoint is not that of the API', async () => {
  const headers = { 'x-ratelimit-remaining': '0', 'x-ratelimit-reset': '600' }
  const body = { access_token: 'token-1', token_type: 'bearer', expires_in: 300 }
  const { reddit, feed, world } = await connect({ token: () => ({ headers, body }) })
  await feed.list(request)
  await feed.list(request)
  world.pass(300_000)
  // The token has expired, so a request would need a new one.
  expect(await failureOf(feed)).toMatchObject({ reason: 'rate_limited' })
  expect(reddit.tokenRequests()).toHaveLength(1)
  expect(reddit.apiRequests()).toHaveLength(2)
})

test('a site that is down with a Retry-After is left alone until then', async () => {
  const { reddit, feed, world, ...then } = await connect({
    api: () => ({ status: 503, headers: { 'retry-after': '20' }, body: '' }),
  })
  const retryAt = then.in(20)
  expect(await failureOf(feed)).toMatchObject({ reason: 'unreachable', retryAt })
  expect(await failureOf(feed)).toMatchObject({ reason: 'unreachable', retryAt })
  expect(reddit.apiRequests()).toHaveLength(1)
  world.pass(20_000)
  await failureOf(feed)
  expect(reddit.apiRequests()).toHaveLength(2)
})

test('a blocked network is distinguished from a missing subreddit', async () => {
  const { feed } = await connect({
    api: () => ({ status: 403, body: '<html>blocked by network security</html>' }),
  })
  expect(await failureOf(feed)).toMatchObject({ reason: 'unreachable' })
})

const limits = { timeoutMs: 300, maxAnswerBytes: 200_000 }

test.each(Object.entries(rudeReplies))('the API sends %s', async (what, reply) => {
  const { reddit, feed } = await connect({ api: () => reply }, limits)
  const failure = await failureOf(feed)
  const reason = what === 'a redirect elsewhere' ? 'no_such_subfeed' : 'unreachable'
  expect(failure).toMatchObject({ reason })
  expectNoSecrets(failure)
  reddit.stop()
})

test.each(Object.entries(rudeReplies))('the token endpoint sends %s', async (_, reply) => {
  const { reddit, feed } = await connect({ token: () => reply }, limits)
  const failure = await failureOf(feed)
  expect(failure).toMatchObject({ reason: 'unreachable' })
  expect(reddit.apiRequests()).toEqual([])
  expectNoSecrets(failure)
})

test('a token in a broken answer does not end up in the error', async () => {
  const { feed } = await connect({
    token: () => ({ body: '{"access_token": "token-1", expires_in: 3600}' }),
  })
  const failure = await failureOf(feed)
  expect(failure).toMatchObject({ reason: 'unreachable' })
  expectNoSecrets(failure)
})

test('an endless answer is cut off, and its connection closed', async () => {
  const endless = rudeReplies['a body without an end'] as Reply
  const { reddit, feed } = await connect({ api: () => endless }, limits)
  expect(await failureOf(feed)).toMatchObject({
    message: 'Reddit sent a response that is too long',
  })
  await reddit.allClosed()
})

test('an unserved site cannot be reached, and may be asked again at once', async () => {
  const { reddit, feed } = await connect({})
  await feed.list(request)
  reddit.stop()
  const failure = await failureOf(feed)
  expect(failure).toMatchObject({ reason: 'unreachable', retryAt: null })
  expectNoSecrets(failure)
})

async function connect(
  script: Parameters<typeof serveReddit>[0],
  limits?: Pick<World, 'timeoutMs' | 'maxAnswerBytes'>,
) {
  const reddit = await serveReddit({ api: () => listing, ...script })
  const world = createTestWorld(limits)
  return {
    reddit,
    world,
    feed: createRedditSource(reddit.settings, world),
    in: (seconds: number) => new Date(world.now().getTime() + seconds * 1000),
  }
}

async function failureOf(feed: FeedSource): Promise<FeedUnavailable | null> {
  try {
    await feed.list(request)
    return null
  } catch (error) {
    expect(error).toBeInstanceOf(FeedUnavailable)
    return error as FeedUnavailable
  }
}

function expectNoSecrets(failure: unknown) {
  const shown = inspect(failure, { depth: 10, showHidden: true })
  for (const secret of secrets) expect(shown).not.toContain(secret)
}
