import { expect, test } from 'vitest'
import { createCachedFeed } from '../../src/server/features/feeds/cached-feed.ts'
import type { FeedPage, FeedSource } from '../../src/server/features/feeds/feed-source.ts'
import { FeedUnavailable } from '../../src/server/features/feeds/feed-source.ts'
import { createTestWorld } from '../support/far-site.ts'
import { feedMedia } from '../support/feed-media.ts'

const minuteMs = 60_000
const hourMs = 60 * minuteMs
const request = { subfeed: 'pics', sort: 'hot', limit: 25 } as const

test('an answer is reused for three minutes', async () => {
  const { feed, world, source } = cached()
  const first = await feed.list(request)
  world.pass(3 * minuteMs - 1)
  expect(await feed.list(request)).toBe(first)
  expect(source.calls).toBe(1)
  world.pass(1)
  expect((await feed.list(request)).after).toBe('2')
  expect(source.calls).toBe(2)
})

test('another subfeed, order, number or page is another request', async () => {
  const { feed, source } = cached()
  await feed.list(request)
  await feed.list({ ...request, subfeed: 'other' })
  await feed.list({ ...request, sort: 'new' })
  await feed.list({ ...request, limit: 26 })
  await feed.list({ ...request, after: 'x' })
  await feed.search({ query: 'pics', limit: 25 })
  await feed.search({ query: 'pics', limit: 26 })
  expect(source.calls).toBe(7)
  await feed.list({ ...request, after: undefined })
  await feed.search({ query: 'pics', limit: 25 })
  expect(source.calls).toBe(7)
})

test('concurrent equal requests share one request, and its failure', async () => {
  const { feed, source } = cached()
  const [one, two] = await Promise.all([feed.list(request), feed.list(request)])
  expect(one).toBe(two)
  expect(source.calls).toBe(1)

  source.fail(new FeedUnavailable('unreachable', 'down'))
  const other = { ...request, subfeed: 'other' }
  const failures = await Promise.allSettled([feed.list(other), feed.list(other)])
  expect(failures.map(({ status }) => status)).toEqual(['rejected', 'rejected'])
  expect(source.calls).toBe(2)
  source.recover()
  await feed.list(other)
  expect(source.calls).toBe(3)
})

test.each(['rate_limited', 'unreachable'] as const)(
  'while the source is %s the last answer is used, for six hours',
  async (reason) => {
    const { feed, world, source } = cached()
    const first = await feed.list(request)
    source.fail(new FeedUnavailable(reason, 'not now'))
    world.pass(3 * minuteMs)
    expect(await feed.list(request)).toBe(first)
    world.pass(6 * hourMs - 3 * minuteMs - 1)
    expect(await feed.list(request)).toBe(first)
    world.pass(1)
    await expect(feed.list(request)).rejects.toMatchObject({ reason })
    source.recover()
    expect((await feed.list(request)).after).not.toBe(first.after)
  },
)

test('searches are cached in the same way', async () => {
  const { feed, world, source } = cached()
  const words = { query: 'cats', limit: 5 }
  const first = await feed.search(words)
  source.fail(new FeedUnavailable('unreachable', 'down'))
  world.pass(hourMs)
  expect(await feed.search(words)).toBe(first)
})

test('a source that is down is skipped for a while, and for its Retry-After', async () => {
  const { feed, world, source } = cached()
  await feed.list(request)
  source.fail(new FeedUnavailable('unreachable', 'down'))
  world.pass(hourMs)
  await feed.list(request)
  world.pass(29_999)
  await feed.list(request)
  expect(source.calls).toBe(2)
  const retryAt = new Date(world.now().getTime() + 10 * minuteMs)
  source.fail(new FeedUnavailable('rate_limited', 'wait', { retryAt }))
  world.pass(1)
  await feed.list(request)
  world.pass(10 * minuteMs - 2)
  await feed.list(request)
  expect(source.calls).toBe(3)
  world.pass(1)
  await feed.list(request)
  expect(source.calls).toBe(4)
})

test('the cache never hides missing credentials', async () => {
  const { feed, world, source } = cached()
  await feed.list(request)
  source.fail(new FeedUnavailable('missing_credentials', 'none'))
  world.pass(3 * minuteMs)
  await expect(feed.list(request)).rejects.toMatchObject({ reason: 'missing_credentials' })
})

test('a deleted subfeed leaves the cache', async () => {
  const { feed, world, source } = cached()
  await feed.list(request)
  source.fail(new FeedUnavailable('no_such_subfeed', 'private'))
  world.pass(3 * minuteMs)
  await expect(feed.list(request)).rejects.toMatchObject({ reason: 'no_such_subfeed' })
  source.fail(new FeedUnavailable('unreachable', 'down'))
  await expect(feed.list(request)).rejects.toMatchObject({ reason: 'unreachable' })
})

test('our own error is not taken for a failure of the source', async () => {
  const { feed, world, source } = cached()
  await feed.list(request)
  source.fail(new TypeError('a mistake'))
  world.pass(3 * minuteMs)
  await expect(feed.list(request)).rejects.toThrow('a mistake')
})

test('when the cache is full, the latest requests are kept', async () => {
  const { feed, source } = cached({ maxEntries: 3 })
  const ask = (subfeed: string) => feed.list({ ...request, subfeed })
  for (const subfeed of ['a', 'b', 'c', 'a', 'd']) await ask(subfeed)
  expect(source.calls).toBe(4)
  for (const subfeed of ['a', 'c', 'd']) await ask(subfeed)
  expect(source.calls).toBe(4)
  await ask('b')
  expect(source.calls).toBe(5)
})

function cached(options: { maxEntries?: number } = {}) {
  const world = createTestWorld()
  const source = countingSource()
  return { world, source, feed: createCachedFeed(source, { now: world.now, ...options }) }
}

/** Returns a source whose answers are numbered. */
function countingSource() {
  let failure: Error | null = null
  const source = {
    name: 'demo' as const,
    calls: 0,
    fail: (error: Error) => {
      failure = error
    },
    recover: () => {
      failure = null
    },
    async list(): Promise<FeedPage> {
      source.calls++
      const after = String(source.calls)
      // An answer is asynchronous, like any.
      await Promise.resolve()
      if (failure) throw failure
      return { media: [feedMedia()], after }
    },
    search: async () => (await source.list()).media,
  }
  return source satisfies FeedSource
}
