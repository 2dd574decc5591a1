/** Where sessions are filled from: one type, whatever site stands behind it. */
import type { SourceId } from '../../../contract/sources.ts'

/** The terms that a medium may be shown under. */
export type Licence = { readonly name: string; readonly url: string | null }

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
  /** What it shows, in its author's words. */
  readonly alt: string | null
  readonly licence: Licence | null
  /** Who is to be named where there is no author. */
  readonly attribution?: string
  /** Where the eye goes, as its author set it: parts of its width and height, from the top left. */
  readonly focus: { readonly x: number; readonly y: number } | null
  /** Which source gave it; null before it has passed through one. */
  readonly source: SourceId | null
  /** Left out where it is no file of the own vault. */
  readonly vaultMediaId?: number
}

export type FeedSort = 'hot' | 'new' | 'top'

export type FeedPage = {
  readonly media: readonly FeedMedia[]
  /** What to ask for next; null at the end. */
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
  /** The media of one subfeed, in its order. Rejects with `FeedUnavailable`. */
  list(request: {
    /** The name as the source knows it, without the source's prefix. */
    subfeed: string
    sort: FeedSort
    limit: number
    after?: string | undefined
    /** For whom, where the source is their own. */
    userId?: string
    /** How long it may read what it has not read before; it gives what it has by then. */
    mostWaitMs?: number
  }): Promise<FeedPage>
  /** True where its names lead to any host, so that a caller chooses what is fetched. */
  readonly asksAnyHost?: true
  /** Left out where it can be searched. */
  readonly isSearchable?: false
  /** The media that fit the words best first. Rejects with `FeedUnavailable`. */
  search(request: { query: string; limit: number }): Promise<readonly FeedMedia[]>
  /** Names that begin like the words, as the source knows them; without it, its search tells. Rejects with `FeedUnavailable`. */
  readonly suggest?: (request: {
    query: string
    limit: number
    userId?: string
  }) => Promise<readonly SuggestedName[]>
  /** Present where it is an account elsewhere that people connect. */
  readonly connection?: {
    exists(userId: string): Promise<boolean>
    /** What to tell those who have not. */
    readonly request: string
  }
  /** Reads what this service itself serves for the feed, by its path; null if there is none. May reject with `FetchRefused`. */
  openOwn?(
    path: string,
    bounds?: { readonly maxBytes: number },
  ): Promise<AsyncIterable<Uint8Array> | null>
}

const wordsOfReasons = {
  missing_credentials: 'not configured on this site',
  rate_limited: 'asks for patience, try again later',
  unreachable: 'cannot be reached',
  no_such_subfeed: 'not found',
  refused: 'may not be read from here',
  unreadable: 'answered with something that cannot be read',
  nothing_found: 'nothing found',
  not_offered: 'not offered by this site',
}

export class FeedUnavailable extends Error {
  readonly reason: keyof typeof wordsOfReasons
  /** When the far side may be asked again, where it said so. */
  readonly retryAt: Date | null
  /** For people, after the name that failed. */
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

/** A name of which nothing else is known. */
export function bareName(name: string): SuggestedName {
  return { name, title: null, members: null, nsfw: null }
}

/** What nobody has said of pictures that are their owner's alone. */
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

/** For sources that have no search, or keep it to themselves. */
export const unsearchable = {
  isSearchable: false,
  search: async () => {
    throw new FeedUnavailable('missing_credentials', 'this source cannot be searched')
  },
} as const satisfies Pick<FeedSource, 'isSearchable' | 'search'>
