import { readdirSync } from 'node:fs'
import { expect } from 'vitest'
import { readRedditListing } from '../../src/server/features/feeds/adapters/reddit-posts.ts'
import type { FeedMedia } from '../../src/server/features/feeds/feed-source.ts'
import { expectFeedMedia } from '../support/feed-media.ts'
import { readRecording } from '../support/reddit-server.ts'
import { sharedFile, testShared } from '../support/shared-corpora.ts'

testShared('every recorded listing contains media that can be shown', () => {
  let postCount = 0
  const counts: Record<string, number> = {}
  for (const file of readdirSync(sharedFile('recordings/reddit'))) {
    const recording = `reddit/${file}`
    const raw = JSON.parse(readRecording(recording))
    const first = Array.isArray(raw) ? raw[0] : raw
    const listing = readRedditListing(raw)
    expect(listing?.posts, file).toHaveLength(first.data.children.length)
    expect(listing?.after).toBe(first.data.after)
    postCount += first.data.children.length
    const media = mediaOf(raw)
    media.forEach(expectFeedMedia)
    counts[file] = media.length
  }
  expect(counts).toEqual({
    'all_new_before_cursor.json': 4,
    'escaped_subreddit_posts.json': 1,
    'popular_hot_2026a_gallery_video.json': 54,
    'search_all_relevance_2016.json': 0,
    'single_crosspost_nsfw.json': 0,
    'single_gallery_post.json': 4,
    'single_reddit_video_post.json': 1,
  })
  return postCount
})

testShared('a gallery has the order of gallery_data, with its sizes and its animation', () => {
  const media = mediaOf(JSON.parse(readRecording('reddit/single_gallery_post.json')))
  const [order] = JSON.parse(readRecording('reddit/single_gallery_post.json'))
  const { gallery_data: gallery } = order.data.children[0].data
  expect(media.map(({ mediaUrl }) => new URL(mediaUrl).pathname.slice(1, -4))).toEqual(
    gallery.items.map(({ media_id }: { media_id: string }) => media_id),
  )
  expect(media.map(({ type }) => type)).toEqual(['image', 'image', 'gif', 'image'])
  expect(media[2]?.mediaUrl).toBe('https://i.redd.it/vkm62gm6i3c51.gif')
  for (const { postId, width, height, thumbnail } of media) {
    expect({ postId, width, height }).toEqual({ postId: 'huw6vs', width: 128, height: 128 })
    expect(thumbnail).toContain('width=108')
  }
  return media.length
})

testShared('videos are their fallback files, with their size and a still of them', () => {
  const media = [
    ...mediaOf(JSON.parse(readRecording('reddit/popular_hot_2026a_gallery_video.json'))),
    ...mediaOf(JSON.parse(readRecording('reddit/single_reddit_video_post.json'))),
  ].filter(({ type }) => type === 'video')
  expect(media).toHaveLength(9)
  for (const { mediaUrl, thumbnail, width, height } of media) {
    expect(mediaUrl).toMatch(/^https:\/\/v\.redd\.it\/\w+\/(CMAF|DASH)_\d+\.mp4\?source=fallback$/)
    expect(thumbnail).toMatch(/^https:\/\/external-preview\.redd\.it\//)
    expect(Number(width) * Number(height)).toBeGreaterThan(0)
  }
  return media.length
})

testShared('adult posts and spoilers are marked as such', () => {
  const all = [
    ...mediaOf(JSON.parse(readRecording('reddit/all_new_before_cursor.json'))),
    ...mediaOf(JSON.parse(readRecording('reddit/popular_hot_2026a_gallery_video.json'))),
  ]
  expect(all.filter(({ nsfw }) => nsfw).map(({ postId }) => postId)).toEqual([
    'kzj68p',
    'kzj68o',
    'kzj68m',
  ])
  expect(all.filter(({ spoiler }) => spoiler).map(({ postId }) => postId)).toEqual(['1skef59'])
  return all.length
})

testShared('an escaped listing has the same URLs as an unescaped one', () => {
  const [media] = mediaOf(JSON.parse(readRecording('reddit/escaped_subreddit_posts.json')))
  expect(media).toMatchObject({
    mediaUrl: 'https://i.imgur.com/LrN2mPw.jpg',
    width: 720,
    height: 859,
    thumbnail: expect.stringContaining('?width=320&crop=smart&auto=webp&s='),
  })
  return 1
})

function mediaOf(answer: unknown): FeedMedia[] {
  return readRedditListing(answer)?.posts.flatMap(({ media }) => media) ?? []
}
