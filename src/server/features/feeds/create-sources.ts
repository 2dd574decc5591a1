/** The sources that the settings ask for; what a far side said lately is kept at hand. */
import type { FeedId } from '../../../contract/sources.ts'
import type { Config } from '../../config/config.ts'
import { version } from '../../config/version.ts'
import type { Context } from '../../context.ts'
import type { SafeFetch } from '../../platform/fetch/safe-fetch.ts'
import { createBlueskySource } from './adapters/bluesky.ts'
import { createCommonsSource } from './adapters/commons.ts'
import { createLemmySource } from './adapters/lemmy.ts'
import { createMastodonSource } from './adapters/mastodon.ts'
import { createRedditSource } from './adapters/reddit.ts'
import { createRssSource } from './adapters/rss.ts'
import { createVaultSource } from './adapters/vault.ts'
import { createCachedFeed } from './cached-feed.ts'
import type { FeedSource } from './feed-source.ts'
import { createHostAsker } from './hosts/host-asker.ts'
import { createHostTurns } from './hosts/host-turns.ts'
import type { Sources } from './sources.ts'
import { gatherSources } from './sources.ts'

type Outside = Pick<Context, 'db' | 'query' | 'now' | 'newId'> & {
  readonly fetch: typeof globalThis.fetch
  readonly safeFetch: SafeFetch
  /** What the site calls itself; changed at run time. */
  readonly siteName: () => Promise<string>
}

/** `given` stands in for the one of the settings with its name, and comes first: the demo's, or a test's. */
export function createSources(
  config: Config,
  outside: Outside,
  given: { readonly demo: FeedSource | null; readonly first: FeedSource | null },
): Sources {
  const { feed, fetchAllow, baseUrl } = config
  const { fetch, now, siteName, db, query } = outside
  const turns = createHostTurns(outside)
  const userAgent = async () => userAgentOf(await siteName(), baseUrl)
  const asker = createHostAsker({ now, turns, userAgent, fetch: outside.safeFetch })
  const world = { fetch, now, fetchAllow, turns }
  const reading = { asker, fetchAllow }

  const create = (id: FeedId): FeedSource | null => {
    const source = {
      demo: () => given.demo,
      reddit: () => createRedditSource(feed.reddit, world),
      lemmy: () => createLemmySource(feed.lemmy, world),
      mastodon: () => createMastodonSource(reading),
      bluesky: () => createBlueskySource(feed.blueskyUrl, reading),
      rss: () => createRssSource(reading),
      commons: () => createCommonsSource(feed.commonsUrl, reading),
    }[id]()
    return source && id !== 'demo' ? createCachedFeed(source, { now }) : source
  }

  const first = given.first ? [given.first] : []
  const others = feed.ids.filter((id) => id !== given.first?.name).flatMap((id) => create(id) ?? [])
  return gatherSources([...first, ...others], createVaultSource({ db, query, config }))
}

/** Headers hold plain letters only. */
function userAgentOf(siteName: string, baseUrl: string): string {
  const plainName = siteName.replaceAll(/[^\x20-\x7e]|[()\\]/g, '').trim()
  return `Lanternist/${version} (${plainName || 'Lanternist'}; +${baseUrl})`
}
