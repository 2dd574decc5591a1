/** The feed that the settings ask for; what a far side said lately is kept at hand. */
import type { Config } from '../../config/config.ts'
import { createLemmySource } from './adapters/lemmy.ts'
import { createRedditSource } from './adapters/reddit.ts'
import { createCachedFeed } from './cached-feed.ts'
import { createOffSource } from './feed-source.ts'
import type { FeedSource } from './feed-source.ts'

type Outside = { fetch: typeof globalThis.fetch; now: () => Date }

export function createFeed(
  { feed, fetchAllow }: Config,
  { fetch, now }: Outside,
  demo?: FeedSource,
): FeedSource {
  const world = { fetch, now, fetchAllow }
  switch (feed.kind) {
    case 'reddit':
      return createCachedFeed(createRedditSource(feed.reddit, world), { now })
    case 'lemmy':
      return createCachedFeed(createLemmySource(feed.lemmy, world), { now })
    default:
      return (feed.kind === 'demo' && demo) || createOffSource()
  }
}
