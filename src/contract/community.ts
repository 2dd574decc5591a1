/** The community: published work to browse, open and save (contract 1.9, 4.2). */
import { z } from 'zod'
import { endpoint, json } from './endpoint.ts'
import { sentence } from './failure.ts'
import { problems } from './problems.ts'
import { captionThemes, sessionProblems, slide } from './session-records.ts'
import { transitions } from './transitions.ts'
import { commaList, pageLimit, pathId, timestamp } from './values.ts'

export const communityProblems = {
  notPublic: sentence(404, 'Session not found or not public'),
  withdrawn: sentence(403, 'This session was withdrawn from the community'),
}

const communityMedia = z
  .object({
    id: z.int(),
    url: z.string(),
    thumbnail: z.string().nullable(),
    width: z.int(),
    height: z.int(),
    type: z.enum(['image', 'gif', 'video']),
    tags: z.array(z.string()),
    nsfw: z.boolean(),
    ownerName: z.string(),
    publishedAt: timestamp,
  })
  .meta({ id: 'CommunityMedia' })

const communitySession = z
  .object({
    id: z.int(),
    title: z.string(),
    nsfw: z.boolean(),
    thumbnail: z.string().nullable(),
    mediaCount: z.int(),
    transition: z.enum(transitions),
    intervalMin: z.int(),
    intervalMax: z.int(),
    captionTheme: z.enum(captionThemes).nullable(),
    tags: z.array(z.string()),
    category: z.string(),
    ownerName: z.string(),
    savedCount: z.int(),
    publishedAt: timestamp,
  })
  .meta({ id: 'CommunitySession' })

const communityId = {
  params: z.object({ id: pathId }),
  badParams: sessionProblems.invalidSessionId,
} as const

export const community = {
  browse: endpoint({
    method: 'GET',
    path: '/api/community',
    summary: 'Published media and sessions, newest or most saved first.',
    who: 'user',
    openToGuests: true,
    query: z.object({
      kind: z.enum(['all', 'sessions', 'media']).default('all'),
      tags: commaList.optional(),
      tagMode: z.enum(['and', 'or']).default('or'),
      categorySlug: z.string().max(120).optional(),
      sort: z.enum(['recent', 'popular']).default('recent'),
      q: z.string().max(200).optional(),
      limit: pageLimit(100).default(30),
      cursor: z.string().max(200).optional(),
    }),
    answer: json(
      200,
      z.object({
        items: z.array(
          z.discriminatedUnion('kind', [
            communitySession.extend({ kind: z.literal('session') }),
            communityMedia.extend({ kind: z.literal('media') }),
          ]),
        ),
        nextCursor: z.string().nullable(),
      }),
    ),
    failures: [],
  }),
  published: endpoint({
    method: 'GET',
    path: '/api/community/published',
    summary: 'The caller’s publications, newest first, with their sources.',
    who: 'user',
    query: z.object({
      limit: pageLimit(100).default(30),
      cursor: z.string().max(200).optional(),
    }),
    answer: json(
      200,
      z.object({
        items: z.array(
          z.discriminatedUnion('kind', [
            communitySession.extend({ kind: z.literal('session'), sourceId: z.int().nullable() }),
            communityMedia.extend({
              kind: z.literal('media'),
              // Omitted for adult media if the caller has withdrawn their age verification.
              url: z.string().optional(),
              sourceId: z.int().nullable(),
            }),
          ]),
        ),
        nextCursor: z.string().nullable(),
      }),
    ),
    failures: [],
  }),
  open: endpoint({
    method: 'GET',
    path: '/api/community/sessions/:id',
    summary: 'A published session with its slides.',
    who: 'user',
    openToGuests: true,
    ...communityId,
    answer: json(200, z.object({ session: communitySession, media: z.array(slide) })),
    failures: [communityProblems.notPublic, problems.ageVerificationRequired],
  }),
  save: endpoint({
    method: 'POST',
    path: '/api/community/sessions/:id/save',
    summary: 'Save a copy of a published session, with its media, to one’s own sessions.',
    who: 'user',
    price: 'session_create',
    ...communityId,
    answer: json(
      200,
      z.object({ success: z.literal(true), sessionId: z.int(), reused: z.boolean() }),
    ),
    failures: [
      communityProblems.notPublic,
      communityProblems.withdrawn,
      problems.ageVerificationRequired,
      problems.quotaExceeded,
      problems.contentBlocked,
      problems.storageUnreachable,
    ],
  }),
}
