/** The feed that the settings ask for, with what it said lately kept at hand. */
import type { Config } from '../../config.ts'
import { createLemmySource } from './adapters/lemmy.ts'
import { createOffSource } from './adapters/off.ts'
import { createRedditSource } from './adapters/reddit.ts'
import { createCachedFeed } from './cached-feed.ts'
import type { FeedSource } from './feed-source.ts'

export function createFeed(
  { feed }: Config,
  { fetch, now }: { fetch: typeof globalThis.fetch; now: () => Date },
): FeedSource {
  switch (feed.kind) {
    case 'reddit':
      return createCachedFeed(createRedditSource(feed.reddit, { fetch, now }), { now })
    case 'lemmy':
      return createCachedFeed(createLemmySource(feed.lemmy, { fetch, now }), { now })
    case 'demo':
    case 'off':
      return createOffSource()
  }
}
