/** Parsers of other sites' answers, by kind. They run in a separate process. */
import { readBlueskyFeed } from '../adapters/bluesky-posts.ts'
import { readCommonsAnswer } from '../adapters/commons-files.ts'
import {
  readImmichAccount,
  readImmichAlbums,
  readImmichList,
  readImmichMemories,
  readImmichSearch,
} from '../adapters/immich-assets.ts'
import { readListing } from '../adapters/listing-posts.ts'
import { readStatuses } from '../adapters/mastodon-posts.ts'
import { decodeFeed, readFeedPosts } from '../adapters/rss-posts.ts'
import { parseJsonAnswer } from './json-answer.ts'

/** An answer as fetched, with FETCH_ALLOW for the URLs in it. */
export type GivenAnswer = {
  readonly bytes: Buffer
  readonly url: string
  readonly contentType: string | undefined
  readonly allow: readonly string[]
}

export const answerReaders = {
  feed: ({ bytes, url, contentType, allow }: GivenAnswer) =>
    readFeedPosts(decodeFeed(bytes, contentType), url, allow),
  listing: fromJson(readListing),
  statuses: fromJson(readStatuses),
  blueskyFeed: fromJson(readBlueskyFeed),
  commonsFiles: fromJson(readCommonsAnswer),
  immichAccount: fromJson(readImmichAccount),
  immichAlbums: fromJson(readImmichAlbums),
  immichList: fromJson(readImmichList),
  immichMemories: fromJson(readImmichMemories),
  immichSearch: fromJson(readImmichSearch),
}

function fromJson<T>(read: (json: unknown, allow: readonly string[]) => T) {
  return ({ bytes, allow }: GivenAnswer) => read(parseJsonAnswer(bytes), allow)
}

export type AnswerKind = keyof typeof answerReaders
export type Read<Kind extends AnswerKind> = ReturnType<(typeof answerReaders)[Kind]>
