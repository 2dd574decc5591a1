import { readdirSync } from 'node:fs'
import { expect, test } from 'vitest'
import { readLemmyListing } from '../../src/server/features/feeds/adapters/lemmy-posts.ts'
import { expectFeedMedia } from '../support/feed-media.ts'
import { newPostView, oldPostView } from '../support/lemmy-server.ts'
import { readRecording } from '../support/reddit-server.ts'
import { sharedFile, testShared } from '../support/shared-corpora.ts'

testShared('every recorded answer of Lemmy is read or known to be invalid', () => {
  const files = readdirSync(sharedFile('recordings/lemmy'))
  for (const file of files) {
    const listing = readLemmyListing(JSON.parse(readRecording(`lemmy/${file}`)))
    if (!file.startsWith('v3_post_list')) expect(listing, file).toBeNull()
    else
      expect(listing).toMatchObject({
        nextPage: 'P308c595',
        posts: [
          {
            postId: '50908658',
            postUrl: 'https://lemmy.world/post/50908658',
            title: 'This HAS to be satire',
            author: 'cannedtuna',
            subfeed: 'microblogmemes',
            mediaUrl: 'https://lemmy.world/pictrs/image/4f25b9b2.png',
            thumbnail: 'https://lemmy.world/pictrs/image/f3440adf.png',
            type: 'image',
            width: null,
            height: null,
            score: 718,
            commentCount: 285,
            createdAtUnixS: 1787257899,
            nsfw: false,
            spoiler: false,
          },
        ],
      })
  }
  return files.length
})

test('a post of PieFed has its title under another name', () => {
  const posts = [oldPostView(3, { name: undefined, title: 'A lake' })]
  expect(readLemmyListing({ posts, next_page: null })?.posts).toMatchObject([{ title: 'A lake' }])
})

test('a post of 1.0 has the same content under other names', () => {
  const listing = readLemmyListing({ items: [newPostView(3)], next_page: 'abc' })
  expect(listing).toMatchObject({
    nextPage: 'abc',
    posts: [
      {
        postId: '3',
        postUrl: 'https://lemmy.example/post/3',
        title: 'Title 3',
        author: 'bob@other.example',
        subfeed: 'pictures@other.example',
        mediaUrl: 'https://lemmy.example/pictrs/image/3.png',
        thumbnail: 'https://lemmy.example/pictrs/image/3-small.png',
        type: 'image',
        width: 800,
        height: 600,
        score: 7,
        commentCount: 5,
        createdAtUnixS: 1787257899,
        nsfw: false,
        spoiler: false,
      },
    ],
  })
  listing?.posts.forEach((media) => media && expectFeedMedia(media))
})

test('the search of 1.0 is read in its current and its earlier form', () => {
  const mixed = {
    search: [
      { type_: 'comment', comment: {} },
      { type_: 'post', ...newPostView(1) },
    ],
  }
  expect(idsOf(mixed)).toEqual([null, '1'])
  // lemmy-js-client 1.0, SearchResponse: lists by kind, and null when there is no next page.
  expect(idsOf({ posts: [newPostView(2)], comments: [], persons: [], next_page: null })).toEqual([
    '2',
  ])
})

test.each<[string, Record<string, unknown>, unknown]>([
  ['a link to an article', { url: 'https://news.example/story' }, null],
  ['no link at all', { url: undefined }, null],
  ['a link that is odd', { url: 7 }, null],
  [
    'a file without an extension',
    { url: 'https://x.example/f', url_content_type: 'image/gif' },
    'gif',
  ],
  [
    'a page that calls itself one',
    { url: 'https://x.example/f', url_content_type: 'text/html' },
    null,
  ],
  ['a video', { url: 'https://x.example/f.mp4', url_content_type: null }, 'video'],
  [
    'a clip on another site',
    { url: 'https://x.example/w', embed_video_url: 'https://x.example/c.mp4' },
    'video',
  ],
  [
    'a player on another site',
    { url: 'https://x.example/w', embed_video_url: 'https://x.example/embed' },
    null,
  ],
  ['a picture that its moderators removed', { removed: true }, null],
  ['a picture that its author deleted', { deleted: true }, null],
  ['a picture in the house', { url: 'http://127.0.0.1/a.png' }, null],
])('%s', (_, changes, type) => {
  const bare = { url_content_type: undefined, ...changes }
  for (const view of [oldPostView(1, bare), newPostView(1, bare)]) {
    const [media] = readLemmyListing({ posts: [view] })?.posts ?? []
    expect(media?.type ?? null).toBe(type)
  }
})

test('a post is adult if it or its community says so', () => {
  const community = { ...oldPostView(1).community, nsfw: true }
  const posts = [oldPostView(1), oldPostView(2, { nsfw: true }), { ...oldPostView(3), community }]
  const listing = readLemmyListing({ posts })
  expect(listing?.posts.map((media) => media?.nsfw)).toEqual([false, true, true])
})

test('the size of the thumbnail is not taken for that of the picture', () => {
  const view = newPostView(1)
  const details = { ...view.image_details, link: 'https://lemmy.example/pictrs/image/1-small.png' }
  const listing = readLemmyListing({ items: [{ ...view, image_details: details }] })
  expect(listing?.posts).toMatchObject([{ width: null, height: null }])
})

test('times without a zone are UTC', () => {
  const listing = readLemmyListing({
    posts: [
      oldPostView(1, { published: '2023-06-11T10:01:21.123456' }),
      oldPostView(2, { published: '2023-06-11T12:01:21+02:00' }),
      oldPostView(3, { published: 'yesterday' }),
    ],
  })
  const seconds = Date.UTC(2023, 5, 11, 10, 1, 21) / 1000
  expect(listing?.posts.map((media) => media?.createdAtUnixS)).toEqual([seconds, seconds, 0])
})

test('one odd post does not cost the others, and keeps its position', () => {
  const posts = [null, 7, {}, { post: {} }, { post: { id: 'one' } }, oldPostView(6)]
  expect(idsOf({ posts })).toEqual([null, null, null, null, null, '6'])
  const bare = { post: { id: 1, url: 'https://x.example/a.png' } }
  expect(readLemmyListing({ posts: [bare] })?.posts).toMatchObject([
    { postId: '1', title: '', author: '', subfeed: '', postUrl: 'https://x.example/a.png' },
  ])
})

test.each([null, 7, 'text', [], {}, { posts: 'none' }, { error: 'not_found' }])(
  '%j is not a listing',
  (answer) => expect(readLemmyListing(answer)).toBeNull(),
)

function idsOf(answer: unknown) {
  return readLemmyListing(answer)?.posts.map((media) => media?.postId ?? null)
}
