/**
 * A feed that remembers: what was asked a moment ago is not asked again, and what was answered
 * today is given once more while the far side is down or has had enough of us.
 */
import type { FeedPage, FeedSource } from './feed-source.ts'
import { FeedUnavailable } from './feed-source.ts'

type Ages = {
  readonly now: () => Date
  readonly freshMs?: number
  readonly keptMs?: number
  readonly mostEntries?: number
}

/** What was answered, by the question. */
export function createPageCache<Page>({
  now,
  freshMs = 3 * 60_000,
  keptMs = 6 * 3_600_000,
  mostEntries = 500,
}: Ages): { readonly get: (key: string, ask: () => Promise<Page>) => Promise<Page> } {
  type Entry = { page: Page; freshUntilMs: number; keptUntilMs: number }
  // A map remembers the order of its entries: the first has been out of use the longest.
  const entries = new Map<string, Entry>()
  const underWay = new Map<string, Promise<Page>>()

  const keep = (key: string, entry: Entry) => {
    entries.delete(key)
    entries.set(key, entry)
    const [oldest] = entries.keys()
    if (entries.size > mostEntries && oldest !== undefined) entries.delete(oldest)
    return entry.page
  }

  const refresh = async (key: string, ask: () => Promise<Page>): Promise<Page> => {
    try {
      const page = await ask()
      const nowMs = now().getTime()
      return keep(key, { page, freshUntilMs: nowMs + freshMs, keptUntilMs: nowMs + keptMs })
    } catch (error) {
      if (!(error instanceof FeedUnavailable)) throw error
      // What is gone over there is gone here, and missing credentials are for people to see.
      if (error.reason === 'no_such_subfeed') entries.delete(key)
      if (error.reason !== 'rate_limited' && error.reason !== 'unreachable') throw error
      const entry = entries.get(key)
      const nowMs = now().getTime()
      if (!entry || nowMs >= entry.keptUntilMs) throw error
      // Not every reader has to wait for the same time-out.
      const askAgainMs = error.retryAt?.getTime() ?? nowMs + restMs
      return keep(key, { ...entry, freshUntilMs: askAgainMs })
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

/** How long a far side that named no time is left alone. */
const restMs = 30_000

function keyOf(...parts: (string | number | null)[]): string {
  return JSON.stringify(parts)
}
