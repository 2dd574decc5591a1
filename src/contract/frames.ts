/** Frames: a link for a screen on a wall, and its playlist (contract-additions, section 18). */
import { z } from 'zod'
import { endpoint, json } from './endpoint.ts'
import { sentence } from './failure.ts'
import { sessionProblems, slide } from './session-records.ts'
import { transitions } from './transitions.ts'
import { pathId, rowId, spokenMessage, timestamp } from './values.ts'

/** A time 'HH:MM' of a 24-hour day. */
const timeOfDay = z.string().regex(/^([01]\d|2[0-3]):[0-5]\d$/)

const timeZone = z.string().min(1).max(100).refine(isTimeZone, { error: 'must be a time zone' })

const settings = {
  intervalSeconds: z.int().min(3).max(3600),
  transition: z.enum(transitions),
  captions: z.boolean(),
  clock: z.boolean(),
  /** The screen is dark between the two times. It is never dark if one is null. */
  quietFrom: timeOfDay.nullable(),
  quietTo: timeOfDay.nullable(),
  /** The time zone of the clock and the quiet hours. */
  timeZone,
  shuffle: z.boolean(),
}

const frameSettings = z.object(settings)

/** The settings of a new frame, with their defaults. */
const newSettings = z.object({
  intervalSeconds: settings.intervalSeconds.default(20),
  transition: settings.transition.default('fade'),
  captions: settings.captions.default(true),
  clock: settings.clock.default(true),
  quietFrom: settings.quietFrom.default(null),
  quietTo: settings.quietTo.default(null),
  timeZone: settings.timeZone.default('UTC'),
  shuffle: settings.shuffle.default(false),
})

const frame = z
  .object({
    id: z.int(),
    name: z.string(),
    /** The sessions in the order of playing. Deleted sessions are removed from it. */
    sessionIds: z.array(z.int()),
    settings: frameSettings,
    /** True if adult slides may be shown. They are shown only while the owner's age is verified. */
    nsfw: z.boolean(),
    createdAt: timestamp,
    updatedAt: timestamp,
  })
  .meta({ id: 'Frame' })

/** A frame with its link. The link contains a secret that is not stored, so it is shown only once. */
const frameWithLink = z.object({ frame, frameUrl: z.string() })

const name = z.string().trim().min(1).max(60)
export const maxFrameSessions = 20
const sessionIds = z.array(rowId).min(1).max(maxFrameSessions)

export const frameProblems = {
  frameNotFound: sentence(404, 'Frame not found'),
}

const frameId = z.object({ id: pathId })
const ofSessions = [sessionProblems.sessionNotFound, sessionProblems.sessionForbidden] as const

export const frames = {
  list: endpoint({
    method: 'GET',
    path: '/api/frames',
    summary: 'The caller’s frames, newest first.',
    who: 'user',
    answer: json(200, z.array(frame)),
    failures: [],
  }),
  create: endpoint({
    method: 'POST',
    path: '/api/frames',
    summary: 'Create a frame that plays the caller’s sessions. The link is shown only once.',
    who: 'user',
    body: z.object({
      name,
      sessionIds,
      settings: newSettings.prefault({}),
      nsfw: z.boolean().default(false),
    }),
    answer: json(201, frameWithLink),
    failures: [...ofSessions],
  }),
  update: endpoint({
    method: 'PATCH',
    path: '/api/frames/:id',
    summary: 'Change a frame. Omitted fields and settings stay as they are.',
    who: 'user',
    params: frameId,
    body: z.object({
      name: name.optional(),
      sessionIds: sessionIds.optional(),
      settings: frameSettings.partial().optional(),
      nsfw: z.boolean().optional(),
    }),
    answer: json(200, frame),
    failures: [frameProblems.frameNotFound, ...ofSessions],
  }),
  remove: endpoint({
    method: 'DELETE',
    path: '/api/frames/:id',
    summary: 'Delete a frame. Its link stops working.',
    who: 'user',
    params: frameId,
    answer: json(200, spokenMessage),
    failures: [frameProblems.frameNotFound],
  }),
  renew: endpoint({
    method: 'POST',
    path: '/api/frames/:id/renew',
    summary: 'Replace the link of a frame. The old link stops working.',
    who: 'user',
    params: frameId,
    answer: json(200, frameWithLink),
    failures: [frameProblems.frameNotFound],
  }),
  playlist: endpoint({
    method: 'GET',
    path: '/api/frames/:token/playlist',
    summary: 'The playlist of a frame, for anyone with its link. Has an ETag.',
    who: 'anyone',
    limit: { policy: 'room' },
    params: z.object({ token: z.string().regex(/^[\w-]{43}$/) }),
    badParams: frameProblems.frameNotFound,
    answer: json(
      200,
      z.object({
        name: z.string(),
        settings: frameSettings,
        /** Changes whenever the playlist changes. */
        version: z.string(),
        media: z.array(slide),
      }),
    ),
    failures: [],
  }),
}

/** Returns true for IANA names only: a fixed offset would be wrong for half of the year. */
function isTimeZone(text: string): boolean {
  if (!/^[A-Za-z]/.test(text)) return false
  try {
    return new Intl.DateTimeFormat('en', { timeZone: text }).resolvedOptions().timeZone !== ''
  } catch {
    return false
  }
}
