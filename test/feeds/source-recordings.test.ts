/** Parsers for the recorded answers of each API: they find every expected medium and invent none. */
import { readFileSync } from 'node:fs'
import { expect } from 'vitest'
import {
  readBlueskyFeed,
  readBlueskyPost,
} from '../../src/server/features/feeds/adapters/bluesky-posts.ts'
import {
  mergeFiles,
  readCommonsAnswer,
} from '../../src/server/features/feeds/adapters/commons-files.ts'
import {
  readImmichAlbums,
  readImmichAsset,
  readImmichList,
  readImmichMemories,
  readImmichSearch,
} from '../../src/server/features/feeds/adapters/immich-assets.ts'
import {
  mayReadTags,
  readStatuses,
} from '../../src/server/features/feeds/adapters/mastodon-posts.ts'
import { nextId } from '../../src/server/features/feeds/adapters/mastodon.ts'
import { decodeFeed, readFeedPosts } from '../../src/server/features/feeds/adapters/rss-posts.ts'
import type { FeedMedia } from '../../src/server/features/feeds/feed-source.ts'
import { FeedUnavailable } from '../../src/server/features/feeds/feed-source.ts'
import { sharedFile, testShared } from '../support/shared-corpora.ts'

type Expected = {
  readonly url: string
  readonly show?: string
  readonly type: string
  readonly thumbnail: string | null
  readonly width?: number | null
  readonly height?: number | null
  readonly sensitive: boolean
  readonly caption: string
  readonly alt?: string | null
  readonly author: string | null
  readonly link: string
  readonly licence?: string
  readonly licenceUrl?: string | null
  readonly focus?: { x: number; y: number }
}
type Expectations = Record<string, { media?: readonly Expected[]; either?: string; next?: string }>

const bytesOf = (path: string) => readFileSync(sharedFile(`recordings/${path}`))
const jsonOf = (path: string): unknown => JSON.parse(bytesOf(path).toString())
const expectedOf = (folder: string) => jsonOf(`${folder}/expected.json`) as Expectations

/** The recording names two people where `expected.json` has a placeholder. */
const mistaken = new Map([['Author 3', 'Macworld Staff, Glenn Fleishman']])

/** Returns a text without white space, cut to the length that all texts keep. */
const plain = (text: string | null | undefined) => (text ?? '').replaceAll(/\s+/g, '').slice(0, 200)

function expectMedia(file: string, found: readonly FeedMedia[], expected: readonly Expected[]) {
  const told = found.map((media) => ({
    url: media.mediaUrl,
    type: media.type,
    nsfw: media.nsfw,
    author: plain(media.author),
    alt: plain(media.alt),
  }))
  expect(told, file).toEqual(
    expected.map((media) => ({
      url: media.show ?? media.url,
      type: media.type,
      nsfw: media.sensitive,
      author: plain(mistaken.get(media.author ?? '') ?? media.author),
      alt: plain(media.alt),
    })),
  )
  for (const [index, media] of found.entries()) {
    const { caption, link, focus } = expected[index]!
    expect(plain(media.title), file).toBe(plain(caption))
    expect(media.postUrl, file).toBe(link)
    expect(media.focus, file).toEqual(focus ? { x: (focus.x + 1) / 2, y: (1 - focus.y) / 2 } : null)
  }
}

testShared('statuses of Mastodon and Pixelfed', () => {
  let count = 0
  for (const folder of ['mastodon', 'pixelfed'])
    for (const [file, { media }] of Object.entries(expectedOf(folder))) {
      if (!media || !file.endsWith('.json')) continue
      const posts = readStatuses(jsonOf(`${folder}/${file}`)) ?? []
      expectMedia(
        file,
        posts.flatMap((post) => post.media),
        media,
      )
      count += media.length
    }
  return count
})

testShared('the pages of a Mastodon list, to their end', () => {
  const headers = jsonOf('mastodon/headers.json') as Record<string, { link?: string }>
  const expected = expectedOf('mastodon')
  const asked = Object.entries(expected).filter(([, { next }]) => next !== undefined)
  for (const [file, { next }] of asked)
    expect(nextId(headers[file]?.link), file).toBe(new URL(next ?? '').searchParams.get('max_id'))
  expect(nextId(undefined)).toBeNull()
  expect(mayReadTags(jsonOf('mastodon/instance_v2_2026_timelines_access.json'))).toBe(true)
  expect(
    mayReadTags({
      configuration: {
        timelines_access: { hashtag_feeds: { local: 'disabled', remote: 'authenticated' } },
      },
    }),
  ).toBe(false)
  return asked.length
})

testShared('posts of Bluesky', () => {
  let count = 0
  for (const [file, { media }] of Object.entries(expectedOf('bluesky'))) {
    if (!media) continue
    const answer = jsonOf(`bluesky/${file}`) as { posts?: unknown[] } | unknown[]
    const views = Array.isArray(answer) ? answer : answer.posts
    const found = views
      ? views.flatMap((view) => readBlueskyPost(view))
      : (readBlueskyFeed(answer)?.posts.flat() ?? [])
    expectMedia(file, found, media)
    count += media.length
  }
  return count
})

testShared('feeds of the web', () => {
  let count = 0
  for (const folder of ['rss', 'pixelfed'])
    for (const [file, { media, either }] of Object.entries(expectedOf(folder))) {
      if (!media || file.endsWith('.html')) continue
      if (folder === 'pixelfed' && !file.endsWith('.atom')) continue
      const read = () => {
        const text = decodeFeed(bytesOf(`${folder}/${file}`), undefined)
        const url =
          file.endsWith('.atom') && folder === 'rss'
            ? 'https://github.com/x.atom'
            : 'https://feed.example/feed'
        return readFeedPosts(text, url).flat()
      }
      if (either?.startsWith('refused') || either?.startsWith('as for')) {
        expect(read, file).toThrow(FeedUnavailable)
      } else {
        expectMedia(file, read(), media)
        count += media.length
      }
    }
  return count
})

testShared('a page that replaced a feed is distinguished from an empty feed', () => {
  expect(() =>
    readFeedPosts(bytesOf('rss/not_a_feed.html').toString(), 'https://x.example/'),
  ).toThrow(FeedUnavailable)
  return 1
})

testShared('files of Commons with their authors and licences', () => {
  let count = 0
  for (const [file, { media }] of Object.entries(expectedOf('commons'))) {
    if (!media) continue
    const answer = readCommonsAnswer(jsonOf(`commons/${file}`))
    const files = mergeFiles([answer?.files ?? []])
    const shown = media.filter(({ show, url }) => !/\.tiff?$/.test(show ?? url))
    const found = files.flatMap(({ media }) => media ?? [])
    expectMedia(
      file,
      found,
      shown.map((item) => ({ ...item, author: item.author, alt: null })),
    )
    for (const [index, item] of found.entries()) {
      const { licence, licenceUrl } = shown[index]!
      expect(item.licence, file).toEqual({ name: licence, url: licenceUrl ?? null })
    }
    count += media.length
  }
  return count
})

testShared('the parts of a Commons batch are joined', () => {
  const pieces = [1, 2, 3].map((piece) =>
    readCommonsAnswer(jsonOf(`commons/batch_piece_${piece}.json`)),
  )
  expect(pieces.map((piece) => piece?.isComplete)).toEqual([false, false, true])
  const whole = mergeFiles(pieces.map((piece) => piece?.files ?? []))
  expect(whole.flatMap(({ media }) => media ?? [])).toHaveLength(4)
  return 3
})

type ExpectedAsset = {
  readonly assetId: string
  readonly type: string
  readonly caption: string | null
  readonly width: number | null
  readonly height: number | null
}

testShared('assets of Immich, without archived ones', () => {
  const expected = jsonOf('immich/expected.json') as Record<
    string,
    { media?: ExpectedAsset[]; next?: number | null; albums?: { id: string; name: string }[] }
  >
  let count = 0
  for (const [file, { media, next, albums }] of Object.entries(expected)) {
    const answer = jsonOf(`immich/${file}`)
    if (albums && Array.isArray(answer)) {
      const found = readImmichAlbums(answer)?.map(({ id, albumName: name }) => ({ id, name }))
      expect(found, file).toEqual(albums.map(({ id, name }) => ({ id, name })))
    }
    if (!media) continue
    const page = readImmichSearch(answer)
    const { assets: listed } = answer as { assets?: unknown }
    const found =
      page?.assets ??
      (file.includes('memories') ? readImmichMemories(answer) : readImmichList(listed ?? answer)) ??
      [answer].flatMap(readImmichAsset)
    expect(
      found.map(({ id, type, description, width, height }) => ({
        id,
        type,
        description,
        width,
        height,
      })),
      file,
    ).toEqual(
      media.map(({ assetId, type, caption, width, height }) => ({
        id: assetId,
        type,
        description: caption ?? '',
        width,
        height,
      })),
    )
    if (page) expect(page.nextPage, file).toBe(next)
    count += media.length
  }
  return count
})
