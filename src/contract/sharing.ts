/** Sharing: a session by a link (contract 4.2), and its player on other sites (oembed.com). */
import { z } from 'zod'
import { endpoint, json } from './endpoint.ts'
import { problems } from './problems.ts'
import {
  session,
  sessionProblems,
  sessionWithMedia,
  shareFailures,
  sharingProblems,
  slide,
} from './session-records.ts'
import { pathId, timestamp } from './values.ts'

/** The people who may use a link. 'anyone' needs no account. */
export const shareAccess = ['members', 'anyone'] as const

const shareCode = z.object({ code: z.uuidv4() })

const link = z.object({
  shareCode: z.uuidv4(),
  shareUrl: z.string(),
  referralCode: z.string(),
})

/** The available pixels on the embedding site. */
const roomPx = z
  .string()
  .regex(/^[1-9]\d{0,4}$/)
  .transform(Number)

/** The answer with the field names of oEmbed 1.0. */
const embedding = z.object({
  type: z.literal('rich'),
  version: z.literal('1.0'),
  title: z.string(),
  author_name: z.string(),
  provider_name: z.string(),
  provider_url: z.string(),
  /** The seconds for which the answer may be cached. */
  cache_age: z.int(),
  thumbnail_url: z.string().optional(),
  thumbnail_width: z.int().optional(),
  thumbnail_height: z.int().optional(),
  html: z.string(),
  width: z.int(),
  height: z.int(),
})

const badCode = { params: shareCode, badParams: sharingProblems.shareNotFound } as const

export const sharing = {
  shareSession: endpoint({
    method: 'POST',
    path: '/api/sessions/:id/share',
    summary: 'Create the link of a session, or return the existing one.',
    who: 'user',
    params: z.object({ id: pathId }),
    badParams: sessionProblems.invalidSessionId,
    body: z.object({
      userId: z.unknown().optional(),
      expiresAt: z.iso.datetime().nullish(),
      password: z.string().min(1).max(200).nullish(),
      /** The people who may use the link. Null is 'members'; if omitted, it stays unchanged. */
      access: z.enum(shareAccess).nullish(),
      /** True if guests may download the session; if omitted, it stays unchanged. */
      download: z.boolean().optional(),
    }),
    answer: json(200, link),
    crashed: sharingProblems.sharingFailed,
    failures: [
      sessionProblems.sessionForbidden,
      sessionProblems.sessionNotFound,
      problems.contentBlocked,
    ],
  }),
  readShare: endpoint({
    method: 'GET',
    path: '/api/sessions/:id/share',
    summary: 'The link of one’s own session and its limits, even if it has ended.',
    who: 'user',
    params: z.object({ id: pathId }),
    badParams: sessionProblems.invalidSessionId,
    answer: json(
      200,
      link.extend({
        expiresAt: timestamp.nullable(),
        hasPassword: z.boolean(),
        access: z.enum(shareAccess),
        download: z.boolean(),
      }),
    ),
    failures: [
      sessionProblems.sessionForbidden,
      sessionProblems.sessionNotFound,
      sharingProblems.sessionNotShared,
    ],
  }),
  preview: endpoint({
    method: 'GET',
    path: '/api/shared/:code/preview',
    summary: 'A preview of a shared session, for anyone.',
    who: 'anyone',
    ...badCode,
    answer: json(
      200,
      z.object({
        session: session.pick({
          title: true,
          thumbnail: true,
          transition: true,
          intervalMin: true,
          intervalMax: true,
          captionTheme: true,
          mediaCount: true,
        }),
        media: z.array(slide),
        ownerName: z.string(),
        requiresAuth: z.boolean(),
        download: z.boolean(),
      }),
    ),
    failures: [...shareFailures, problems.tooManyRequests],
  }),
  open: endpoint({
    method: 'GET',
    path: '/api/shared/:code',
    summary: 'The session of a link.',
    who: 'user',
    openToGuests: true,
    ...badCode,
    answer: json(200, sessionWithMedia),
    failures: [...shareFailures, problems.ageVerificationRequired],
  }),
  oembed: endpoint({
    method: 'GET',
    path: '/api/oembed',
    summary: 'oEmbed 1.0: how another site embeds the player of a public link.',
    who: 'anyone',
    query: z.object({
      url: z.string().min(1).max(2048),
      maxwidth: roomPx.optional(),
      maxheight: roomPx.optional(),
      format: z.string().max(20).optional(),
    }),
    answer: json(200, embedding),
    failures: [
      sharingProblems.shareNotFound,
      sharingProblems.shareExpired,
      sharingProblems.shareStopped,
      sharingProblems.shareClosed,
      sharingProblems.embedFormat,
    ],
  }),
}
