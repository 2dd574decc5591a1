/** The vault: a person's own files (contract 1.4, 4.4). */
import { z } from 'zod'
import { endpoint, json } from './endpoint.ts'
import { failure, sentence } from './failure.ts'
import { problems } from './problems.ts'
import { sessionProblems, sharingProblems } from './session-records.ts'
import { pageLimit, pathId, someOf, spokenMessage, timestamp, trashQuery } from './values.ts'

export const vaultCategories = ['smart-caption', 'babecock', 'hypnococks', 'upload'] as const

export const uploadSources = [
  'general',
  'profile',
  'thumbnail',
  'smart-caption',
  'babecock',
  'hypnococks',
] as const

export const vaultProblems = {
  invalidMediaId: sentence(400, 'Invalid media ID'),
  noFile: sentence(400, 'No file uploaded'),
  fileTooLarge: failure(
    400,
    { error: 'FILE_TOO_LARGE' },
    { message: z.string(), suggestion: z.string() },
  ),
  uploadRefused: failure(
    400,
    { error: 'UPLOAD_ERROR' },
    { message: z.string().startsWith('Upload failed: '), suggestion: z.string() },
  ),
  storageFailed: failure(
    500,
    { error: 'STORAGE_ERROR' },
    { message: z.string(), suggestion: z.string() },
  ),
  storageMisconfigured: failure(
    503,
    { error: 'STORAGE_CONFIG_ERROR' },
    { message: z.string(), suggestion: z.string() },
  ),
  mediaListFailed: sentence(500, 'Failed to fetch user media'),
  mediaRecordNotDeleted: sentence(500, 'Failed to delete media from database'),
  mediaNotDeleted: sentence(500, 'Failed to delete media'),
  policyRequired: sentence(400, 'Policy confirmation is required for upload sharing'),
  tagRequired: sentence(400, 'At least one tag is required for upload sharing'),
  shareLinkNotMade: sentence(500, 'Failed to create share link'),
  mediaNotShared: sentence(500, 'Failed to share media'),
}

const vaultFile = z
  .object({
    id: z.int(),
    name: z.string(),
    originalName: z.string(),
    category: z.enum(vaultCategories),
    size: z.int(),
    lastModified: timestamp,
    created_at: timestamp,
    url: z.string(),
    path: z.string(),
    subfeed: z.string().nullable(),
    width: z.int(),
    height: z.int(),
    isShared: z.boolean(),
    shareCode: z.uuid().nullable(),
    characterName: z.string().nullable(),
    enrichmentStatus: z.enum(['pending', 'processing', 'completed', 'failed']),
    enrichedAt: timestamp.nullable(),
    /** The following fields are not in the contract; pages show them. */
    type: z.enum(['image', 'gif', 'video']),
    shareToCommunity: z.boolean(),
    durationMs: z.int().nullable(),
    /** WebP pictures of these widths. For a video they show its poster. */
    thumbnails: z.array(z.object({ width: z.int(), url: z.string() })),
    /** Slugs of tags. */
    tags: z.array(z.string()),
    isFavorite: z.boolean(),
  })
  .meta({ id: 'VaultFile' })

/** The SHA-256 of a file as it was sent, in hexadecimal. */
const contentHash = z.string().regex(/^[0-9a-f]{64}$/)

const mediaId = { params: z.object({ id: pathId }), badParams: vaultProblems.invalidMediaId }

const sharing = {
  shareToCommunity: z.boolean().default(true),
  tags: z.array(z.string().max(120)).max(10).default([]),
  policyAgreed: z.boolean().default(false),
  nsfw: z.boolean().default(true),
}

const shared = z.object({
  shareCode: z.uuidv4(),
  shareUrl: z.string(),
  communityUrl: z.string().optional(),
  communityMediaId: z.int().optional(),
})

const shareFailures = [
  sessionProblems.mediaNotFound,
  vaultProblems.policyRequired,
  vaultProblems.tagRequired,
  vaultProblems.shareLinkNotMade,
  problems.ageVerificationRequired,
  problems.contentBlocked,
  problems.storageUnreachable,
] as const

export const vault = {
  list: endpoint({
    method: 'GET',
    path: '/api/user/media',
    summary: 'The caller’s files, newest first.',
    who: 'user',
    query: z.object({
      category: z.enum(['all', ...vaultCategories]).default('all'),
      dateRange: z.enum(['all', 'today', 'week', 'month', 'year']).default('all'),
      search: z.string().max(200).optional(),
      limit: pageLimit(200).optional(),
      cursor: z.string().max(200).optional(),
    }),
    answer: json(
      200,
      z.object({
        files: z.array(vaultFile),
        totalCount: z.int(),
        categories: z.record(z.enum(vaultCategories), z.int()),
        nextCursor: z.string().nullable(),
      }),
    ),
    crashed: vaultProblems.mediaListFailed,
    failures: [],
  }),
  upload: endpoint({
    method: 'POST',
    path: '/api/media/upload',
    summary: 'Store a picture or a video.',
    who: 'user',
    limit: { policy: 'upload' },
    form: {
      file: 'file',
      fields: z.object({
        source: z.enum(uploadSources).default('general'),
        /** A key chosen by the sender: a file that is sent again with the same key is stored once. */
        key: z
          .string()
          .regex(/^[0-9a-f]{32}$/)
          .optional(),
      }),
    },
    answer: json(
      200,
      z.object({
        fileUrl: z.string(),
        fileName: z.string(),
        filePath: z.string(),
        source: z.enum(uploadSources),
        /** Null for files outside the vault: profile pictures and session thumbnails. */
        media: vaultFile.nullable(),
      }),
    ),
    failures: [
      problems.badRequest,
      vaultProblems.noFile,
      vaultProblems.fileTooLarge,
      vaultProblems.uploadRefused,
      problems.quotaExceeded,
      problems.contentBlocked,
      vaultProblems.storageFailed,
      vaultProblems.storageMisconfigured,
      problems.storageUnreachable,
    ],
  }),
  findKnown: endpoint({
    method: 'POST',
    path: '/api/user/media/known',
    summary: 'Which of these contents the caller’s vault already has.',
    who: 'user',
    limit: { policy: 'upload' },
    body: z.object({ hashes: z.array(contentHash).min(1).max(200) }),
    answer: json(
      200,
      z.object({
        known: z.array(z.object({ hash: contentHash, mediaId: z.int(), name: z.string() })),
      }),
    ),
    failures: [],
  }),
  read: endpoint({
    method: 'GET',
    path: '/api/user/media/:id',
    summary: 'One of the caller’s files and where it is used.',
    who: 'user',
    ...mediaId,
    answer: json(
      200,
      z.object({
        file: vaultFile,
        caption: z.string().nullable(),
        /** True if it was once published as adult. */
        nsfw: z.boolean(),
        /** Its tags and age rating in the community, while it is published. */
        published: z.object({ tags: z.array(z.string()), nsfw: z.boolean() }).nullable(),
        /** The caller’s latest sessions that show it, and the number of all such sessions. */
        sessions: z.array(z.object({ id: z.int(), title: z.string() })),
        sessionCount: z.int(),
      }),
    ),
    failures: [sessionProblems.mediaNotFound],
  }),
  mark: endpoint({
    method: 'PATCH',
    path: '/api/user/media/:id',
    summary: 'Set the tags of one of the caller’s files and whether it is a favourite.',
    who: 'user',
    ...mediaId,
    body: someOf(z.object({ tags: z.array(z.string().max(120)).max(20), isFavorite: z.boolean() })),
    answer: json(200, vaultFile),
    failures: [sessionProblems.mediaNotFound],
  }),
  remove: endpoint({
    method: 'DELETE',
    path: '/api/user/media/:id',
    summary: 'Delete a file with all that was published of it, or put it in the trash.',
    who: 'user',
    // A path below the caller's folder may be URL-encoded, as one value with slashes.
    params: z.object({ id: z.string().max(1100) }),
    badParams: vaultProblems.invalidMediaId,
    query: trashQuery,
    answer: json(200, spokenMessage),
    crashed: vaultProblems.mediaNotDeleted,
    failures: [sessionProblems.mediaNotFound, vaultProblems.mediaRecordNotDeleted],
  }),
  removeByPath: endpoint({
    method: 'DELETE',
    path: '/api/user/media/*',
    summary: 'Delete a file by its path below the caller’s folder.',
    who: 'user',
    params: z.object({ '*': z.string().max(1100) }),
    badParams: vaultProblems.invalidMediaId,
    query: trashQuery,
    answer: json(200, spokenMessage),
    crashed: vaultProblems.mediaNotDeleted,
    failures: [sessionProblems.mediaNotFound, vaultProblems.mediaRecordNotDeleted],
  }),
  share: endpoint({
    method: 'POST',
    path: '/api/media/:id/share',
    summary: 'Create a link to a file, or publish the file to the community.',
    who: 'user',
    ...mediaId,
    body: z.object(sharing),
    answer: json(200, shared),
    crashed: vaultProblems.mediaNotShared,
    failures: [...shareFailures],
  }),
  unshare: endpoint({
    method: 'DELETE',
    path: '/api/media/:id/share',
    summary: 'End the link of a file and withdraw the file from the community.',
    who: 'user',
    ...mediaId,
    answer: json(200, spokenMessage),
    failures: [sessionProblems.mediaNotFound],
  }),
  shareByPath: endpoint({
    method: 'POST',
    path: '/api/user/media/share',
    summary: 'Share a file by its path, even if it has no record yet.',
    who: 'user',
    body: z.object({ filePath: z.string().min(1).max(1100), ...sharing }),
    answer: json(200, shared),
    crashed: vaultProblems.mediaNotShared,
    failures: [...shareFailures],
  }),
  openShared: endpoint({
    method: 'GET',
    path: '/api/shared/media/:code',
    summary: 'The file of a link, for anyone.',
    who: 'anyone',
    params: z.object({ code: z.uuidv4() }),
    badParams: sharingProblems.shareNotFound,
    answer: json(
      200,
      z.object({
        name: z.string(),
        url: z.string(),
        type: z.enum(['image', 'gif', 'video']),
        width: z.int(),
        height: z.int(),
        ownerName: z.string(),
        createdAt: timestamp,
      }),
    ),
    failures: [sharingProblems.shareStopped],
  }),
}
