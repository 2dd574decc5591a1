/** The common type of all sources that sessions are filled from. */
import type { SourceId } from '../../../contract/sources.ts'

/** The licence of a medium. */
export type Licence = { readonly name: string; readonly url: string | null }

/** A picture, animation or video of a post. A gallery has several. */
export type FeedMedia = {
  readonly postId: string
  readonly postUrl: string
  readonly title: string
  readonly author: string
  readonly subfeed: string
  readonly mediaUrl: string
  readonly thumbnail: string | null
  readonly type: 'image' | 'gif' | 'video'
  readonly width: number | null
  readonly height: number | null
  readonly score: number
  readonly commentCount: number
  readonly createdAtUnixS: number
  readonly nsfw: boolean
  readonly spoiler: boolean
  /** The description by its author. */
  readonly alt: string | null
  readonly licence: Licence | null
  /** The name to credit when there is no author. */
  readonly attribution?: string
  /** The focal point set by the author, as fractions of width and height from the top left. */
  readonly focus: { readonly x: number; readonly y: number } | null
  /** The source; null until the code that lists or searches it sets it. */
  readonly source: SourceId | null
  /** Absent when it is not a file of the own vault. */
  readonly vaultMediaId?: number
}

export type FeedSort = 'hot' | 'new' | 'top'

export type FeedPage = {
  readonly media: readonly FeedMedia[]
  /** The cursor of the next page; null at the end. */
  readonly after: string | null
}

export type SuggestedName = {
  readonly name: string
  readonly title: string | null
  readonly members: number | null
  readonly nsfw: boolean | null
}

export type FeedSource = {
  readonly name: SourceId | 'off'
  /** Returns media of one subfeed, in the source's order. Rejects with `FeedUnavailable`. */
  list(request: {
    /** The source's name of the subfeed, without our prefix. */
    subfeed: string
    sort: FeedSort
    limit: number
    after?: string | undefined
    /** The account that the request is for, needed by personal sources. */
    userId?: string
    /** The longest wait for content that is not indexed yet. After it, the source returns what it has. */
    maxWaitMs?: number
  }): Promise<FeedPage>
  /** True when names may lead to any remote server, so that callers choose what is fetched. */
  readonly asksAnyHost?: true
  /** Absent when the source can be searched. */
  readonly isSearchable?: false
  /** Returns media that match the words, the best first. Rejects with `FeedUnavailable`. */
  search(request: { query: string; limit: number }): Promise<readonly FeedMedia[]>
  /**
   * Returns subfeed names that start like the words, without our prefix. If absent, suggestions are made
   * from search results. Rejects with `FeedUnavailable`.
   */
  readonly suggest?: (request: {
    query: string
    limit: number
    userId?: string
  }) => Promise<readonly SuggestedName[]>
  /** Present when the source needs a connection to an account elsewhere. */
  readonly connection?: {
    exists(userId: string): Promise<boolean>
    /** The message for people who have not connected. */
    readonly request: string
  }
  /**
   * Reads a file that this service itself serves for the feed, by path. Returns null if there is no such
   * file. May reject with `FetchRefused`.
   */
  openOwn?(
    path: string,
    bounds?: { readonly maxBytes: number },
  ): Promise<AsyncIterable<Uint8Array> | null>
}

const wordsOfReasons = {
  missing_credentials: 'not configured on this site',
  rate_limited: 'has too many requests, try again later',
  unreachable: 'cannot be reached',
  no_such_subfeed: 'not found',
  refused: 'does not allow access from this site',
  unreadable: 'answered with something that cannot be read',
  nothing_found: 'nothing found',
  not_offered: 'not offered by this site',
}

export class FeedUnavailable extends Error {
  readonly reason: keyof typeof wordsOfReasons
  /** The earliest time for a retry, if the remote site named one. */
  readonly retryAt: Date | null
  /** The message for people, shown after the name that failed. */
  readonly words: string

  constructor(
    reason: FeedUnavailable['reason'],
    message: string,
    options: { retryAt?: Date; cause?: unknown; words?: string } = {},
  ) {
    super(message, { cause: options.cause })
    this.reason = reason
    this.retryAt = options.retryAt ?? null
    this.words = options.words ?? wordsOfReasons[reason]
  }
}

/** Creates a feed for sites without one. */
export function createOffSource(): FeedSource {
  return createSourceWithoutCredentials('off', 'The feed is turned off')
}

export function createSourceWithoutCredentials(
  name: FeedSource['name'],
  message: string,
): FeedSource {
  const refuse = async () => {
    throw new FeedUnavailable('missing_credentials', message)
  }
  return { name, list: refuse, search: refuse }
}

/** Returns a suggestion with a name only. */
export function bareName(name: string): SuggestedName {
  return { name, title: null, members: null, nsfw: null }
}

/** Default facts for a person's own pictures. */
export const ownersOwn = {
  author: '',
  subfeed: '',
  score: 0,
  commentCount: 0,
  spoiler: false,
  licence: null,
  focus: null,
  source: null,
} as const satisfies Partial<FeedMedia>

/** For sources without a search, or without a public one. */
export const unsearchable = {
  isSearchable: false,
  search: async () => {
    throw new FeedUnavailable('missing_credentials', 'this source cannot be searched')
  },
} as const satisfies Pick<FeedSource, 'isSearchable' | 'search'>
