/** The sources that the settings ask for; what a far side said lately is kept at hand. */
import type { FeedId } from '../../../contract/sources.ts'
import type { Config } from '../../config/config.ts'
import { version } from '../../config/version.ts'
import type { Context } from '../../context.ts'
import type { SafeFetch } from '../../platform/fetch/safe-fetch.ts'
import { createFolderSource } from './adapters/folder.ts'
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

/**
 * `given` stands in for the one of the settings with its name, and comes first: the demo's, or a
 * test's. Each adapter is loaded where the settings name it, as what they parse with is large.
 */
export async function createSources(
  config: Config,
  outside: Outside,
  given: { readonly demo: FeedSource | null; readonly first: FeedSource | null },
): Promise<Sources> {
  const { feed, fetchAllow, baseUrl } = config
  const { fetch, now, siteName, db, query } = outside
  const turns = createHostTurns(outside)
  const userAgent = async () => userAgentOf(await siteName(), baseUrl)
  const asker = createHostAsker({ now, turns, userAgent, fetch: outside.safeFetch })
  const world = { fetch, now, fetchAllow, turns }
  const reading = { asker, fetchAllow }

  const adapters: Record<Exclude<FeedId, 'demo'>, () => Promise<FeedSource>> = {
    reddit: async () =>
      (await import('./adapters/reddit.ts')).createRedditSource(feed.reddit, world),
    lemmy: async () => (await import('./adapters/lemmy.ts')).createLemmySource(feed.lemmy, world),
    mastodon: async () => (await import('./adapters/mastodon.ts')).createMastodonSource(reading),
    bluesky: async () =>
      (await import('./adapters/bluesky.ts')).createBlueskySource(feed.blueskyUrl, reading),
    rss: async () => (await import('./adapters/rss.ts')).createRssSource(reading),
    commons: async () =>
      (await import('./adapters/commons.ts')).createCommonsSource(feed.commonsUrl, reading),
  }
  const create = async (id: FeedId): Promise<FeedSource | null> =>
    id === 'demo' ? given.demo : createCachedFeed(await adapters[id](), { now })

  const first = given.first ? [given.first] : []
  const others = await Promise.all(
    feed.ids.filter((id) => id !== given.first?.name).map((id) => create(id)),
  )
  const named = [...first, ...others.filter((source) => source !== null)]
  const folders = config.folders
    ? [createFolderSource({ db, config, now }, config.folders.dir)]
    : []
  return gatherSources(named, [...folders, createVaultSource({ db, query, config })])
}

/** Headers hold plain letters only. */
function userAgentOf(siteName: string, baseUrl: string): string {
  const plainName = siteName.replaceAll(/[^\x20-\x7e]|[()\\]/g, '').trim()
  return `Lanternist/${version} (${plainName || 'Lanternist'}; +${baseUrl})`
}
