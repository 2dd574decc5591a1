/** Rooms: one session on many screens in step, led by its host or by a phone (contract, section 17). */
import { z } from 'zod'
import { endpoint, json, stream } from './endpoint.ts'
import { failure, sentence } from './failure.ts'
import { problems } from './problems.ts'
import { isRoomCode } from './room-codes.ts'
import { sessionProblems, shareFailures, sharingProblems, slide } from './session-records.ts'
import { transitions } from './transitions.ts'
import { listIndex, pathId, rowId, spokenMessage, timestamp } from './values.ts'

export const roomCode = z
  .string()
  .transform((code) => code.toUpperCase())
  .refine((code) => isRoomCode(code))

export const reactions = [
  '👍',
  '👏',
  '🎉',
  '🔥',
  '😂',
  '😍',
  '😮',
  '😢',
  '🙏',
  '👀',
  '💯',
  '✨',
] as const

const interval = z.int().min(1).max(60)

const settings = z.object({
  intervalMin: interval,
  intervalMax: interval,
  transition: z.enum(transitions),
  captions: z.boolean(),
  loop: z.boolean(),
})

export const roomState = z
  .object({
    /** Increased by one with each command. */
    sequence: z.int(),
    status: z.enum(['waiting', 'playing', 'paused', 'ended']),
    slide: z.int(),
    /** Milliseconds of the server's clock. */
    slideStartedAt: z.number(),
    positionMs: z.number(),
    seed: z.string(),
    speed: z.number(),
    settings,
    blackout: z.boolean(),
  })
  .meta({ id: 'RoomState' })

const room = z
  .object({
    code: z.string(),
    session: z.object({
      title: z.string(),
      thumbnail: z.string().nullable(),
      mediaCount: z.int(),
      nsfw: z.boolean(),
    }),
    state: roomState,
    /** The sessions that a remote may switch to, in the host's order. Only host and remotes see them. */
    sessions: z.array(z.object({ id: z.int(), title: z.string() })).optional(),
    /** The number of open event streams. */
    screens: z.int(),
    createdAt: timestamp,
    endsAt: timestamp,
  })
  .meta({ id: 'Room' })

const maxRoomSessions = 50
const ifSequence = z.int32().optional()
const simpleCommands = ['play', 'pause', 'next', 'previous', 'end'] as const

const command = z.discriminatedUnion('command', [
  z.object({ command: z.enum(simpleCommands), ifSequence }),
  z.object({ command: z.literal('seek'), slide: listIndex, ifSequence }),
  z.object({ command: z.literal('speed'), speed: z.number().min(0.25).max(4), ifSequence }),
  z.object({ command: z.literal('settings'), settings: settings.partial(), ifSequence }),
  z.object({ command: z.literal('blackout'), blackout: z.boolean(), ifSequence }),
  z.object({ command: z.literal('swap'), sessionId: rowId, ifSequence }),
  z.object({
    command: z.literal('sessions'),
    sessionIds: z.array(rowId).max(maxRoomSessions),
    ifSequence,
  }),
])

export type RoomState = z.output<typeof roomState>
export type RoomCommand = z.output<typeof command>

export const roomProblems = {
  roomNotFound: sentence(404, 'Room not found'),
  staleRoom: failure(409, { error: 'Conflict' }, { message: z.string(), state: roomState }),
}

/** The common part of endpoints in a room. A caller without the code of an open room learns nothing else. */
const inRoom = {
  who: 'anyone',
  takesKeys: true,
  limit: { policy: 'room' },
  params: z.object({ code: roomCode }),
  badParams: roomProblems.roomNotFound,
} as const

/** The failures of commands of a host or a remote. A remote sends its token. */
const leaders = [
  problems.unauthorized,
  problems.accountDisabled,
  problems.scopeMissing,
  problems.forbidden,
] as const

export const rooms = {
  time: endpoint({
    method: 'GET',
    path: '/api/time',
    summary: 'The time of the server in milliseconds.',
    who: 'anyone',
    answer: json(200, z.object({ now: z.number() })),
    failures: [],
  }),
  open: endpoint({
    method: 'POST',
    path: '/api/rooms',
    summary: 'Open a room that plays a session on many screens.',
    who: 'user',
    limit: { policy: 'room' },
    body: z
      .object({
        sessionId: rowId.optional(),
        shareCode: z.uuidv4().optional(),
        loop: z.boolean().default(false),
      })
      .refine(
        ({ sessionId, shareCode }) => (sessionId === undefined) !== (shareCode === undefined),
        { error: 'must have exactly one of sessionId and shareCode' },
      ),
    answer: json(
      201,
      z.object({ room, hostUrl: z.string(), joinUrl: z.string(), tvUrl: z.string() }),
    ),
    failures: [
      sessionProblems.sessionNotFound,
      sessionProblems.sessionForbidden,
      sharingProblems.shareNotFound,
      ...shareFailures,
      problems.ageVerificationRequired,
      problems.contentBlocked,
    ],
  }),
  read: endpoint({
    method: 'GET',
    path: '/api/rooms/:code',
    summary: 'A room with its slides, for anyone with its code.',
    ...inRoom,
    answer: json(200, z.object({ room, media: z.array(slide) })),
    failures: [problems.ageVerificationRequired],
  }),
  events: endpoint({
    method: 'GET',
    path: '/api/rooms/:code/events',
    summary: 'Server-sent events: the state on each change, screens, reactions, changed slides.',
    ...inRoom,
    // A screen that reconnects costs nothing; a wrong code does.
    limit: { policy: 'room', counts: 'failures' },
    answer: stream('text/event-stream'),
    failures: [problems.ageVerificationRequired],
  }),
  command: endpoint({
    method: 'POST',
    path: '/api/rooms/:code/commands',
    summary: 'Control a room as its host, or with a remote’s token in X-Room-Remote.',
    ...inRoom,
    body: command,
    answer: json(200, z.object({ state: roomState })),
    failures: [
      ...leaders,
      roomProblems.staleRoom,
      sessionProblems.sessionNotFound,
      sessionProblems.sessionForbidden,
      problems.ageVerificationRequired,
    ],
  }),
  addRemote: endpoint({
    method: 'POST',
    path: '/api/rooms/:code/remotes',
    summary: 'Create a link that lets a phone control the room. Its token is shown only once.',
    ...inRoom,
    answer: json(201, z.object({ id: z.int(), token: z.string(), remoteUrl: z.string() })),
    failures: [...leaders],
  }),
  listRemotes: endpoint({
    method: 'GET',
    path: '/api/rooms/:code/remotes',
    summary: 'The remotes of the caller’s room.',
    ...inRoom,
    answer: json(
      200,
      z.array(z.object({ id: z.int(), createdAt: timestamp, lastUsedAt: timestamp.nullable() })),
    ),
    failures: [...leaders],
  }),
  removeRemote: endpoint({
    method: 'DELETE',
    path: '/api/rooms/:code/remotes/:id',
    summary: 'Remove a remote from the caller’s room.',
    ...inRoom,
    params: z.object({ code: roomCode, id: pathId }),
    badParams: problems.invalidId,
    answer: json(200, spokenMessage),
    failures: [...leaders, problems.notFound, roomProblems.roomNotFound],
  }),
  react: endpoint({
    method: 'POST',
    path: '/api/rooms/:code/reactions',
    summary: 'Send a reaction that all screens of a room show.',
    ...inRoom,
    body: z.object({ emoji: z.enum(reactions) }),
    answer: json(202, spokenMessage),
    failures: [problems.ageVerificationRequired],
  }),
}
