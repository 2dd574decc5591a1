/** Creates the configured sources, with caches of their answers. */
import type { FeedId, SourceId } from '../../../contract/sources.ts'
import { isOwnSource } from '../../../contract/sources.ts'
import type { Config } from '../../config/config.ts'
import { version } from '../../config/version.ts'
import type { Context } from '../../context.ts'
import type { SafeFetch } from '../../platform/fetch/safe-fetch.ts'
import { createFolderSource } from './adapters/folder.ts'
import { createVaultSource } from './adapters/vault.ts'
import { createCachedFeed } from './cached-feed.ts'
import { connectedUrl, openConnectedBy } from './connections/connected-media.ts'
import type { Keeping } from './connections/connection-keys.ts'
import { openConnection } from './connections/connection-keys.ts'
import { findConnectionOf } from './connections/connection-queries.ts'
import type { FeedSource } from './feed-source.ts'
import type { HostAsker } from './hosts/host-asker.ts'
import { createHostAsker } from './hosts/host-asker.ts'
import { createHostTurns } from './hosts/host-turns.ts'
import { watchedSource, watchSource } from './hosts/source-health.ts'
import type { Sources } from './sources.ts'
import { gatherSources } from './sources.ts'

type Outside = Pick<Context, 'db' | 'query' | 'now' | 'newId' | 'log'> & {
  readonly fetch: typeof globalThis.fetch
  readonly safeFetch: SafeFetch
  /** Returns the site's name, which can change at run time. */
  readonly siteName: () => Promise<string>
}

/**
 * Creates the configured sources. A source in `given` (of the demo or a test) replaces the configured one
 * with its name; `first` also becomes the first. Adapters are imported only when configured, because
 * their parsers are large.
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
    bluesky: async () => (await import('./adapters/bluesky.ts')).createBlueskySource(feed, reading),
    rss: async () => (await import('./adapters/rss.ts')).createRssSource(reading),
    commons: async () =>
      (await import('./adapters/commons.ts')).createCommonsSource(feed.commonsUrl, reading),
  }
  const immich =
    feed.immichUrl === undefined
      ? null
      : await connectImmich(feed.immichUrl, {
          ...outside,
          config,
          asker,
        })
  const onThisMachine = [
    ...(config.folders ? [createFolderSource({ db, config, now }, config.folders.dir)] : []),
    createVaultSource({ db, query, config }),
  ].map((source) => watchedSource(outside, source))
  const own = [...(immich ? [immich.source] : []), ...onThisMachine]
  const create = async (id: SourceId): Promise<FeedSource | null> => {
    if (id === 'demo') return given.demo && watchedSource(outside, given.demo)
    if (isOwnSource(id)) return own.find(({ name }) => name === id) ?? null
    return createCachedFeed(watchedSource(outside, await adapters[id]()), { now })
  }

  const first = given.first ? [watchedSource(outside, given.first)] : []
  const others = await Promise.all(
    feed.ids.filter((id) => id !== given.first?.name).map((id) => create(id)),
  )
  const named = [...first, ...others.filter((source) => source !== null)]
  return gatherSources(named, own, immich?.server ?? null)
}

/** Connects the one source that may have a private address, because the site's configuration names it. */
async function connectImmich(
  url: string,
  outside: Keeping & { readonly asker: HostAsker; readonly safeFetch: SafeFetch },
) {
  const [{ createImmichServer }, { createImmichSource }] = await Promise.all([
    import('./adapters/immich-server.ts'),
    import('./adapters/immich.ts'),
  ])
  const server = createImmichServer(new URL(url).origin, outside)
  const find = (userId: string) => findConnectionOf(outside, userId, 'immich')
  const source = createImmichSource({
    server,
    now: outside.now,
    watch: watchSource(outside, 'immich'),
    async openConnection(userId) {
      const found = await find(userId)
      return found ? openConnection(outside, found) : null
    },
    hasConnection: async (userId) => (await find(userId)) !== undefined,
    addressOf: (connectionId, asset) => connectedUrl(outside, { connectionId, ...asset }),
    openOwn: openConnectedBy(outside, server),
  })
  return { server, source }
}

/** Builds a user agent with ASCII characters only, as headers require. */
function userAgentOf(siteName: string, baseUrl: string): string {
  const plainName = siteName.replaceAll(/[^\x20-\x7e]|[()\\]/g, '').trim()
  return `Lanternist/${version} (${plainName || 'Lanternist'}; +${baseUrl})`
}
