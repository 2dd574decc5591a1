/** Moderation for people in pictures: reports, decisions, and notices (contract, section 10). */
import { z } from 'zod'
import { endpoint, json } from './endpoint.ts'
import { problems } from './problems.ts'
import { roomCode } from './rooms.ts'
import { pageLimit, pathId, rowId, spokenMessage, timestamp } from './values.ts'

export const reportReasons = ['non_consensual', 'minor', 'copyright', 'illegal', 'other'] as const
export const reportActions = ['dismiss', 'remove', 'remove_and_block'] as const

const communityTargets = ['community_media', 'community_session'] as const
const sharedTargets = ['shared_media', 'shared_session'] as const
const roomTarget = 'room'

const said = {
  reason: z.enum(reportReasons),
  details: z.string().max(2000).default(''),
  contact: z.string().max(320).optional(),
}

const target = z.discriminatedUnion('targetType', [
  z.object({
    targetType: z.enum(communityTargets),
    targetId: rowId,
    ...said,
  }),
  z.object({ targetType: z.enum(sharedTargets), shareCode: z.uuidv4(), ...said }),
  z.object({ targetType: z.literal(roomTarget), shareCode: roomCode, ...said }),
])

const report = z
  .object({
    id: z.int(),
    targetType: z.enum([...communityTargets, ...sharedTargets, roomTarget]),
    targetId: z.int().nullable(),
    shareCode: z.string().nullable(),
    reason: z.enum(reportReasons),
    details: z.string(),
    contact: z.string().nullable(),
    /** The reported content as it was then. Administrators can open the addresses even while it is hidden. */
    evidence: z.object({
      title: z.string(),
      ownerId: z.string(),
      ownerName: z.string(),
      urls: z.array(z.string()),
    }),
    isHidden: z.boolean(),
    action: z.enum(reportActions).nullable(),
    note: z.string().nullable(),
    decidedBy: z.string().nullable(),
    decidedAt: timestamp.nullable(),
    createdAt: timestamp,
  })
  .meta({ id: 'Report' })

const notice = z
  .object({ id: z.int(), message: z.string(), createdAt: timestamp, readAt: timestamp.nullable() })
  .meta({ id: 'Notice' })

/** A page of a list, starting after an id. */
const page = {
  limit: pageLimit(100).default(50),
  cursor: pathId.optional(),
}

export const moderation = {
  report: endpoint({
    method: 'POST',
    path: '/api/reports',
    summary: 'Report something that was shared or published. Needs no account.',
    who: 'anyone',
    limit: { policy: 'report' },
    body: target,
    answer: json(202, z.object({ reportId: z.int() })),
    failures: [problems.notFound],
  }),
  listReports: endpoint({
    method: 'GET',
    path: '/api/admin/reports',
    summary: 'The queue of reports: open reports oldest first, decided reports newest first.',
    who: 'admin',
    query: z.object({ status: z.enum(['open', 'decided']).default('open'), ...page }),
    answer: json(200, z.object({ items: z.array(report), nextCursor: z.string().nullable() })),
    failures: [],
  }),
  reportStats: endpoint({
    method: 'GET',
    path: '/api/admin/reports/stats',
    summary: 'The number of reports and the time to a decision.',
    who: 'admin',
    answer: json(
      200,
      z.object({
        open: z.int(),
        oldestOpenAt: timestamp.nullable(),
        decided: z.object({ dismiss: z.int(), remove: z.int(), remove_and_block: z.int() }),
        medianSecondsToDecision: z.number().nullable(),
        slowestSecondsToDecision: z.number().nullable(),
      }),
    ),
    failures: [],
  }),
  reportReach: endpoint({
    method: 'GET',
    path: '/api/admin/reports/:id/reach',
    summary: 'Where else the reported content appears, and earlier reports about its owner.',
    who: 'admin',
    params: z.object({ id: pathId }),
    answer: json(
      200,
      z.object({
        shareCodes: z.int(),
        publications: z.int(),
        /** Sessions that show the picture, and copies of the session that other people have saved. */
        sessions: z.int(),
        /** Files that were copied or made from it, counted up to 1000. */
        files: z.int(),
        /** Other reports about anything of the same owner. */
        ownerReports: z.object({ open: z.int(), dismissed: z.int(), removed: z.int() }),
      }),
    ),
    failures: [problems.notFound],
  }),
  resolveReport: endpoint({
    method: 'POST',
    path: '/api/admin/reports/:id/resolve',
    summary: 'Decide a report and all other open reports about the same content.',
    who: 'admin',
    params: z.object({ id: pathId }),
    body: z.object({ action: z.enum(reportActions), note: z.string().max(2000).default('') }),
    answer: json(200, report.extend({ blockedPictures: z.int() })),
    failures: [problems.notFound, problems.alreadyExists],
  }),
  listNotices: endpoint({
    method: 'GET',
    path: '/api/user/notices',
    summary: 'The caller’s notices, newest first.',
    who: 'user',
    query: z.object(page),
    answer: json(
      200,
      z.object({ items: z.array(notice), unread: z.int(), nextCursor: z.string().nullable() }),
    ),
    failures: [],
  }),
  readNotices: endpoint({
    method: 'POST',
    path: '/api/user/notices/read',
    summary: 'Mark all notices as read.',
    who: 'user',
    answer: json(200, spokenMessage),
    failures: [],
  }),
}
