/** Searching feeds, browsing them, and gathering what fills a session. */
import { z } from 'zod'
import { api } from '../../../contract/api.ts'
import type { feedPost } from '../../../contract/feeds.ts'
import type { Context } from '../../context.ts'
import type { Problem } from '../../http/problem.ts'
import { problem } from '../../http/problem.ts'
import type { Call } from '../../http/route.ts'
import { route } from '../../http/route.ts'
import type { FeedMedia, FeedSort } from './feed-source.ts'
import { FeedUnavailable } from './feed-source.ts'
import { normaliseMediaUrl } from './media-url.ts'
import { spreadFairly } from './spread.ts'

type FeedPost = z.input<typeof feedPost>

/** Asked for beyond what is wanted, since some of it is left out. */
const spareFactor = 2

export async function searchFeed(ctx: Context, { body, findUser }: Call<typeof api.feeds.search>) {
  const user = await findUser()
  // Who has seen the first ones already wants those that come after them.
  const wanted = body.limit * spareFactor + body.excludeUrls.length
  const request = { query: body.query, limit: Math.min(100, wanted) }
  const found = await ctx.feed.search(request).catch((error: unknown) => {
    throw failureOf(ctx, error, problem.searchFailed())
  })
  const excluded = new Set(body.excludeUrls.map(normaliseMediaUrl))
  const fresh = found.filter(({ mediaUrl }) => !excluded.has(normaliseMediaUrl(mediaUrl)))
  const allowed = withoutNsfw(fresh, user?.ageVerified ?? false)
  return spreadFairly([allowed], body.limit).map(presentPost)
}

export async function fetchFeed(ctx: Context, { user, body }: Call<typeof api.feeds.fetch>) {
  const waiting = readCursors(body.after, body.subfeeds)
  // Each gives as much as will be shown of it, so that the next page goes on where this one ends.
  const asked = waiting.slice(0, body.limit)
  const limit = Math.max(1, Math.floor(body.limit / Math.max(1, asked.length)))
  const pages = await Promise.all(
    asked.map(async ({ subfeed, after }) => {
      const request = { subfeed, sort: body.sort, limit, after: after ?? undefined }
      const page = await ctx.feed.list(request).catch((error: unknown) => {
        if (error instanceof FeedUnavailable && error.reason === 'no_such_subfeed')
          return { media: [], after: null }
        throw failureOf(ctx, error, problem.feedFailed())
      })
      return { subfeed, ...page }
    }),
  )
  const allowed = pages.map(({ media }) => withoutNsfw(media, user.ageVerified))
  const goesOn = pages.filter(({ after }) => after !== null)
  return {
    posts: spreadFairly(allowed, body.limit).map(presentPost),
    after: writeCursors([...waiting.slice(body.limit), ...goesOn]),
  }
}

/** As many media as wanted, fairly from all subfeeds, with a complaint where none could be had. */
export async function gatherMedia(
  ctx: Context,
  wanted: { subfeeds: readonly string[]; withNsfw: boolean; most: number },
): Promise<{ media: FeedMedia[]; complaint: string | null }> {
  const sort: FeedSort = 'hot'
  const lists = await Promise.allSettled(
    wanted.subfeeds.map((subfeed) =>
      ctx.feed.list({ subfeed, sort, limit: wanted.most * spareFactor }),
    ),
  )
  const found = lists.map((list) =>
    list.status === 'fulfilled' ? withoutNsfw(list.value.media, wanted.withNsfw) : [],
  )
  const failed = lists.find((list) => list.status === 'rejected')
  if (failed)
    ctx.log.warn({ event: 'subfeed_failed', err: failed.reason }, 'a subfeed could not be read')
  const media = spreadFairly(found, wanted.most)
  return { media, complaint: media.length === 0 && failed ? complaintOf(failed.reason) : null }
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
  }
}

function failureOf(ctx: Context, error: unknown, otherwise: Problem): Problem {
  ctx.log.warn({ event: 'feed_failed', err: error }, 'the feed could not be read')
  return error instanceof FeedUnavailable && error.reason === 'missing_credentials'
    ? problem.missingCredentials({ message: 'The feed is not configured on this site' })
    : otherwise
}

function complaintOf(error: unknown): string {
  if (!(error instanceof FeedUnavailable)) return 'The feed could not be read'
  const words = {
    missing_credentials: 'The feed is not configured on this site',
    rate_limited: 'The feed asks for patience; try again later',
    unreachable: 'The feed cannot be reached',
    no_such_subfeed: 'There is no such subfeed',
  }
  return words[error.reason]
}

/** Where a subfeed goes on; null is its beginning. */
type Cursor = { readonly subfeed: string; readonly after: string | null }

const cursorText = z.array(z.tuple([z.string(), z.string().nullable()])).max(20)

/** One opaque text for all of them; subfeeds that have ended are left out. */
function writeCursors(cursors: readonly Cursor[]): string | null {
  if (cursors.length === 0) return null
  const pairs = cursors.map(({ subfeed, after }) => [subfeed, after])
  return Buffer.from(JSON.stringify(pairs)).toString('base64url')
}

/** All from their beginning without a text; a text that is none of ours goes on nowhere. */
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

export const feedRoutes = [route(api.feeds.search, searchFeed), route(api.feeds.fetch, fetchFeed)]
