/** Names of subfeeds: every spelling has one canonical form, which parses to itself. */
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { sourceIds } from '../../src/contract/sources.ts'
import type { Naming } from '../../src/server/features/feeds/subfeed-names.ts'
import { readSubfeed, SubfeedRefused } from '../../src/server/features/feeds/subfeed-names.ts'

const naming: Naming = { first: 'reddit', offered: [...sourceIds], fetchAllow: ['127.0.0.1:8080'] }
const written = (text: string, change: Partial<Naming> = {}) =>
  readSubfeed(text, { ...naming, ...change }).written

describe('one form for', () => {
  test.each([
    ['r/Pics', 'pics'],
    ['/r/pics', 'pics'],
    ['Reddit:Pics', 'pics'],
    ['lemmy:Pics@Lemmy.World', 'lemmy:pics@lemmy.world'],
    ['mastodon:#CatsOf@Mastodon.Social', 'mastodon:#catsof@mastodon.social'],
    ['mastodon:@Some.One@pixelfed.social:8443', 'mastodon:@some.one@pixelfed.social:8443'],
    ['mastodon:#cats@127.0.0.1:8080', 'mastodon:#cats@127.0.0.1:8080'],
    ['bluesky:@BSKY.app', 'bluesky:@bsky.app'],
    [
      'bluesky:https://bsky.app/profile/bsky.app/feed/Team#x',
      'bluesky:https://bsky.app/profile/bsky.app/feed/Team',
    ],
    [
      'bluesky: at://did:plc:abc/app.bsky.graph.list/3K',
      'bluesky:at://did:plc:abc/app.bsky.graph.list/3K',
    ],
    ['RSS:HTTPS://Example.COM/a%2Cb?Q=1#top', 'rss:https://example.com/a%2Cb?Q=1'],
    ['commons:Category:quality_images', 'commons:Quality images'],
    ['commons:lakes%2c rivers', 'commons:Lakes%2C rivers'],
    ['commons:FEATURED', 'commons:featured'],
  ])('%s', (text, form) => {
    expect(written(text)).toBe(form)
    expect(written(form)).toBe(form)
  })

  test('addresses on a site whose first source is feeds', () => {
    expect(written('rss:https://example.com/feed', { first: 'rss' })).toBe(
      'https://example.com/feed',
    )
    expect(written('https://example.com/feed', { first: 'rss' })).toBe('https://example.com/feed')
  })

  test('a category that reads like a source keeps its prefix', () => {
    expect(written('commons:Reddit:pics', { first: 'commons' })).toBe('commons:Reddit:pics')
  })
})

test('the comma of a category is decoded for the source', () => {
  expect(readSubfeed('commons:Lakes%2C rivers', naming).name).toBe('Lakes, rivers')
  expect(readSubfeed('rss:https://example.com/a%2Cb', naming).name).toBe(
    'https://example.com/a%2Cb',
  )
})

test.each([
  'nowhere:pics',
  'p',
  'pics@lemmy.world',
  'mastodon:cats',
  'mastodon:#cats@localhost',
  'mastodon:#cats@10.0.0.1',
  'mastodon:#cats@127.0.0.1:9090',
  'mastodon:#cats@host.example/path',
  'bluesky:cats',
  'bluesky:@nodots',
  'bluesky:https://bsky.app/search?q=cats',
  'rss:ftp://example.com/feed',
  'rss:http://localhost/feed',
  'rss:http://user@example.com/feed',
  'rss:http://169.254.169.254/latest',
  `rss:https://example.com/${'x'.repeat(2000)}`,
  'commons:a|b',
  'commons:',
])('%s is refused', (text) => {
  expect(() => readSubfeed(text, naming)).toThrow(SubfeedRefused)
})

test('a source that the site does not offer is refused by its name', () => {
  expect(() => written('bluesky:@bsky.app', { offered: ['reddit'] })).toThrow(/bluesky/)
})

test('a normalised name is normalised to itself', () => {
  const spelling = fc.oneof(
    fc.string({ maxLength: 60 }),
    fc
      .tuple(fc.constantFrom(...sourceIds), fc.string({ maxLength: 60 }))
      .map((pair) => pair.join(':')),
    fc.webUrl().map((url) => `rss:${url}`),
    fc.stringMatching(/^commons:[A-Za-z_ %:0-9]{1,40}$/),
  )
  fc.assert(
    fc.property(spelling, fc.constantFrom(...sourceIds), (text, first) => {
      const change = { ...naming, first }
      try {
        const once = readSubfeed(text, change)
        const again = readSubfeed(once.written, change)
        expect(again).toEqual(once)
      } catch (error) {
        if (!(error instanceof SubfeedRefused)) throw error
        if (/again/.test(error.message)) throw error
      }
    }),
    { numRuns: 500 },
  )
})
