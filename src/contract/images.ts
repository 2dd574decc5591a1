/** Picture tools: compose, animate, cover (contract 4.5). The contract uses other names in the API. */
import { z } from 'zod'
import { maxRegions } from './cover-grid.ts'
import { endpoint, json } from './endpoint.ts'
import { failure } from './failure.ts'
import { problems } from './problems.ts'
import { timestamp } from './values.ts'

export const pictureProblems = {
  invalidPicture: failure(
    400,
    { error: 'Bad Request', code: 'INVALID_INPUT' },
    { message: z.string() },
  ),
  pictureTooLarge: failure(
    413,
    { error: 'Payload Too Large', code: 'FILE_TOO_LARGE' },
    { message: z.string() },
  ),
}

export const pictureMaxBytes = 20 * 1_048_576
/** The limit for two pictures. A picture in a data URI is a third larger. */
const twoPicturesMaxBytes = 2 * 28 * 1_048_576

// Limited only by the body: a picture that is too large is not a validation error.
const pictureAddress = z.string().min(1)
const dimensions = z.object({ width: z.int(), height: z.int() })
const layouts = ['auto', 'side-by-side', 'top-bottom'] as const
const layoutMade = z.enum(['side-by-side', 'top-bottom'])
const saveToVault = z.boolean().default(false)
const pictureFailures = [
  pictureProblems.invalidPicture,
  pictureProblems.pictureTooLarge,
  problems.quotaExceeded,
  problems.storageUnreachable,
] as const

const composed = z.object({
  success: z.literal(true),
  imageUrl: z.string(),
  layout: layoutMade,
  dimensions,
  mediaId: z.int().optional(),
})

const uploaded = {
  method: 'POST',
  who: 'user',
  form: { file: 'image', fields: z.object({}), inMemoryMaxBytes: pictureMaxBytes },
  answer: json(200, z.object({ imageUrl: z.string(), width: z.int(), height: z.int() })),
  failures: [problems.badRequest, ...pictureFailures, problems.contentBlocked],
} as const

const temporaryResult = z
  .object({
    imageUrl: z.string(),
    tool: z.enum(['composition', 'animation', 'censoring']),
    width: z.int(),
    height: z.int(),
    durationMs: z.int().nullable(),
    /** The layout of a composition and the start of its second picture. Null for other results. */
    layout: layoutMade.nullable(),
    seam: z.int().nullable(),
    /** The vault file that it was saved as. */
    mediaId: z.int().nullable(),
    createdAt: timestamp,
    expiresAt: timestamp,
  })
  .meta({ id: 'TemporaryResult' })

export const images = {
  compose: endpoint({
    method: 'POST',
    path: '/api/babecock/generate',
    summary: 'Place two pictures beside or above each other.',
    who: 'user',
    price: 'babecock_generate',
    bodyMaxBytes: twoPicturesMaxBytes,
    body: z.object({
      babeImageUrl: pictureAddress,
      cockImageUrl: pictureAddress,
      layout: z.enum(layouts).default('auto'),
      saveToVault,
    }),
    answer: json(200, composed),
    failures: [...pictureFailures, problems.contentBlocked],
  }),
  uploadFirst: endpoint({
    ...uploaded,
    path: '/api/babecock/upload-babe',
    summary: 'Upload the first picture of a composition; kept for 24 hours.',
  }),
  uploadSecond: endpoint({
    ...uploaded,
    path: '/api/babecock/upload-cock',
    summary: 'Upload the second picture of a composition; kept for 24 hours.',
  }),
  remix: endpoint({
    method: 'POST',
    path: '/api/babecock/remix',
    summary: 'Change the layout of one’s own composition.',
    who: 'user',
    price: 'babecock_remix',
    body: z.object({
      imageUrl: z.string().min(1).max(4000),
      layout: z.enum(layouts).optional(),
      swap: z.boolean().default(false),
    }),
    answer: json(200, composed),
    failures: [pictureProblems.invalidPicture, problems.quotaExceeded, problems.storageUnreachable],
  }),
  save: endpoint({
    method: 'POST',
    path: '/api/babecock/save',
    summary: 'Save a temporary result to the vault.',
    who: 'user',
    body: z.object({
      imageUrl: z.string().min(1).max(4000),
      name: z.string().trim().min(1).max(100).optional(),
    }),
    answer: json(201, z.object({ mediaId: z.int(), url: z.string() })),
    failures: [pictureProblems.invalidPicture, problems.quotaExceeded, problems.storageUnreachable],
  }),
  results: endpoint({
    method: 'GET',
    path: '/api/images/results',
    summary: 'The caller’s temporary results of the last 24 hours, newest first, at most 100.',
    who: 'user',
    answer: json(200, z.object({ items: z.array(temporaryResult) })),
    failures: [],
  }),
  discard: endpoint({
    method: 'POST',
    path: '/api/images/discard',
    summary: 'Delete a temporary result early. Its copy in the vault stays.',
    who: 'user',
    body: z.object({ imageUrl: z.string().min(1).max(4000) }),
    answer: json(200, z.object({ discarded: z.literal(true) })),
    failures: [pictureProblems.invalidPicture],
  }),
  animate: endpoint({
    method: 'POST',
    path: '/api/hypnococks/generate',
    summary: 'Make an animation of pictures.',
    who: 'user',
    price: 'hypnococks_generate',
    bodyMaxBytes: twoPicturesMaxBytes,
    body: z.object({
      imageUrls: z.array(pictureAddress).min(2).max(24),
      frameMs: z.int().min(40).max(2000),
      effect: z.enum(['cut', 'crossfade', 'zoom']),
      text: z.string().trim().max(200).optional(),
      size: z.int().min(128).max(1024),
      format: z.enum(['gif', 'webp']),
      saveToVault,
    }),
    answer: json(
      200,
      z.object({
        success: z.literal(true),
        imageUrl: z.string(),
        frames: z.int(),
        durationMs: z.int(),
        dimensions,
        mediaId: z.int().optional(),
      }),
    ),
    failures: [...pictureFailures, problems.contentBlocked],
  }),
  censor: endpoint({
    method: 'POST',
    path: '/api/images/censor',
    summary: 'Cover regions of a picture so that their content cannot be recovered.',
    who: 'user',
    price: 'image_censor',
    bodyMaxBytes: twoPicturesMaxBytes,
    body: z.object({
      imageUrl: pictureAddress,
      regions: z
        .array(
          z.object({
            x: z.number().min(0).max(1),
            y: z.number().min(0).max(1),
            width: z.number().gt(0).max(1),
            height: z.number().gt(0).max(1),
          }),
        )
        .min(1)
        .max(maxRegions),
      mode: z.enum(['blur', 'pixelate', 'bar']),
      strength: z.int().min(1).max(10),
      saveToVault,
    }),
    answer: json(
      200,
      z.object({
        success: z.literal(true),
        imageUrl: z.string(),
        dimensions,
        mediaId: z.int().optional(),
      }),
    ),
    failures: [...pictureFailures, problems.contentBlocked],
  }),
}
