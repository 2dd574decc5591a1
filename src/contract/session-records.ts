/** What a session and a slide are on the wire, and how asking for one can fail (contract 1.2, 1.3). */
import { z } from 'zod'
import { credit } from './sources.ts'
import { failure, sentence } from './failure.ts'
import { transitions } from './transitions.ts'
import { timestamp } from './values.ts'

export const captionThemes = ['joi', 'forced-bi', 'beta', 'cbt', 'cuckold', 'custom'] as const

/** What the last look at the slides' addresses found; null before the first. */
const linkHealth = z.object({
  checkedAt: timestamp,
  /** Slides that can no longer be reached. */
  brokenCount: z.int(),
  /** Slides that were replaced since the session was filled. */
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
    /** Filled again once a day, free. */
    refreshDaily: z.boolean(),
    createdAt: timestamp,
    updatedAt: timestamp,
  })
  .meta({ id: 'Session' })

/** The widths in which there is a picture that this site holds. */
export const pictureWidths = [320, 640, 1280, 1920] as const

/** By width; what is not there is not made, or wider than the picture. */
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
    /** Null, as the thumbnail is, while the file of the vault that it shows is in the trash. */
    mediaUrl: z.string().nullable(),
    thumbnail: z.string().nullable(),
    caption: z.string().nullable(),
    type: z.enum(['image', 'gif', 'video']),
    feedPostId: z.string().nullable(),
    feedPostUrl: z.string().nullable(),
    subfeed: z.string().nullable(),
    /** What it shows, in its author's words. */
    alt: z.string().nullable(),
    /** Null for the owner's own. */
    credit: credit.nullable(),
    order: z.int(),
    width: z.int().nullable(),
    height: z.int().nullable(),
    durationMs: z.int().nullable(),
    /** How long a film or an animation is. */
    lengthMs: z.int().nullable(),
    nsfw: z.boolean(),
    /** The same picture as WebP in smaller widths; null for films, animations and what is small. */
    sizes: pictureSizes.nullable(),
    /** Where the eye goes: parts of its width and height, from the top left. */
    focus: z.object({ x: z.number().min(0).max(1), y: z.number().min(0).max(1) }).nullable(),
    /** What it shows can no longer be reached where it was. */
    isBroken: z.boolean(),
  })
  .meta({ id: 'Slide' })

/** Why something that was to be imported is not in the session. */
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
    /** The address or the name, as it was given. */
    source: z.string(),
    /** A sentence for people. */
    reason: z.string(),
    code: z.enum(skipCodes),
  })
  .meta({ id: 'SkippedMedia' })

export const sessionWithMedia = z.object({
  session,
  media: z.array(slide),
  /** What an import left out, for the owner; nobody else sees any. */
  skipped: z.array(skippedMedia),
  /** Whether media of its import is still on its way to files of its own. */
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
  /** Both for 30 days after the end; from then on the code is unknown. */
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
