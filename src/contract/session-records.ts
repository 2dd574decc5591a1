/** Sessions and slides as sent to clients, and the failures of reading them (contract 1.2, 1.3). */
import { z } from 'zod'
import { credit } from './sources.ts'
import { failure, sentence } from './failure.ts'
import { transitions } from './transitions.ts'
import { timestamp } from './values.ts'

export const captionThemes = ['joi', 'forced-bi', 'beta', 'cbt', 'cuckold', 'custom'] as const

/** The result of the last check of the slides' addresses. Null before the first check. */
const linkHealth = z.object({
  checkedAt: timestamp,
  /** The number of slides that can no longer be loaded. */
  brokenCount: z.int(),
  /** The number of slides that were replaced since the session was filled. */
  replacedCount: z.int(),
})

export const session = z
  .object({
    id: z.int(),
    title: z.string(),
    userId: z.string(),
    subfeeds: z.array(z.string()),
    categoryId: z.int(),
    categorySource: z.enum(['manual', 'default']),
    intervalMin: z.int(),
    intervalMax: z.int(),
    transition: z.enum(transitions),
    thumbnail: z.string().nullable(),
    aiPrompt: z.string().nullable(),
    captionTheme: z.enum(captionThemes).nullable(),
    isPublic: z.boolean(),
    shareToCommunity: z.boolean(),
    isFavorite: z.boolean(),
    isManualMode: z.boolean(),
    isImported: z.boolean(),
    importSource: z.string().nullable(),
    importUrl: z.string().nullable(),
    tags: z.array(z.string()),
    nsfw: z.boolean(),
    mediaCount: z.int(),
    fillStatus: z.enum(['pending', 'filling', 'ready', 'failed']),
    fillError: z.string().nullable(),
    linkHealth: linkHealth.nullable(),
    /** True if it is filled again once a day, free of charge. */
    refreshDaily: z.boolean(),
    createdAt: timestamp,
    updatedAt: timestamp,
  })
  .meta({ id: 'Session' })

/** The widths of resized pictures of files that this site stores. */
export const pictureWidths = [320, 640, 1280, 1920] as const

/** The URLs by width. A missing width is not made yet, or is wider than the picture. */
const pictureSizes = z.object({
  320: z.string().optional(),
  640: z.string().optional(),
  1280: z.string().optional(),
  1920: z.string().optional(),
})

export const slide = z
  .object({
    id: z.int(),
    sessionId: z.int().nullable(),
    /** Null, like the thumbnail, while its vault file is in the trash. */
    mediaUrl: z.string().nullable(),
    thumbnail: z.string().nullable(),
    caption: z.string().nullable(),
    type: z.enum(['image', 'gif', 'video']),
    feedPostId: z.string().nullable(),
    feedPostUrl: z.string().nullable(),
    subfeed: z.string().nullable(),
    /** The author's description of the picture (alt text). */
    alt: z.string().nullable(),
    /** Null for the owner's own pictures. */
    credit: credit.nullable(),
    order: z.int(),
    width: z.int().nullable(),
    height: z.int().nullable(),
    durationMs: z.int().nullable(),
    /** The length of a film or an animation. */
    lengthMs: z.int().nullable(),
    nsfw: z.boolean(),
    /** The same picture as WebP in smaller widths. Null for films, animations and small pictures. */
    sizes: pictureSizes.nullable(),
    /** The focus of the picture: fractions of its width and height, from the top left. */
    focus: z.object({ x: z.number().min(0).max(1), y: z.number().min(0).max(1) }).nullable(),
    /** True if its address can no longer be loaded. */
    isBroken: z.boolean(),
  })
  .meta({ id: 'Slide' })

/** The reasons why something was not imported. */
export const skipCodes = [
  'invalid_address',
  'refused_address',
  'not_found',
  'unreachable',
  'not_media',
  'no_media',
  'too_large',
  'too_many',
  'unreadable',
  'blocked',
  'age_restricted',
  'interrupted',
  'over_quota',
] as const

export const skippedMedia = z
  .object({
    /** The address or the name as it was sent. */
    source: z.string(),
    /** A sentence for people. */
    reason: z.string(),
    code: z.enum(skipCodes),
  })
  .meta({ id: 'SkippedMedia' })

export const sessionWithMedia = z.object({
  session,
  media: z.array(slide),
  /** The items that an import skipped. Only the owner sees them. */
  skipped: z.array(skippedMedia),
  /** True while media of its import is still being copied to its own files. */
  isCopying: z.boolean(),
})

export const sessionProblems = {
  invalidSessionId: sentence(400, 'Invalid session ID'),
  authenticationRequired: sentence(401, 'Authentication required'),
  sessionNotFound: sentence(404, 'Session not found'),
  sessionForbidden: sentence(403, 'You do not have access to this session'),
  staleSession: failure(
    412,
    { error: 'Precondition Failed' },
    { message: z.string(), updatedAt: timestamp },
  ),
  mediaNotFound: sentence(404, 'Media not found'),
  playNotFound: sentence(404, 'Play not found'),
}

export const sharingProblems = {
  shareNotFound: sentence(404, 'Share not found'),
  sessionNotShared: sentence(404, 'Session is not shared'),
  sharingFailed: sentence(500, 'Failed to share session'),
  shareClosed: sentence(401, 'This share needs an account or a password'),
  embedFormat: sentence(501, 'Only format=json is offered'),
  /** Both are returned for 30 days after the end. After that the code is unknown. */
  shareExpired: failure(410, { message: 'This share has expired', code: 'SHARE_EXPIRED' }, {}),
  shareStopped: failure(
    410,
    { message: 'The owner has stopped sharing this', code: 'SHARE_STOPPED' },
    {},
  ),
  downloadOff: failure(
    403,
    { message: 'The owner does not offer this session for download', code: 'DOWNLOAD_OFF' },
    {},
  ),
  sharePassword: failure(
    401,
    { message: 'This share needs a password', requiresPassword: true },
    {},
  ),
}

/** Failures of a link that has ended or needs a password. */
export const shareFailures = [
  sharingProblems.shareExpired,
  sharingProblems.shareStopped,
  sharingProblems.sharePassword,
] as const
