/** Reads Reddit through its OAuth API. */
import type { Config } from '../../../config/config.ts'
import { version } from '../../../config/version.ts'
import type { FeedSource } from '../feed-source.ts'
import { createSourceWithoutCredentials, FeedUnavailable } from '../feed-source.ts'
import type { PostPage } from './collect-media.ts'
import { collectMedia } from './collect-media.ts'
import type { Answer, World } from './remote-site.ts'
import { createRemoteSite } from './remote-site.ts'
import { readRedditListing } from './reddit-posts.ts'
import { createTokens } from './reddit-token.ts'

export function createRedditSource(settings: Config['feed']['reddit'], world: World): FeedSource {
  const { clientId, clientSecret, userAgent = `web:lanternist:v${version}` } = settings
  if (!clientId || !clientSecret)
    return createSourceWithoutCredentials('reddit', 'Reddit’s credentials are not set')
  const authUrl = settings.authUrl ?? 'https://www.reddit.com/api/v1/access_token'
  const apiUrl = settings.apiUrl ?? 'https://oauth.reddit.com'
  const tokens = createTokens({ authUrl, clientId, clientSecret, userAgent }, world)
  const api = createRemoteSite('Reddit', world)

  async function get(path: string, query: Record<string, string>): Promise<Answer> {
    const url = `${apiUrl}${path}?${new URLSearchParams({ ...query, raw_json: '1' }).toString()}`
    const ask = async () => {
      const token = await tokens.current()
      const headers = { authorization: `Bearer ${token}`, 'user-agent': userAgent }
      const answer = await api.ask({ url, headers })
      if (answer.status === 401) tokens.discard(token)
      return answer
    }
    const answer = await ask()
    // A token may be revoked early, so retry once. If a new one is refused too, the fault is not ours.
    return answer.status === 401 ? ask() : answer
  }

  return {
    name: 'reddit',
    async list({ subfeed, sort, limit, after }) {
      if (!subredditName.test(subfeed)) throw noSuchSubfeed(subfeed)
      return collectMedia(limit, after ?? null, async (after) => {
        const query = { ...paging(limit, after), ...(sort === 'top' && { t: topOf }) }
        const answer = await get(`/r/${subfeed}/${sort}`, query)
        // It is private, quarantined, banned or blocked by law, or the site redirects to a search for the
        // name.
        if (isRefusedSubreddit(answer)) throw noSuchSubfeed(subfeed)
        return pageOf(answer, world.fetchAllow)
      })
    },
    async search({ query: words, limit }) {
      const { media } = await collectMedia(limit, null, async (after) =>
        pageOf(
          await get('/search', {
            ...paging(limit, after),
            q: words,
            sort: 'relevance',
            type: 'link',
            include_over_18: 'on',
          }),
          world.fetchAllow,
        ),
      )
      return media
    },
  }
}

/** The spelling in the contract. It cannot change the path of a URL. */
const subredditName = /^[a-z0-9_]{2,50}$/i

// Long enough for quiet subreddits to have posts, short enough for the result to change.
const topOf = 'month'

/** Requests more posts than needed, because many have no media. Reddit returns at most 100. */
function paging(limit: number, after: string | null): Record<string, string> {
  const count = Math.min(100, Math.max(25, limit * 2))
  return { limit: String(count), ...(after !== null && { after }) }
}

function isRefusedSubreddit({ status, json }: Answer): boolean {
  if (status === 404 || status === 451 || (status >= 300 && status < 400)) return true
  // Reddit blocks whole networks with an HTML page, which says nothing about the subreddit.
  return status === 403 && json !== undefined
}

function noSuchSubfeed(subfeed: string): FeedUnavailable {
  return new FeedUnavailable('no_such_subfeed', `Reddit does not show r/${subfeed}`)
}

function pageOf({ status, json }: Answer, fetchAllow: World['fetchAllow']): PostPage {
  const listing = status === 200 ? readRedditListing(json, fetchAllow) : null
  if (!listing) throw new FeedUnavailable('unreachable', `Reddit returned no listing (${status})`)
  return {
    posts: listing.posts.map(({ name, media }) => ({ media, after: name })),
    after: listing.after,
  }
}
