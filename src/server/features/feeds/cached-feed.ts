/**
 * Caches pages of feeds: a page stays fresh for a short time, and is returned for longer when the source
 * is down or rate limits us.
 */
import type { FeedPage, FeedSource } from './feed-source.ts'
import { FeedUnavailable } from './feed-source.ts'

type Ages = {
  readonly now: () => Date
  readonly freshMs?: number
  readonly keptMs?: number
  readonly maxEntries?: number
}

/** Creates a cache by request key. */
export function createPageCache<Page>({
  now,
  freshMs = 3 * 60_000,
  keptMs = 6 * 3_600_000,
  maxEntries = 500,
}: Ages): { readonly get: (key: string, ask: () => Promise<Page>) => Promise<Page> } {
  type Entry = { page: Page; freshUntilMs: number; keptUntilMs: number }
  // A map keeps insertion order, so the first entry is the least recently used.
  const entries = new Map<string, Entry>()
  const underWay = new Map<string, Promise<Page>>()

  const keep = (key: string, entry: Entry) => {
    entries.delete(key)
    entries.set(key, entry)
    const [oldest] = entries.keys()
    if (entries.size > maxEntries && oldest !== undefined) entries.delete(oldest)
    return entry.page
  }

  const refresh = async (key: string, ask: () => Promise<Page>): Promise<Page> => {
    try {
      const page = await ask()
      const nowMs = now().getTime()
      return keep(key, { page, freshUntilMs: nowMs + freshMs, keptUntilMs: nowMs + keptMs })
    } catch (error) {
      if (!(error instanceof FeedUnavailable)) throw error
      // A deleted subfeed is dropped from the cache. Missing credentials must be reported.
      if (error.reason === 'no_such_subfeed') entries.delete(key)
      if (error.reason !== 'rate_limited' && error.reason !== 'unreachable') throw error
      const entry = entries.get(key)
      const nowMs = now().getTime()
      if (!entry || nowMs >= entry.keptUntilMs) throw error
      // Serve the stale page for a while, so that other readers do not wait for the same timeout.
      const retryAtMs = error.retryAt?.getTime() ?? nowMs + restMs
      return keep(key, { ...entry, freshUntilMs: retryAtMs })
    }
  }

  const get = (key: string, ask: () => Promise<Page>): Promise<Page> => {
    const entry = entries.get(key)
    const nowMs = now().getTime()
    if (entry && nowMs < entry.freshUntilMs && nowMs < entry.keptUntilMs)
      return Promise.resolve(keep(key, entry))
    const running = underWay.get(key)
    if (running) return running
    const asking = refresh(key, ask).finally(() => underWay.delete(key))
    underWay.set(key, asking)
    return asking
  }

  return { get }
}

export function createCachedFeed(source: FeedSource, ages: Ages): FeedSource {
  const { get } = createPageCache<FeedPage>(ages)
  return {
    name: source.name,
    list: (request) => {
      const { subfeed, sort, limit, after } = request
      return get(keyOf('list', subfeed, sort, limit, after ?? null), () => source.list(request))
    },
    ...(source.suggest && { suggest: source.suggest }),
    ...(source.asksAnyHost && { asksAnyHost: true }),
    ...(source.isSearchable === false && { isSearchable: false }),
    search: async (request) => {
      const { query, limit } = request
      const { media } = await get(keyOf('search', query, limit), async () => ({
        media: await source.search(request),
        after: null,
      }))
      return media
    },
  }
}

/** The pause after a failure when the source names no time. */
const restMs = 30_000

function keyOf(...parts: (string | number | null)[]): string {
  return JSON.stringify(parts)
}
