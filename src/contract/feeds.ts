/** Feeds: search and browse posts to make sessions from (contract 1.6, 4.8). */
import { z } from 'zod'
import { linkAddress, mediaAddress } from './addresses.ts'
import { connectionProblems } from './connections.ts'
import { endpoint, json } from './endpoint.ts'
import { failure } from './failure.ts'
import { problems } from './problems.ts'
import { maxExcluded } from './feed-search-bounds.ts'
import { licence, sourceIds } from './sources.ts'
import { subfeedList } from './values.ts'

export const feedPost = z
  .object({
    id: z.string(),
    title: z.string(),
    author: z.string(),
    subfeed: z.string(),
    url: z.string(),
    media_url: z.string(),
    thumbnail: z.string().nullable(),
    score: z.number(),
    num_comments: z.number(),
    created_utc: z.number(),
    is_video: z.boolean(),
    nsfw: z.boolean(),
    spoiler: z.boolean(),
    /** The source of the post. */
    source: z.enum(sourceIds).nullable(),
    licence: licence.nullable(),
    /** The author's description of the picture (alt text). */
    alt: z.string().nullable(),
  })
  .meta({ id: 'FeedPost' })

/** A post that a client sends back. Older clients omit the source fields. */
export const givenFeedPost = feedPost
  .extend({
    url: z.union([z.literal(''), mediaAddress]),
    media_url: mediaAddress,
    thumbnail: mediaAddress.nullable(),
    licence: licence.extend({ url: linkAddress.nullable() }).nullable(),
  })
  .partial({ source: true, licence: true, alt: true })

export const feedProblems = {
  missingCredentials: failure(503, { error: 'MISSING_CREDENTIALS' }, { message: z.string() }),
  searchFailed: failure(500, { message: 'Failed to search the feed' }, {}),
  sourceFailed: failure(
    502,
    { error: 'Bad Gateway', code: 'SOURCE_FAILED', message: 'Failed to fetch the feed' },
    {},
  ),
}

const excludedUrls = z
  .array(z.string().max(maxExcluded.charactersEach))
  .max(maxExcluded.addresses)
  .refine((urls) => charactersOf(urls) <= maxExcluded.charactersInAll, {
    message: `must have at most ${maxExcluded.charactersInAll} characters in all`,
  })

function charactersOf(texts: readonly string[]): number {
  return texts.reduce((sum, { length }) => sum + length, 0)
}

export const feeds = {
  search: endpoint({
    method: 'POST',
    path: '/api/feed-search',
    summary: 'Search for posts with media, best matches first.',
    who: 'anyone',
    limit: { policy: 'feed' },
    body: z.object({
      query: z.string().trim().min(1).max(200),
      limit: z.int().min(1).max(100).default(25),
      excludeUrls: excludedUrls.default([]),
    }),
    answer: json(200, z.array(feedPost)),
    failures: [feedProblems.missingCredentials, feedProblems.searchFailed],
    invalid: problems.validationError,
  }),
  fetch: endpoint({
    method: 'POST',
    path: '/api/fetch-feed',
    summary: 'Posts with media of some subfeeds.',
    who: 'user',
    limit: { policy: 'feed' },
    body: z.object({
      subfeeds: subfeedList,
      sort: z.enum(['hot', 'new', 'top']).default('hot'),
      limit: z.int().min(1).max(100).default(25),
      after: z.string().max(100_000).optional(),
    }),
    answer: json(
      200,
      z.object({
        posts: z.array(feedPost),
        after: z.string().nullable(),
        /** The subfeeds that could not be read, with a plain explanation for each. */
        errors: z.array(z.object({ subfeed: z.string(), message: z.string() })),
      }),
    ),
    failures: [
      feedProblems.missingCredentials,
      feedProblems.sourceFailed,
      connectionProblems.connectionRequired,
    ],
  }),
  suggest: endpoint({
    method: 'GET',
    path: '/api/feeds/suggest',
    summary:
      'Suggest names of subfeeds that match the words, from all sources or from one by its prefix.',
    who: 'user',
    limit: { policy: 'feed' },
    query: z.object({ q: z.string().trim().min(1).max(100) }),
    answer: json(
      200,
      z.object({
        items: z.array(
          z.object({
            /** The name as a subfeed is written. */
            name: z.string(),
            title: z.string().nullable(),
            members: z.int().nullable(),
            nsfw: z.boolean().nullable(),
          }),
        ),
      }),
    ),
    failures: [],
  }),
}
