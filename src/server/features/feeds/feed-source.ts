/** Where sessions are filled from: one type, whatever site stands behind it. */

declare module '../../context.ts' {
  interface Context {
    readonly feed: FeedSource
  }
}

/** One picture, animation or video of a post. A gallery is several. */
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
}

export type FeedSort = 'hot' | 'new' | 'top'

export type FeedPage = {
  readonly media: readonly FeedMedia[]
  /** What to ask for next; null at the end. */
  readonly after: string | null
}

export type FeedSource = {
  readonly name: 'demo' | 'reddit' | 'lemmy' | 'off'
  /** The media of one subfeed, in its order. Rejects with `FeedUnavailable`. */
  list(request: {
    subfeed: string
    sort: FeedSort
    limit: number
    after?: string | undefined
  }): Promise<FeedPage>
  /** The media that fit the words best first. Rejects with `FeedUnavailable`. */
  search(request: { query: string; limit: number }): Promise<readonly FeedMedia[]>
  /** Reads a picture that this service itself serves for the feed, by its path; null if there is none. */
  openOwn?(path: string): Promise<AsyncIterable<Uint8Array> | null>
}

export class FeedUnavailable extends Error {
  readonly reason: 'missing_credentials' | 'rate_limited' | 'unreachable' | 'no_such_subfeed'
  /** When the far side may be asked again, where it said so. */
  readonly retryAt: Date | null

  constructor(
    reason: FeedUnavailable['reason'],
    message: string,
    options: { retryAt?: Date; cause?: unknown } = {},
  ) {
    super(message, { cause: options.cause })
    this.reason = reason
    this.retryAt = options.retryAt ?? null
  }
}

/** The feed of an installation that has none. */
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
