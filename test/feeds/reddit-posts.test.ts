import { expect, test } from 'vitest'
import { readRedditListing } from '../../src/server/features/feeds/adapters/reddit-posts.ts'
import type { FeedMedia } from '../../src/server/features/feeds/feed-source.ts'
import { expectFeedMedia } from '../support/feed-media.ts'
import { redditListing, redditPicture, redditText } from '../support/reddit-server.ts'

test('a picture has the fields of its post', () => {
  const preview = {
    enabled: true,
    images: [
      {
        source: { url: 'https://preview.redd.it/one.jpeg?s=0', width: 3024, height: 4032 },
        resolutions: [108, 216, 320, 640].map((width) => ({
          url: `https://preview.redd.it/one.jpeg?width=${width}&amp;s=1`,
          width,
          height: width,
        })),
      },
    ],
  }
  const changes = {
    title: 'Salt &amp; pepper &lt;3\u0000\n',
    over_18: true,
    spoiler: true,
    preview,
  }
  expect(mediaOf(redditListing([redditPicture('one', changes)]))).toEqual([
    {
      postId: 'one',
      postUrl: 'https://www.reddit.com/r/Pics/comments/one/title/',
      title: 'Salt & pepper <3',
      author: 'author_of_one',
      subfeed: 'pics',
      mediaUrl: 'https://i.redd.it/one.jpeg',
      thumbnail: 'https://preview.redd.it/one.jpeg?width=320&s=1',
      type: 'image',
      width: 3024,
      height: 4032,
      score: 12,
      commentCount: 3,
      createdAtUnixS: 1776105848,
      nsfw: true,
      spoiler: true,
      alt: null,
      licence: null,
      focus: null,
      source: null,
    },
  ])
})

test('a page of one picture at imgur is that picture, and a film at redgifs is found beside its still', () => {
  const still = 'https://media.redgifs.com/CalmLake-poster.jpg'
  const posts = [
    redditPicture('page', { url: 'https://imgur.com/LrN2mPw' }),
    redditPicture('album', { url: 'https://imgur.com/a/LrN2mPw' }),
    redditPicture('film', {
      url: 'https://www.redgifs.com/watch/calmlake',
      secure_media: { oembed: { thumbnail_url: still } },
    }),
    redditPicture('liar', {
      url: 'https://www.redgifs.com/watch/other',
      secure_media: { oembed: { thumbnail_url: 'https://evilredgifs.com/A-poster.jpg' } },
    }),
  ]
  expect(mediaOf(redditListing(posts))).toMatchObject([
    { postId: 'page', type: 'image', mediaUrl: 'https://i.imgur.com/LrN2mPw.jpg' },
    {
      postId: 'film',
      type: 'video',
      mediaUrl: 'https://media.redgifs.com/CalmLake.mp4',
      thumbnail: still,
    },
  ])
})

// Crossposts with media were not recorded. The parent has the fields of any post
// (reddit/single_crosspost_nsfw.json).
test('a crosspost shows the media of its last parent, under its own name', () => {
  const parents = [
    redditPicture('far'),
    redditPicture('near', { over_18: true, subreddit: 'Other', title: 'Their title' }),
  ]
  const crosspost = {
    ...redditText('cross'),
    url: '/r/other/comments/near/title/',
    crosspost_parent_list: parents,
  }
  expect(mediaOf(redditListing([crosspost]))).toMatchObject([
    {
      postId: 'cross',
      title: 'Title of cross',
      subfeed: 'pics',
      mediaUrl: 'https://i.redd.it/near.jpeg',
      nsfw: true,
    },
  ])
})

test('a crosspost without media in its parents shows its own picture', () => {
  const post = redditPicture('own', { crosspost_parent_list: [null, redditText('empty')] })
  expect(urlsOf(redditListing([post]))).toEqual(['https://i.redd.it/own.jpeg'])
})

const galleryEntry = (id: string) => ({
  status: 'valid',
  e: 'Image',
  m: 'image/jpg',
  p: [],
  s: { x: 1, y: 1, u: `https://preview.redd.it/${id}.jpg?width=1&format=pjpg&auto=webp&s=1` },
  id,
})

test('failed and withdrawn items of a gallery are left out', () => {
  const post = {
    ...redditText('gallery'),
    is_gallery: true,
    gallery_data: {
      items: ['b', 'failed', 'late', 'unprocessed', 'taken', 'unknown', 'a', 'film'].map(
        (media_id) => ({
          media_id,
          is_deleted: media_id === 'taken',
        }),
      ),
    },
    media_metadata: {
      a: galleryEntry('a'),
      b: galleryEntry('b'),
      taken: galleryEntry('taken'),
      failed: { status: 'failed' },
      late: { ...galleryEntry('late'), status: 'failed' },
      unprocessed: { status: 'unprocessed' },
      // Videos in galleries have only playlists, no file.
      film: { status: 'valid', e: 'RedditVideo', dashUrl: 'https://v.redd.it/x', x: 1, y: 1 },
    },
  }
  expect(urlsOf(redditListing([post])).map((url) => url.slice(24, 29))).toEqual(['b.jpg', 'a.jpg'])
})

test('a gallery without its order, and pictures inside a text, keep their order', () => {
  const media_metadata = {
    a: galleryEntry('a'),
    'emote|t5_1|2': { ...galleryEntry('emote'), s: { u: 'https://www.redditstatic.com/e.png' } },
    b: galleryEntry('b'),
  }
  const posts = [
    { ...redditText('gone'), is_gallery: true, gallery_data: null, media_metadata },
    { ...redditText('lost'), is_gallery: true, gallery_data: { items: null }, media_metadata },
    { ...redditText('said'), media_metadata },
    { ...redditText('bare'), is_gallery: true, gallery_data: null, media_metadata: null },
  ]
  const paths = urlsOf(redditListing(posts)).map((url) => new URL(url).pathname)
  expect(paths).toEqual(['/a.jpg', '/b.jpg', '/a.jpg', '/b.jpg', '/a.jpg', '/b.jpg'])
})

test('previews are used for pages that show a picture or a clip, not for articles', () => {
  const image = {
    source: { url: 'https://external-preview.redd.it/x.jpg?s=1', width: 9, height: 9 },
  }
  const link = (id: string, preview: object) =>
    redditPicture(id, { url: `https://site.example/${id}`, preview })
  const listing = redditListing([
    link('article', { enabled: false, images: [image] }),
    link('picture', { enabled: true, images: [image] }),
    link('moving', {
      enabled: true,
      images: [
        {
          ...image,
          variants: { gif: { source: { url: 'https://external-preview.redd.it/y.gif?s=2' } } },
        },
      ],
    }),
    link('clip', {
      enabled: true,
      images: [image],
      // The shape of reddit_video, with another name.
      reddit_video_preview: { fallback_url: 'https://v.redd.it/z/DASH_480.mp4', width: 4 },
    }),
  ])
  expect(mediaOf(listing).map(({ type, mediaUrl }) => [type, mediaUrl])).toEqual([
    ['image', 'https://external-preview.redd.it/x.jpg?s=1'],
    ['gif', 'https://external-preview.redd.it/y.gif?s=2'],
    ['video', 'https://v.redd.it/z/DASH_480.mp4'],
  ])
})

test('removed posts, and videos that are not ready, show nothing', () => {
  const video = (transcoding_status: string) => ({
    reddit_video: { fallback_url: 'https://v.redd.it/a/DASH_240.mp4', transcoding_status },
  })
  const posts = [
    redditPicture('removed', { removed_by_category: 'moderator' }),
    { ...redditText('early'), secure_media: video('transcoding') },
    { ...redditText('ready'), media: video('completed') },
  ]
  expect(mediaOf(redditListing(posts)).map(({ postId }) => postId)).toEqual(['ready'])
})

test('one odd post, or one odd field, does not cost the others', () => {
  const oddities: unknown[] = [null, 7, 'post', [], {}, { id: 7 }, { id: '' }, { id: null }]
  const listing = redditListing([
    ...(oddities as object[]),
    redditPicture('odd', {
      title: 5,
      author: null,
      score: 'many',
      over_18: 'yes',
      thumbnail: {},
      preview: { images: [{ source: 'none' }], enabled: 1 },
      gallery_data: 'none',
      media_metadata: ['none'],
      secure_media: { reddit_video: { fallback_url: 7 } },
      crosspost_parent_list: { length: 1 },
      created_utc: 1e300,
      permalink: 12,
    }),
    redditPicture('good'),
  ])
  listing.data.children.push({ kind: 't1', data: redditPicture('comment') })
  ;(listing.data.children as unknown[]).push(null, 'child', {})
  const media = mediaOf(listing)
  expect(media.map(({ postId }) => postId)).toEqual(['odd', 'good'])
  media.forEach(expectFeedMedia)
  expect(media[0]).toMatchObject({
    title: '',
    author: '',
    score: 0,
    createdAtUnixS: 0,
    nsfw: false,
  })
})

test('a picture on this machine or its network is never used', () => {
  const urls = ['http://127.0.0.1/a.jpg', 'http://10.0.0.8/a.jpg', 'http://localhost:5000/a.jpg']
  const posts = urls.map((url, index) => redditPicture(`p${index}`, { url }))
  expect(urlsOf(redditListing(posts))).toEqual([])
})

test.each([null, undefined, 7, 'text', [], {}, { kind: 'Listing' }, { error: 404 }, [{}]])(
  '%j is not a listing',
  (answer) => expect(readRedditListing(answer)).toBeNull(),
)

function mediaOf(answer: unknown): FeedMedia[] {
  return readRedditListing(answer)?.posts.flatMap(({ media }) => media) ?? []
}

function urlsOf(answer: unknown): string[] {
  return mediaOf(answer).map(({ mediaUrl }) => mediaUrl)
}
