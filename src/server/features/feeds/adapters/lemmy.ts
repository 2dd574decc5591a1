/**
 * Reads posts from one Lemmy instance (0.19 or 1.0), including communities of other servers that it
 * knows.
 */
import type { Config } from '../../../config/config.ts'
import { version } from '../../../config/version.ts'
import type { FeedMedia, FeedSort, FeedSource } from '../feed-source.ts'
import { createSourceWithoutCredentials, FeedUnavailable } from '../feed-source.ts'
import { collectMedia, pageAt, readPosition } from './collect-media.ts'
import type { Answer, RemoteSite, World } from './remote-site.ts'
import { createRemoteSite } from './remote-site.ts'
import { refusal, site } from './lemmy-answers.ts'
import { readLemmyListing } from './lemmy-posts.ts'

export function createLemmySource(settings: Config['feed']['lemmy'], world: World): FeedSource {
  if (!settings.url) return createSourceWithoutCredentials('lemmy', 'No Lemmy instance is set')
  const { url: baseUrl } = settings
  // Lemmy has a separate rate limit for searches.
  const reading = createRemoteSite('Lemmy', world)
  const searching = createRemoteSite('Lemmy’s search', world)

  async function get(remoteSite: RemoteSite, path: string, query: Query = {}): Promise<Answer> {
    const url = `${baseUrl}/api/${path}?${new URLSearchParams(query).toString()}`
    const answer = await remoteSite.ask({ url, headers: { 'user-agent': `Lanternist/${version}` } })
    // 0.19 reports this with status 400 (LemmyNet/lemmy issue 5332), 1.0 with 429.
    if (refusalOf(answer) === 'rate_limit_error') throw remoteSite.rest()
    return answer
  }

  const currentApi = rememberForAnHour(world, async () => apiOf(await get(reading, 'v4/site')))

  return {
    name: 'lemmy',
    async list({ subfeed, sort, limit, after }) {
      if (!communityName.test(subfeed)) throw noSuchSubfeed(subfeed)
      const api = await currentApi()
      return collectMedia(limit, after ?? null, async (after) => {
        const position = readPosition(after)
        const { cursor } = position
        const answer = await get(reading, `${api}/post/list`, {
          ...sorts[api][sort],
          ...(cursor !== '' && { page_cursor: cursor }),
          community_name: subfeed,
          limit: String(maxPerPage),
          show_nsfw: 'true',
        })
        if (missing.test(refusalOf(answer) ?? '')) throw noSuchSubfeed(subfeed)
        const { posts, nextPage } = listingOf(answer, world.fetchAllow)
        return pageAt(position, posts.map(one), nextPage)
      })
    },
    async search({ query: words, limit }) {
      const api = await currentApi()
      const { media } = await collectMedia(limit, null, async (after) => {
        const position = readPosition(after)
        const { cursor } = position
        const answer = await get(searching, `${api}/search`, {
          ...searchQuery[api](words, cursor),
          limit: String(maxPerPage),
          show_nsfw: 'true',
        })
        const { posts, nextPage } = listingOf(answer, world.fetchAllow)
        // 0.19 numbers the pages of a search; it has no cursors there.
        const counted = posts.length > 0 ? String(Number(cursor || '1') + 1) : null
        return pageAt(position, posts.map(one), api === 'v3' ? counted : nextPage)
      })
      return media
    },
  }
}

type Api = 'v3' | 'v4'
type Query = Record<string, string>

/** The spelling in the contract: 'name', or 'name@host' for a community of another server. */
const communityName = /^[a-z0-9_]{2,50}(?:@[a-z0-9.-]{1,253}(?::\d{1,5})?)?$/i

// Values of LemmyErrorType for missing things.
const missing = /^(?:not_found|couldnt_find_\w+)$/

// The maximum of both versions (FETCH_LIMIT_MAX).
const maxPerPage = 50

// 1.0 writes sorts in lower case and has a separate time range (upgrade guide, "Post time range filter";
// PostSortType). Zero overrides the instance's default range (GetPosts).
const sorts: Record<Api, Record<FeedSort, Query>> = {
  v3: { hot: { sort: 'Hot' }, new: { sort: 'New' }, top: { sort: 'TopMonth' } },
  v4: {
    hot: { sort: 'hot', time_range_seconds: '0' },
    new: { sort: 'new', time_range_seconds: '0' },
    top: { sort: 'top', time_range_seconds: String(30 * 86_400) },
  },
}

const searchQuery: Record<Api, (words: string, cursor: string) => Query> = {
  v3: (words, cursor) => ({
    q: words,
    type_: 'Posts',
    listing_type: 'All',
    sort: 'TopAll',
    page: cursor || '1',
  }),
  // Before the release of 1.0 the search parameter was renamed from 'q' (Search) to 'search_term'
  // (lemmy-js-client 1.0). Unknown parameters are ignored, so send both.
  v4: (words, cursor) => ({
    q: words,
    search_term: words,
    type_: 'posts',
    listing_type: 'all',
    sort: 'top',
    ...(cursor !== '' && { page_cursor: cursor }),
  }),
}

/**
 * Returns the API version to use. 1.0 keeps /api/v3 for old clients, but its paging does not work there,
 * so try v4 first.
 */
function apiOf(answer: Answer): Api {
  if (answer.status === 404) return 'v3'
  const parsed = site.safeParse(answer.json)
  if (answer.status === 200)
    return parsed.success && !parsed.data.version.startsWith('0.') ? 'v4' : 'v3'
  throw new FeedUnavailable('unreachable', `Lemmy did not report its version (${answer.status})`)
}

function rememberForAnHour<T>(world: World, find: () => Promise<T>): () => Promise<T> {
  let kept: { value: Promise<T>; untilMs: number } | null = null
  return () => {
    const nowMs = world.now().getTime()
    if (kept && nowMs < kept.untilMs) return kept.value
    const entry = { value: find(), untilMs: nowMs + 3_600_000 }
    kept = entry
    // Only current callers get the failure; the next caller tries again.
    entry.value.catch(() => {
      if (kept === entry) kept = null
    })
    return entry.value
  }
}

/** Returns the media as a list of zero or one: a post of Lemmy has at most one. */
function one(media: FeedMedia | null): readonly FeedMedia[] {
  return media ? [media] : []
}

function listingOf({ status, json }: Answer, fetchAllow: World['fetchAllow']) {
  const listing = status === 200 ? readLemmyListing(json, fetchAllow) : null
  if (!listing)
    throw new FeedUnavailable('unreachable', `Lemmy returned no list of posts (${status})`)
  return listing
}

function refusalOf({ status, json }: Answer): string | null {
  return status >= 400 ? (refusal.safeParse(json).data?.error ?? null) : null
}

function noSuchSubfeed(subfeed: string): FeedUnavailable {
  return new FeedUnavailable('no_such_subfeed', `Lemmy does not show !${subfeed}`)
}
