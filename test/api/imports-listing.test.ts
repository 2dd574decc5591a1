/** Sessions from listings that people bring from elsewhere (contract 4.2, 10). */
import { describe, expect, test } from 'vitest'
import { readAnswer } from '../../src/server/features/feeds/reading/answer-reader.ts'
import { gatherListing } from '../../src/server/features/imports/listing.ts'
import type { ImportWorld } from '../support/import-world.ts'
import { createImportWorld } from '../support/import-world.ts'
import { readRecording } from '../support/reddit-server.ts'
import { testShared } from '../support/shared-corpora.ts'
import { useWorld } from '../support/use-world.ts'
import type { Person } from '../support/world.ts'
import { refused } from '../support/world.ts'

let world: ImportWorld
let ana: Person
let adult: Person

useWorld(createImportWorld, async (fresh) => {
  world = fresh
  ana = await world.as('ana')
  adult = await world.adult('bo')
})

const importListing = (person: Person, listing: unknown, title = 'Carried over') =>
  person.imports.importSession({ body: { title, listing } })
const codes = (skipped: readonly { code: string }[]) => skipped.map(({ code }) => code)
const redditPost = (id: string, more: object = {}) => ({
  kind: 't3',
  data: {
    id,
    subreddit: 'Pics',
    title: `Post ${id}`,
    permalink: `/r/pics/comments/${id}/`,
    url: `${world.pictures}/png/${id}.png`,
    over_18: false,
    ...more,
  },
})
const reddit = (...children: unknown[]) => ({ kind: 'Listing', data: { children, after: null } })
const lemmyView = (id: number, more: object = {}) => ({
  post: {
    id,
    name: `Post ${id}`,
    url: `${world.pictures}/png/${id}.png`,
    ap_id: `https://lemmy.example/post/${id}`,
    nsfw: false,
    ...more,
  },
  creator: { name: 'ana', local: true },
  community: { name: 'pics', local: true, nsfw: false },
})

test('an overload of this site is its own failure, not one of the listing', async () => {
  const answer = { bytes: Buffer.from('{}'), url: '', headers: {} }
  // One is read and the others wait, as many as may.
  const earlier = Array.from({ length: 501 }, () => readAnswer('listing', answer))
  const late = gatherListing(world.ctx, reddit(redditPost('a1')), { ageVerified: false })
  const failure: unknown = await late.catch((error: unknown) => error)
  expect(failure).toMatchObject({ failure: { status: 503 }, headers: { 'Retry-After': '3' } })
  await Promise.all(earlier)
})

describe('a listing of Reddit', () => {
  test('becomes slides with their posts, and is copied', async () => {
    const { session, media, skipped } = await importListing(ana, reddit(redditPost('a1')))
    expect(session).toMatchObject({ isImported: true, importSource: 'listing', importUrl: null })
    expect(media).toMatchObject([
      {
        mediaUrl: `${world.pictures}/png/a1.png`,
        feedPostId: 'a1',
        feedPostUrl: 'https://www.reddit.com/r/pics/comments/a1/',
        subfeed: 'pics',
        caption: null,
        nsfw: false,
      },
    ])
    expect(skipped).toEqual([])
    await world.runJobs()
    const params = { id: String(session.id) }
    const after = await ana.sessions.read({ params })
    expect(after.media).toMatchObject([{ id: media[0]!.id, feedPostId: 'a1', width: 300 }])
    expect(after.media[0]!.mediaUrl).toMatch(/^\/media\//)
  })

  test('may point to FETCH_ALLOW addresses, and to no other private address', async () => {
    const url = (origin: string) => ({ url: `${origin}/png/a.png` })
    const { media, skipped } = await importListing(
      ana,
      reddit(
        redditPost('in', url(world.site.origin)),
        redditPost('out', url('http://127.0.0.1:9')),
      ),
    )
    expect(media.map(({ mediaUrl }) => mediaUrl)).toEqual([`${world.site.origin}/png/a.png`])
    expect(codes(skipped)).toEqual(['no_media'])
    const ofLemmy = await importListing(ana, { posts: [lemmyView(1, url(world.site.origin))] })
    expect(ofLemmy.media).toHaveLength(1)
  })

  test('imports no address that acts when it is opened', async () => {
    const gallery = (url: string) => ({
      is_gallery: true,
      gallery_data: { items: [{ media_id: 'x' }] },
      media_metadata: { x: { status: 'valid', e: 'Image', s: { u: url, x: 900, y: 600 } } },
    })
    const { media, skipped } = await importListing(
      ana,
      reddit(redditPost('bad', gallery('http://lanternist.test/api/logout')), redditPost('good')),
    )
    expect(media.map(({ feedPostId }) => feedPostId)).toEqual(['good'])
    expect(codes(skipped)).toEqual(['no_media'])
  })

  test('without its only picture keeps no cover of it', async () => {
    const thumbnail = `${world.pictures}/jpg/small.jpg`
    const { session } = await importListing(ana, reddit(redditPost('lost', { thumbnail })))
    expect(session.thumbnail).toBe(thumbnail)
    world.site.gone.add('lost')
    await world.runJobs()
    const after = await ana.sessions.read({ params: { id: String(session.id) } })
    expect(after.skipped).toMatchObject([{ code: 'not_found' }])
    expect(after.session).toMatchObject({ mediaCount: 0, thumbnail: null })
  })

  test('names posts without media, and adult ones for unverified accounts', async () => {
    const listing = reddit(
      redditPost('text', { url: 'https://www.reddit.com/r/pics/comments/text/' }),
      redditPost('adult', { over_18: true }),
      redditPost('fine'),
      redditPost('', { title: 'no id' }),
      { kind: 't1', data: { body: 'a comment' } },
      null,
    )
    const { media, skipped, session } = await importListing(ana, listing)
    expect(media.map(({ feedPostId }) => feedPostId)).toEqual(['fine'])
    expect(skipped).toMatchObject([
      { source: 'https://www.reddit.com/r/pics/comments/text/', code: 'no_media' },
      { source: 'https://www.reddit.com/r/pics/comments/adult/', code: 'age_restricted' },
      { source: '1 of the listing’s posts', code: 'unreadable' },
    ])
    expect(session.nsfw).toBe(false)
    const whole = await importListing(adult, listing)
    expect(whole.media.map(({ nsfw }) => nsfw)).toEqual([true, false])
    expect(whole.session.nsfw).toBe(true)
    expect(codes(whole.skipped)).toEqual(['no_media', 'unreadable'])
  })

  test.each<[string, (listing: ReturnType<typeof reddit>) => unknown]>([
    ['its text', (listing) => JSON.stringify(listing)],
    [
      'the page of a post with its comments',
      (listing) => [listing, reddit({ kind: 't1', data: {} })],
    ],
    ['a bare list of things', ({ data }) => data.children],
    ['a bare list of posts', () => [redditPost('x').data, redditPost('y').data]],
    ['a single thing', ({ data }) => data.children[0]],
  ])('can be imported as %s', async (_, wrap) => {
    const listing = reddit(redditPost('x'), redditPost('y'))
    const { media } = await importListing(ana, wrap(listing))
    expect(media[0]).toMatchObject({ feedPostId: 'x' })
  })

  test('with more pictures than a session can have names the posts that did not fit', async () => {
    const posts = Array.from({ length: 502 }, (_, index) => redditPost(`p${index}`))
    const { media, skipped } = await importListing(ana, reddit(...posts))
    expect(media).toHaveLength(500)
    expect(codes(skipped)).toEqual(['too_many', 'too_many'])
  })

  testShared('as recorded gives the same posts as the feed', async () => {
    const recorded = readRecording('reddit/popular_hot_2026a_gallery_video.json')
    const { media, skipped } = await importListing(adult, recorded)
    expect(media).toHaveLength(54)
    expect(codes(skipped).every((code) => code === 'no_media')).toBe(true)
    const crosspost = JSON.parse(readRecording('reddit/single_crosspost_nsfw.json'))
    expect((await refused(importListing(ana, crosspost))).body).toMatchObject({
      code: 'NOTHING_TO_IMPORT',
    })
    const before = JSON.parse(readRecording('reddit/all_new_before_cursor.json'))
    expect(codes((await importListing(ana, before)).skipped)).toContain('age_restricted')
    const gallery = JSON.parse(readRecording('reddit/single_gallery_post.json'))
    expect((await importListing(ana, gallery)).media.map(({ type }) => type)).toEqual([
      'image',
      'image',
      'gif',
      'image',
    ])
    return media.length
  })
})

describe('a listing of Lemmy', () => {
  test.each([
    ['0.19', { posts: [lemmyViewOf(1), lemmyViewOf(2)] }],
    ['1.0', { items: [lemmyViewOf(1), lemmyViewOf(2)], next_page: null }],
    ['a bare list', [lemmyViewOf(1), lemmyViewOf(2)]],
  ])('of %s becomes slides', async (_, make) => {
    const { media } = await importListing(ana, resolve(make))
    expect(media.map(({ feedPostId, subfeed }) => [feedPostId, subfeed])).toEqual([
      ['1', 'pics'],
      ['2', 'pics'],
    ])
  })

  test('names what cannot be used', async () => {
    const listing = {
      posts: [
        lemmyView(1, { nsfw: true }),
        lemmyView(2, { url: null }),
        lemmyView(3),
        { post: { id: 'x' } },
      ],
    }
    const { skipped } = await importListing(ana, listing)
    expect(skipped.map(({ source, code }) => [source, code])).toEqual([
      ['https://lemmy.example/post/1', 'age_restricted'],
      ['https://lemmy.example/post/2', 'no_media'],
      ['1 of the listing’s posts', 'unreadable'],
    ])
  })

  testShared('as it was recorded', async () => {
    const listing = readRecording('lemmy/v3_post_list_lemmy_world_0.19_trimmed.json')
    expect((await importListing(ana, listing)).media).toHaveLength(1)
    return 1
  })
})

describe('an invalid listing', () => {
  const nested = (depth: number) => '['.repeat(depth) + ']'.repeat(depth)
  test.each<[string, () => unknown, string]>([
    ['a text that is not JSON', () => '<!doctype html>', 'is not valid JSON'],
    ['an empty text', () => '', 'is not valid JSON'],
    ['null', () => null, 'is not a listing'],
    ['a number', () => 7, 'is not a listing'],
    ['an empty object', () => ({}), 'is not a listing'],
    ['an empty list', () => [], 'is not a listing'],
    ['an error of Reddit’s', () => ({ message: 'Forbidden', error: 403 }), 'is not a listing'],
    ['a listing of comments', () => reddit({ kind: 't1', data: {} }), 'has no posts'],
    ['children that are none', () => ({ kind: 'Listing', data: { children: 'x' } }), 'is not a'],
    ['posts that are none', () => ({ posts: { 0: lemmyView(1) } }), 'is not a listing'],
    ['a list of lists', () => nested(500_000), 'is not a listing'],
    ['a prototype', () => JSON.parse('{"__proto__":{"posts":[]}}'), 'is not a listing'],
    ['too many posts', () => Array.from({ length: 1001 }, () => redditPost('a')), 'at most 1000'],
    ['too many in a listing', () => ({ posts: Array(1001).fill(lemmyView(1)) }), 'at most 1000'],
    ['too many in a search', () => ({ search: Array(1001).fill(lemmyView(1)) }), 'at most 1000'],
    [
      'too many behind what is no list',
      () => ({ posts: 0, items: Array(1001).fill(lemmyView(1)) }),
      'at most 1000',
    ],
    [
      'too many behind a list of nothing',
      () => ({ data: { children: [] }, posts: Array(1001).fill(lemmyView(1)) }),
      'at most 1000',
    ],
    [
      'too many in several listings together',
      () => Array(3).fill(reddit(...Array<unknown>(400).fill(redditPost('a')))),
      'at most 1000',
    ],
  ])('%s is refused with a message', async (_, make, words) => {
    const { status, message } = await refused(importListing(ana, make()))
    expect(status).toBe(400)
    expect(message).toContain(`Validation failed: listing`)
    expect(message).toContain(words)
    expect(await ana.sessions.list()).toEqual([])
  })

  test('odd characters in an escaped text are not stored', async () => {
    const text = JSON.stringify(
      reddit(
        redditPost('a', { title: 'x\u0000y' }),
        redditPost('b', { url: 'x', permalink: '/\u0000\ud800' }),
      ),
    )
    const { skipped } = await importListing(ana, text)
    expect(skipped).toMatchObject([{ code: 'no_media' }])
    const proto =
      '{"kind":"Listing","data":{"children":[{"kind":"t3","data":{"id":"c","media_metadata":{"__proto__":{"status":"valid","s":{"u":"https://a.example/x.png"}}},"constructor":1}}]}}'
    expect((await refused(importListing(ana, proto))).status).toBe(400)
  })

  test('a body of nested lists is refused like any other', async () => {
    const response = await ana.fetch('/api/sessions/import-joip', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: `{"title":"Deep","listing":${nested(500_000)}}`,
    })
    expect(response.status).toBe(400)
    expect(await response.json()).toMatchObject({ error: 'Validation Error' })
  })

  test('more than five megabytes are refused before they are read', async () => {
    const { status, body } = await refused(importListing(ana, 'x'.repeat(5 * 1_048_576)))
    expect([status, body]).toMatchObject([413, { error: 'Payload Too Large' }])
  })
})

/** Reads the view late: the site's address is known only after it listens. */
function lemmyViewOf(id: number) {
  return () => lemmyView(id)
}

function resolve(value: unknown): unknown {
  if (typeof value === 'function') return (value as () => unknown)()
  if (Array.isArray(value)) return value.map(resolve)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, resolve(item)]))
}

test('a listing is read within limits', async () => {
  const post = { id: 'a', permalink: '/r/a/', media_metadata: {}, title: 'A' }
  const gallery = Object.fromEntries(
    Array.from({ length: 300 }, (_, place) => [
      `m${place}`,
      { status: 'valid', e: 'Image', s: { u: `https://pics.example/${place}.jpg` } },
    ]),
  )
  const { media } = await importListing(ana, [{ ...post, media_metadata: gallery }])
  expect(media).toHaveLength(100)
  const send = (body: string) =>
    ana.fetch('/api/sessions/import-joip', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body,
    })
  const openPost = JSON.stringify(redditPost('a')).slice(0, -1)
  const deep = await send(
    `{"title":"A","listing":[${openPost},"more":${'['.repeat(100_000)}${']'.repeat(100_000)}}]}`,
  )
  expect(deep.status).toBe(400)
  expect(await deep.json()).toMatchObject({
    message: 'Validation failed: listing has more data than can be read',
  })
  const many = await send(`{"title":"A","listing":[${'{},'.repeat(600_000)}{}]}`)
  expect(many.status).toBe(400)
  expect(await many.json()).toEqual({
    error: 'Bad Request',
    message: 'The body has more than 600000 values',
  })
})
