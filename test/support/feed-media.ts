/** Expectations for every media of a feed, and sample media for its consumers. */
import { expect } from 'vitest'
import type { FeedMedia } from '../../src/server/features/feeds/feed-source.ts'

export function expectFeedMedia(media: FeedMedia): void {
  for (const url of [media.mediaUrl, media.postUrl, media.thumbnail]) {
    if (url === null) continue
    expect(url).toMatch(/^https?:\/\/[^/]/)
    expect(url).not.toContain('&amp;')
  }
  const path = new URL(media.mediaUrl).pathname
  expect(path).toMatch(extension[media.type])
  for (const text of [media.postId, media.title, media.author, media.subfeed]) {
    expect(text.isWellFormed() && !text.includes('\u0000')).toBe(true)
  }
  expect(media.postId).not.toBe('')
  expect(media.subfeed).toBe(media.subfeed.toLowerCase())
  for (const count of [media.score, media.commentCount, media.createdAtUnixS])
    expect(Number.isSafeInteger(count)).toBe(true)
  expect(media.width === null).toBe(media.height === null)
  for (const size of [media.width, media.height]) if (size !== null) expect(size).toBeGreaterThan(0)
}

const extension = {
  image: /\.(jpe?g|png|webp)$/,
  gif: /\.gif$/,
  video: /\.(mp4|webm)$/,
}

export function feedMedia(changes: Partial<FeedMedia> = {}): FeedMedia {
  return {
    postId: 'post',
    postUrl: 'https://feed.example/post',
    title: 'A title',
    author: 'someone',
    subfeed: 'pics',
    mediaUrl: 'https://pics.example/picture.jpg',
    thumbnail: null,
    type: 'image',
    width: null,
    height: null,
    score: 1,
    commentCount: 0,
    createdAtUnixS: 1_776_105_848,
    nsfw: false,
    spoiler: false,
    alt: null,
    licence: null,
    focus: null,
    source: null,
    ...changes,
  }
}
