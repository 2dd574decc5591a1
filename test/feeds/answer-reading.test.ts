/** Answers of other sites are parsed in a separate process and within limits, whatever they contain. */
import { describe, expect, test } from 'vitest'
import { readCommonsAnswer } from '../../src/server/features/feeds/adapters/commons-files.ts'
import { readStatuses } from '../../src/server/features/feeds/adapters/mastodon-posts.ts'
import { decodeFeed, readFeedPosts } from '../../src/server/features/feeds/adapters/rss-posts.ts'
import { FeedUnavailable } from '../../src/server/features/feeds/feed-source.ts'
import { readAnswer } from '../../src/server/features/feeds/reading/answer-reader.ts'
import { slideOfMedia } from '../../src/server/features/sessions/fill/fill.ts'
import { hardFeeds } from '../support/hard-feeds.ts'

const answerOf = (text: string) => ({
  status: 200,
  headers: {},
  url: 'https://feed.example/feed',
  bytes: Buffer.from(text),
})
const entry = (number: number) =>
  `<item><title>Entry ${number}</title><guid>${number}</guid>
   <enclosure url="https://feed.example/${number}.jpg" type="image/jpeg"/></item>`
const feedOf = (items: string) => `<rss version="2.0"><channel>${items}</channel></rss>`

describe('a feed without a declared encoding', () => {
  test('is UTF-8 where it can be, else windows-1252', () => {
    const text = '<rss><channel><title>Caf\u00e9 \u201cLe Zinc\u201d</title></channel></rss>'
    expect(decodeFeed(Buffer.from(text), undefined)).toBe(text)
    const bytes = Buffer.from(
      text.replace('\u201c', '\u0093').replace('\u201d', '\u0094'),
      'latin1',
    )
    expect(decodeFeed(bytes, 'application/rss+xml')).toBe(text)
    expect(decodeFeed(bytes, 'application/rss+xml; charset=iso-8859-1')).toBe(text)
  })

  test('keeps what it declares, right or wrong', () => {
    const bytes = Buffer.from('<?xml version="1.0" encoding="utf-8"?><rss>\u00e9</rss>', 'latin1')
    expect(decodeFeed(bytes, undefined)).toContain('\ufffd')
  })
})

test('replies are counted by either name', () => {
  const statusWith = (counts: object) => {
    const picture = { type: 'image', url: 'https://pixelfed.example/a.jpg' }
    const [post] = readStatuses([{ id: '1', ...counts, media_attachments: [picture] }]) ?? []
    return post?.media[0]?.commentCount
  }
  expect(statusWith({ reply_count: 3 })).toBe(3)
  expect(statusWith({ replies_count: 4, reply_count: 3 })).toBe(4)
  expect(statusWith({})).toBe(0)
})

test('a file of Commons without an artist has no author, and its attribution in the credit', () => {
  const fileWith = (words: Record<string, string>) => {
    const extmetadata = Object.fromEntries(
      Object.entries(words).map(([name, value]) => [name, { value }]),
    )
    const info = { url: 'https://upload.example/a.jpg', mime: 'image/jpeg', extmetadata }
    const page = { title: 'File:A.jpg', index: 1, imageinfo: [info] }
    const media = readCommonsAnswer({ query: { pages: [page] } })?.files[0]?.media
    if (!media) throw new Error('no media')
    return { author: media.author, credit: slideOfMedia(media).credit?.author }
  }
  expect(fileWith({ Artist: 'A painter', Attribution: 'A museum' })).toEqual({
    author: 'A painter',
    credit: 'A painter',
  })
  expect(fileWith({ Attribution: '<b>A museum</b>', Credit: 'Own work' })).toEqual({
    author: '',
    credit: 'A museum',
  })
  expect(fileWith({ Credit: 'Own work' })).toEqual({ author: '', credit: null })
})

describe('a long list', () => {
  test('is cut before anything in it is processed', () => {
    const picture = { type: 'image', url: 'https://far.example/a.jpg' }
    const status = (id: number) => ({ id, media_attachments: [picture] })
    const statuses = Array.from({ length: 300 }, (_, id) => status(id))
    expect(readStatuses(statuses)).toHaveLength(80)
    const entries = Array.from({ length: 700 }, (_, number) => entry(number)).join('')
    expect(readFeedPosts(feedOf(entries), 'https://feed.example/feed')).toHaveLength(500)
  })
})

describe('the reading process', () => {
  test('reads one answer after the other', async () => {
    const posts = await readAnswer('feed', answerOf(feedOf(entry(1) + entry(2))))
    expect(posts.map(([media]) => media?.mediaUrl)).toEqual([
      'https://feed.example/1.jpg',
      'https://feed.example/2.jpg',
    ])
    expect(await readAnswer('statuses', answerOf('{}'))).toBeNull()
  })

  test('reports the reader’s error', async () => {
    const page = readAnswer('statuses', answerOf('<!doctype html><title>Log in</title>'))
    await expect(page).rejects.toMatchObject({
      reason: 'unreadable',
      words: 'answered with a web page instead of data',
    })
    const entities = readAnswer('feed', answerOf('<!DOCTYPE rss [<!ENTITY a "b">]><rss/>'))
    await expect(entities).rejects.toThrow(FeedUnavailable)
  })

  test.each(Object.entries(hardFeeds))(
    '%s: read or refused, and the next one is read',
    async (_, hard) => {
      const { kind, text } = hard()
      const read = await readAnswer(kind, answerOf(text)).catch((error: unknown) => error)
      if (read instanceof Error) expect(read).toMatchObject({ reason: 'unreadable' })
      else expect(JSON.stringify(read).length).toBeLessThan(5_000_000)
      expect(await readAnswer('feed', answerOf(feedOf(entry(1))))).toHaveLength(1)
    },
  )
})
