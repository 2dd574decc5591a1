/** Searches and browses feeds, and gathers media that fill a session. */
import { z } from 'zod'
import { api } from '../../../contract/api.ts'
import type { feedPost } from '../../../contract/feeds.ts'
import type { Context } from '../../context.ts'
import { isMediaAddress } from '../../http/media/media-url.ts'
import type { Problem } from '../../http/problem.ts'
import { problem } from '../../http/problem.ts'
import type { Call } from '../../http/route.ts'
import { route } from '../../http/route.ts'
import { isOutage } from '../../platform/outage.ts'
import { chooseSubfeeds, findSubfeed } from './choose-subfeeds.ts'
import { connectionRoutes } from './connections/connections.ts'
import type { FeedMedia, FeedPage, FeedSource } from './feed-source.ts'
import { FeedUnavailable } from './feed-source.ts'
import { failureOfSource, sourceHealthRoutes } from './hosts/source-health.ts'
import { normaliseMediaUrl } from './media-url.ts'
import { spreadFairly } from './spread.ts'
import { suggestSubfeeds } from './suggestions.ts'
import type { Subfeed } from './subfeed-names.ts'

type FeedPost = z.input<typeof feedPost>

/** Request more than is needed, because some media are filtered out. */
const spareFactor = 2

/** The patience of a fill, which runs in the background. A page waits less. */
const fillWaitMs = 30_000

const notConfigured = 'The feed is not configured on this site'

export async function searchFeed(ctx: Context, { body, findUser }: Call<typeof api.feeds.search>) {
  const user = await findUser()
  // The excluded media are the first results, so request enough to have new ones after them.
  const wanted = body.limit * spareFactor + body.excludeUrls.length
  const request = { query: body.query, limit: Math.min(100, wanted) }
  const found = await searchFirst(ctx, request).catch((error: unknown) => {
    throw failureOf(ctx, error, problem.searchFailed())
  })
  const excluded = new Set(body.excludeUrls.map(normaliseMediaUrl))
  const fresh = found.filter(({ mediaUrl }) => !excluded.has(normaliseMediaUrl(mediaUrl)))
  const allowed = withoutNsfw(fresh, user?.ageVerified ?? false)
  return spreadFairly([allowed], body.limit).map(presentPost)
}

async function searchFirst(ctx: Context, request: { query: string; limit: number }) {
  const { first, offered } = ctx.sources
  const source = offered.find(({ isSearchable }) => isSearchable !== false) ?? first
  const id = source.name === 'off' ? null : source.name
  const found = withoutUnsafeAddresses(ctx, await source.search(request))
  return found.map((media) => ({ ...media, source: id }))
}

export async function fetchFeed(
  ctx: Context,
  { user, body, countToken }: Call<typeof api.feeds.fetch>,
) {
  const subfeeds = await chooseSubfeeds(ctx, body.subfeeds, user)
  // A fetch from a server of the caller's choice costs a rate-limit token, even if it fails.
  if (subfeeds.some((subfeed) => ctx.sources.find(findSubfeed(ctx, subfeed).source)?.asksAnyHost))
    countToken()
  const waiting = readCursors(body.after, subfeeds)
  // Request only as much as is shown, so that the next page continues where this one ends.
  const asked = waiting.slice(0, body.limit)
  const limit = Math.max(1, Math.floor(body.limit / Math.max(1, asked.length)))
  const pages = await Promise.all(
    asked.map(async ({ subfeed, after }) => {
      const { id: userId } = user
      const request = { sort: body.sort, limit, after: after ?? undefined, userId }
      return { subfeed, ...(await listOne(ctx, subfeed, request)) }
    }),
  )
  const failed = pages.flatMap(({ failure }) => failure ?? [])
  if (failed.length > 0 && failed.length === pages.length) throw failureOfAll(failed)
  const allowed = pages.map(({ media }) => withoutNsfw(media, user.ageVerified))
  const goesOn = pages.filter(({ after }) => after !== null)
  return {
    posts: spreadFairly(allowed, body.limit).map(presentPost),
    after: writeCursors([...waiting.slice(body.limit), ...goesOn]),
    errors: pages.flatMap(({ subfeed, failure }) =>
      failure ? [{ subfeed, message: failure.words }] : [],
    ),
  }
}

/**
 * Returns at most `max` media, shared fairly among all subfeeds, and a message that names subfeeds that
 * failed.
 */
export async function gatherMedia(
  ctx: Context,
  wanted: { userId: string; subfeeds: readonly string[]; withNsfw: boolean; max: number },
): Promise<{ media: FeedMedia[]; complaint: string | null }> {
  const { userId, max } = wanted
  const request = {
    sort: 'hot' as const,
    limit: max * spareFactor,
    userId,
    maxWaitMs: fillWaitMs,
  }
  const lists = await Promise.all(
    wanted.subfeeds.map(async (subfeed) => ({
      subfeed,
      ...(await listOne(ctx, subfeed, request)),
    })),
  )
  const found = lists.map(({ media }) => withoutNsfw(media, wanted.withNsfw))
  const complaints = lists.flatMap(({ subfeed, failure }) =>
    failure ? `${subfeed}: ${failure.words}` : [],
  )
  return {
    media: spreadFairly(found, max),
    complaint: complaints.length > 0 ? complaints.join('; ') : null,
  }
}

type Listed = FeedPage & { readonly failure: FeedUnavailable | null }

/** Lists one subfeed. An empty first page counts as a failure. */
async function listOne(
  ctx: Context,
  subfeed: string,
  request: Omit<Parameters<FeedSource['list']>[0], 'subfeed'>,
): Promise<Listed> {
  try {
    const { source, name } = findSubfeed(ctx, subfeed)
    const page = await listSource(ctx, source, { ...request, subfeed: name })
    const id = source === 'off' ? null : source
    const shown = withoutUnsafeAddresses(ctx, page.media)
    const media = shown.map((item) => ({ ...item, subfeed, source: id }))
    return { media, after: page.after, failure: null }
  } catch (error) {
    // An outage of our own is not the source's failure.
    if (isOutage(error)) throw error
    ctx.log.warn({ event: 'subfeed_failed', err: error }, 'failed to read a subfeed')
    return { media: [], after: null, failure: failureOfSource(error) }
  }
}

/** Drops URLs that browsers of other people must not load, from any source. */
function withoutUnsafeAddresses(ctx: Context, media: readonly FeedMedia[]): FeedMedia[] {
  return media.flatMap((item) => {
    if (!isMediaAddress(ctx, item.mediaUrl)) return []
    const isSafe = item.thumbnail === null || isMediaAddress(ctx, item.thumbnail)
    return isSafe ? item : { ...item, thumbnail: null }
  })
}

async function listSource(
  ctx: Context,
  id: Subfeed['source'],
  request: Parameters<FeedSource['list']>[0],
): Promise<FeedPage> {
  try {
    const source = ctx.sources.find(id)
    if (!source) throw new FeedUnavailable('not_offered', `${id} is not offered`)
    const page = await source.list(request)
    if (request.after === undefined && page.media.length === 0 && page.after === null)
      throw new FeedUnavailable('nothing_found', 'no media')
    ctx.metrics.sourceAsked(id, 'given')
    return page
  } catch (error) {
    if (!isOutage(error)) ctx.metrics.sourceAsked(id, failureOfSource(error).reason)
    throw error
  }
}

function withoutNsfw(media: readonly FeedMedia[], seesNsfw: boolean): FeedMedia[] {
  return media.filter(({ nsfw }) => seesNsfw || !nsfw)
}

function presentPost(media: FeedMedia): FeedPost {
  return {
    id: media.postId,
    title: media.title,
    author: media.author,
    subfeed: media.subfeed,
    url: media.postUrl,
    media_url: media.mediaUrl,
    thumbnail: media.thumbnail,
    score: media.score,
    num_comments: media.commentCount,
    created_utc: media.createdAtUnixS,
    is_video: media.type === 'video',
    nsfw: media.nsfw,
    spoiler: media.spoiler,
    source: media.source,
    licence: media.licence,
    alt: media.alt,
  }
}

function failureOf(ctx: Context, error: unknown, otherwise: Problem): Problem {
  if (isOutage(error)) throw error
  ctx.log.warn({ event: 'feed_failed', err: error }, 'failed to read the feed')
  return error instanceof FeedUnavailable && error.reason === 'missing_credentials'
    ? problem.missingCredentials({ message: notConfigured })
    : otherwise
}

function failureOfAll(failed: readonly FeedUnavailable[]): Problem {
  return failed.every(({ reason }) => reason === 'missing_credentials')
    ? problem.missingCredentials({ message: notConfigured })
    : problem.sourceFailed()
}

/** The position in a subfeed; null is its beginning. */
type Cursor = { readonly subfeed: string; readonly after: string | null }

const cursorText = z.array(z.tuple([z.string(), z.string().nullable()])).max(20)

/** Encodes all cursors as one opaque text, without subfeeds that have ended. */
function writeCursors(cursors: readonly Cursor[]): string | null {
  if (cursors.length === 0) return null
  const pairs = cursors.map(({ subfeed, after }) => [subfeed, after])
  return Buffer.from(JSON.stringify(pairs)).toString('base64url')
}

/** Parses cursors. Without a text all subfeeds start at their beginning; an invalid text yields none. */
function readCursors(text: string | undefined, subfeeds: readonly string[]): Cursor[] {
  if (text === undefined) return subfeeds.map((subfeed) => ({ subfeed, after: null }))
  const parsed = cursorText.safeParse(parseJson(Buffer.from(text, 'base64url').toString('utf8')))
  const pairs = parsed.success ? parsed.data : []
  return pairs
    .filter(([subfeed]) => subfeeds.includes(subfeed))
    .map(([subfeed, after]) => ({ subfeed, after }))
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}

export const feedRoutes = [
  route(api.feeds.search, searchFeed),
  route(api.feeds.fetch, fetchFeed),
  route(api.feeds.suggest, suggestSubfeeds),
  ...connectionRoutes,
  ...sourceHealthRoutes,
]
