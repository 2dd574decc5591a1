/** The feed that the settings ask for; what a far side said lately is kept at hand. */
import type { Config } from '../../config/config.ts'
import type { Log } from '../../platform/log.ts'
import type { DemoSource } from './adapters/demo.ts'
import { createDemoSource } from './adapters/demo.ts'
import { createLemmySource } from './adapters/lemmy.ts'
import { createOffSource } from './feed-source.ts'
import { createRedditSource } from './adapters/reddit.ts'
import { createCachedFeed } from './cached-feed.ts'
import type { FeedSource } from './feed-source.ts'

type Outside = { fetch: typeof globalThis.fetch; now: () => Date; log: Log }

export type Feed = {
  readonly feed: FeedSource
  /** The same feed where it is the demo, which paints its pictures itself. */
  readonly demo: DemoSource | null
}

export function createFeed(config: Config, outside: Outside): Feed {
  if (config.feed.kind !== 'demo') return { feed: createFarFeed(config, outside), demo: null }
  const demo = createDemoSource({ dataDir: config.dataDir, now: outside.now, log: outside.log })
  return { feed: demo, demo }
}

function createFarFeed({ feed, fetchAllow }: Config, { fetch, now }: Outside): FeedSource {
  const world = { fetch, now, fetchAllow }
  switch (feed.kind) {
    case 'reddit':
      return createCachedFeed(createRedditSource(feed.reddit, world), { now })
    case 'lemmy':
      return createCachedFeed(createLemmySource(feed.lemmy, world), { now })
    default:
      return createOffSource()
  }
}
