/** Sessions: create, fill, edit, list, play (contract 1.2, 1.3, 4.2). */
import { z } from 'zod'
import { mediaAddress } from './addresses.ts'
import { connectionProblems } from './connections.ts'
import { endpoint, json, stream } from './endpoint.ts'
import { givenFeedPost } from './feeds.ts'
import { problems } from './problems.ts'
import {
  captionThemes,
  session,
  sessionProblems,
  sessionWithMedia,
  shareFailures,
  slide,
} from './session-records.ts'
import { transitions } from './transitions.ts'
import {
  commaList,
  pageLimit,
  pathId,
  rowId,
  spokenMessage,
  subfeedList,
  trashQuery,
} from './values.ts'

const title = z.string().trim().min(1).max(200)
const interval = z.int().min(1).max(60)
const aiPrompt = z.string().max(2000)
const captionTheme = z.enum(captionThemes)
const durationMs = z.int().min(100).max(3_600_000)
const caption = z.string().max(2000)

/** Settings that normal and manual creation share. */
const settings = {
  categoryId: rowId.nullish(),
  intervalMin: interval.optional(),
  intervalMax: interval.optional(),
  transition: z.enum(transitions).default('fade'),
  thumbnail: mediaAddress.nullish(),
  aiPrompt: aiPrompt.nullish(),
  captionTheme: captionTheme.nullish(),
  isPublic: z.boolean().default(false),
  shareToCommunity: z.boolean().default(false),
  isFavorite: z.boolean().default(false),
  isManualMode: z.boolean().default(false),
  tags: z.array(z.string().max(120)).max(20).default([]),
  /** If omitted: not adult, but not confirmed as safe for the community. */
  nsfw: z.boolean().optional(),
}

const orderedIntervals = (body: {
  intervalMin?: number | undefined
  intervalMax?: number | undefined
}) =>
  body.intervalMin === undefined ||
  body.intervalMax === undefined ||
  body.intervalMin <= body.intervalMax

const intervalsError = { path: ['intervalMin'], error: 'must be at most intervalMax' }

const sessionId = z.object({ id: pathId })
const badSessionId = { params: sessionId, badParams: sessionProblems.invalidSessionId } as const
const notYours = [sessionProblems.sessionForbidden, sessionProblems.sessionNotFound] as const
/** Failures for visitors of a link, who send its code in a header. */
const notOpen = [...notYours, ...shareFailures, problems.ageVerificationRequired] as const

const slideFields = {
  mediaId: rowId.optional(),
  mediaUrl: mediaAddress.optional(),
  feedPost: givenFeedPost.optional(),
  caption: caption.nullish(),
  durationMs: durationMs.nullish(),
}

const newSlide = z.object(slideFields).refine(showsOneThing, {
  error: 'must have exactly one of mediaId, mediaUrl and feedPost',
})

const editedSlide = z
  .object({ id: rowId.optional(), ...slideFields })
  .refine((slide) => slide.id !== undefined || showsOneThing(slide), {
    error: 'must have an id, a mediaId, a mediaUrl or a feedPost',
  })

function showsOneThing(slide: { mediaId?: unknown; mediaUrl?: unknown; feedPost?: unknown }) {
  const { mediaId, mediaUrl, feedPost } = slide
  return [mediaId, mediaUrl, feedPost].filter((given) => given !== undefined).length === 1
}

export const sessions = {
  list: endpoint({
    method: 'GET',
    path: '/api/sessions',
    summary: 'The caller’s sessions, newest first.',
    who: 'user',
    query: z.object({
      categoryId: pathId.optional(),
      categorySlug: z.string().max(120).optional(),
      tags: commaList.optional(),
      tagMode: z.enum(['and', 'or']).default('or'),
      sort: z.enum(['recent', 'relevance']).default('recent'),
      favorite: z
        .enum(['true', 'false'])
        .transform((text) => text === 'true')
        .optional(),
      q: z.string().max(200).optional(),
      limit: pageLimit(200).optional(),
      before: pathId.optional(),
    }),
    answer: json(200, z.array(session)),
    unauthorized: sessionProblems.authenticationRequired,
    failures: [],
    invalid: problems.validationError,
  }),
  create: endpoint({
    method: 'POST',
    path: '/api/sessions',
    summary: 'Create a session that is filled from subfeeds in the background.',
    who: 'user',
    price: 'session_create',
    body: z
      .object({ title, subfeeds: subfeedList, ...settings })
      .refine(orderedIntervals, intervalsError),
    answer: json(201, session),
    failures: [problems.ageVerificationRequired, connectionProblems.connectionRequired],
  }),
  createManual: endpoint({
    method: 'POST',
    path: '/api/sessions/manual',
    summary: 'Create a session from chosen slides.',
    who: 'user',
    body: z
      .object({ title, slides: z.array(newSlide).min(1).max(500), ...settings })
      .refine(orderedIntervals, intervalsError),
    answer: json(201, sessionWithMedia),
    failures: [
      sessionProblems.mediaNotFound,
      problems.ageVerificationRequired,
      problems.contentBlocked,
    ],
  }),
  duplicate: endpoint({
    method: 'POST',
    path: '/api/sessions/:id/duplicate',
    summary: 'Create a private copy of one’s own session, with its slides, captions and settings.',
    who: 'user',
    ...badSessionId,
    answer: json(201, sessionWithMedia.pick({ session: true, media: true })),
    failures: [...notYours, problems.quotaExceeded, problems.contentBlocked],
  }),
  read: endpoint({
    method: 'GET',
    path: '/api/sessions/:id',
    summary: 'A session with its slides, for its owner, or for anyone signed in if it is public.',
    who: 'user',
    ...badSessionId,
    answer: json(200, sessionWithMedia),
    failures: [...notOpen],
  }),
  update: endpoint({
    method: 'PATCH',
    path: '/api/sessions/:id',
    summary:
      'Change a session. New subfeeds fill it again, which is charged only if no earlier charge covers it.',
    who: 'user',
    price: 'session_create',
    ...badSessionId,
    body: z
      .object({
        title: title.optional(),
        subfeeds: subfeedList.optional(),
        categoryId: rowId.nullish(),
        intervalMin: interval.optional(),
        intervalMax: interval.optional(),
        transition: z.enum(transitions).optional(),
        aiPrompt: aiPrompt.nullish(),
        captionTheme: captionTheme.nullish(),
        thumbnail: z.union([z.literal(''), mediaAddress]).nullish(),
        isPublic: z.boolean().optional(),
        shareToCommunity: z.boolean().optional(),
        isFavorite: z.boolean().optional(),
        isManualMode: z.boolean().optional(),
        tags: z.array(z.string().max(120)).max(20).optional(),
        nsfw: z.boolean().optional(),
        refreshDaily: z.boolean().optional(),
      })
      .refine(orderedIntervals, intervalsError),
    answer: json(200, session),
    failures: [
      ...notYours,
      problems.ageVerificationRequired,
      problems.contentBlocked,
      connectionProblems.connectionRequired,
    ],
  }),
  remove: endpoint({
    method: 'DELETE',
    path: '/api/sessions/:id',
    summary: 'Delete a session with its share codes, or put it in the trash.',
    who: 'user',
    ...badSessionId,
    query: trashQuery,
    answer: json(200, spokenMessage),
    failures: [...notYours],
  }),
  replaceMedia: endpoint({
    method: 'PUT',
    path: '/api/sessions/:id/media',
    summary: 'Replace the whole ordered list of slides. Slides sent with their id keep it.',
    who: 'user',
    ...badSessionId,
    body: z.object({ slides: z.array(editedSlide).max(500) }),
    answer: json(200, sessionWithMedia),
    failures: [...notYours, sessionProblems.mediaNotFound, sessionProblems.staleSession],
  }),
  updateMedia: endpoint({
    method: 'PATCH',
    path: '/api/sessions/:id/media/:mediaId',
    summary: 'Change one slide’s caption or duration.',
    who: 'user',
    params: z.object({ id: pathId, mediaId: pathId }),
    badParams: sessionProblems.invalidSessionId,
    body: z.object({ caption: caption.nullish(), durationMs: durationMs.nullish() }),
    answer: json(200, slide),
    failures: [...notYours, sessionProblems.mediaNotFound, sessionProblems.staleSession],
  }),
  refill: endpoint({
    method: 'POST',
    path: '/api/sessions/:id/refill',
    summary: 'Fill a session again from its subfeeds.',
    who: 'user',
    price: 'session_create',
    ...badSessionId,
    answer: json(202, session),
    failures: [...notYours],
  }),
  events: endpoint({
    method: 'GET',
    path: '/api/sessions/:id/events',
    summary: 'Server-sent events: fill progress, new captions, the end of work, missing slides.',
    who: 'user',
    limit: 'none',
    ...badSessionId,
    answer: stream('text/event-stream'),
    // A limit of concurrent streams per account, not a rate limit.
    failures: [...notOpen, problems.tooManyRequests],
  }),
  play: endpoint({
    method: 'POST',
    path: '/api/sessions/:id/play',
    summary: 'Start a play of a session.',
    who: 'user',
    openToGuests: true,
    ...badSessionId,
    answer: json(201, z.object({ playId: z.int(), credits: z.int().nullable() })),
    failures: [...notOpen],
  }),
  view: endpoint({
    method: 'POST',
    path: '/api/plays/:playId/views',
    summary: 'Report which slides were shown. Each is charged once per play.',
    who: 'user',
    openToGuests: true,
    price: 'session_slide_view',
    params: z.object({ playId: pathId }),
    body: z.object({ mediaIds: z.array(rowId).min(1).max(500) }),
    answer: json(200, z.object({ charged: z.int(), balance: z.int().nullable() })),
    failures: [sessionProblems.playNotFound, ...shareFailures],
  }),
}
