/** Captions: while a session plays, in the editor, and for a whole session (contract 4.3). */
import { z } from 'zod'
import { endpoint, json } from './endpoint.ts'
import { failure, sentence } from './failure.ts'
import { problems } from './problems.ts'
import { sessionProblems, shareFailures } from './session-records.ts'
import { listIndex, rowId } from './values.ts'

export const captionProblems = {
  captionsNotConfigured: failure(
    503,
    { error: 'Captions are not configured on this site', requiresApiKey: true },
    {},
  ),
  modelImageUnsupported: failure(
    422,
    { error: 'The caption model does not take pictures', code: 'MODEL_IMAGE_UNSUPPORTED' },
    { modelId: z.string().optional() },
  ),
  mediaTypeNotSupported: failure(
    415,
    { error: 'Media type not supported', code: 'MEDIA_TYPE_NOT_SUPPORTED' },
    { message: z.string() },
  ),
  animationNotSupported: failure(
    415,
    { error: 'Animated GIFs are not supported for AI captions.' },
    {},
  ),
  captionPictureTooLarge: failure(
    413,
    { error: 'File too large', code: 'FILE_TOO_LARGE' },
    { message: z.string() },
  ),
  imageHostNotAllowed: failure(400, { error: 'Image URL host is not allowed' }, {}),
  contentPolicy: failure(
    422,
    { error: 'The content was refused', code: 'CONTENT_POLICY' },
    { message: z.string() },
  ),
  captionProviderFailed: failure(
    502,
    { error: 'The caption could not be written', code: 'CAPTION_PROVIDER_FAILED' },
    {},
  ),
  captionProviderTimeout: failure(
    504,
    { error: 'The caption took too long', code: 'CAPTION_PROVIDER_TIMEOUT' },
    {},
  ),
  jobNotFound: sentence(404, 'Job not found'),
}

export const captionPictureMaxBytes = 20 * 1_048_576

/** The limit of a body with a picture: a data URL is a third larger than the picture. */
const bodyWithPictureMaxBytes = 28 * 1_048_576

const pictureAddress = z
  .string()
  .refine((address) => address.startsWith('data:') || address.length <= 4000, {
    error: 'must have at most 4000 characters',
  })
  .refine((address) => /^(https?:\/\/|data:|\/(media|demo)\/)/i.test(address), {
    error: 'must be an http(s) URL or a data URL',
  })

const caption = z.string().trim().min(1).max(2000)
const words = z.string().max(1000)
const neighbours = z.array(z.string().max(2000)).max(500)

const answered = z.object({ caption: z.string() })

const writingFailures = [
  captionProblems.captionsNotConfigured,
  captionProblems.contentPolicy,
  captionProblems.captionProviderFailed,
  captionProblems.captionProviderTimeout,
] as const

const pictureFailures = [
  ...writingFailures,
  captionProblems.modelImageUnsupported,
  captionProblems.mediaTypeNotSupported,
  captionProblems.captionPictureTooLarge,
  captionProblems.imageHostNotAllowed,
] as const

const notYours = [sessionProblems.sessionForbidden, sessionProblems.sessionNotFound] as const
const notOpen = [...notYours, ...shareFailures] as const

export const captions = {
  generate: endpoint({
    method: 'POST',
    path: '/api/generate-caption',
    summary: 'A caption for a slide that is about to be shown. Free.',
    who: 'user',
    limit: { policy: 'captions' },
    bodyMaxBytes: bodyWithPictureMaxBytes,
    body: z.object({
      media_url: pictureAddress,
      post_title: words.nullish(),
      subfeed: z.string().max(2100).nullish(),
      sessionId: rowId.nullish(),
    }),
    answer: json(200, answered),
    failures: [...pictureFailures, ...notOpen, problems.ageVerificationRequired],
  }),
  generateManual: endpoint({
    method: 'POST',
    path: '/api/manual/generate-ai-caption',
    summary: 'A caption for a slide in the editor that fits the captions around it.',
    who: 'user',
    price: 'smart_caption',
    bodyMaxBytes: bodyWithPictureMaxBytes,
    body: z.object({
      image: pictureAddress,
      context: z.object({
        sessionTitle: z.string().max(1000).nullish(),
        index: listIndex,
        total: listIndex,
        previousCaptions: neighbours.nullish(),
        nextCaptions: neighbours.nullish(),
        userSteering: words.nullish(),
        sessionStage: z.enum(['new_session', 'existing_session']).nullish(),
      }),
    }),
    answer: json(200, answered),
    failures: [...pictureFailures, captionProblems.animationNotSupported],
  }),
  rewrite: endpoint({
    method: 'POST',
    path: '/api/manual/rewrite-caption',
    summary: 'Rewrite a caption.',
    who: 'user',
    price: 'caption_rewrite',
    body: z.object({
      caption,
      instruction: words.nullish(),
      context: z
        .object({
          sessionTitle: z.string().max(1000).nullish(),
          previousCaptions: neighbours.nullish(),
          nextCaptions: neighbours.nullish(),
        })
        .nullish(),
    }),
    answer: json(200, answered),
    failures: [...writingFailures],
  }),
  rewriteBatch: endpoint({
    method: 'POST',
    path: '/api/manual/batch-rewrite-captions',
    summary: 'Rewrite many captions. Those that fail keep their text and cost nothing.',
    who: 'user',
    price: 'caption_batch_rewrite',
    body: z.object({
      sessionId: rowId.nullish(),
      captions: z
        .array(z.object({ index: listIndex, caption }))
        .min(1)
        .max(100),
      instruction: z.string().trim().min(1).max(1000),
    }),
    answer: json(
      200,
      z.object({
        captions: z.array(z.object({ index: z.int(), caption: z.string() })),
        creditsCharged: z.int(),
        failed: z.array(z.int()),
      }),
    ),
    failures: [
      captionProblems.captionsNotConfigured,
      ...notYours,
      problems.ageVerificationRequired,
    ],
  }),
  prewarm: endpoint({
    method: 'POST',
    path: '/api/captions/prewarm',
    summary: 'Prepare the captions of the first slides before a session is played.',
    who: 'user',
    body: z.object({ sessionId: rowId }),
    answer: json(202, z.object({ queued: z.int() })),
    failures: [captionProblems.captionsNotConfigured, ...notOpen, problems.ageVerificationRequired],
  }),
  captionSession: endpoint({
    method: 'POST',
    path: '/api/captions/ai',
    summary:
      'Caption a session in the background: the given slides, or all slides without a caption.',
    who: 'user',
    price: 'caption_batch_rewrite',
    body: z.object({
      sessionId: rowId,
      mediaIds: z.array(rowId).min(1).max(500).nullish(),
      steering: words.nullish(),
    }),
    answer: json(202, z.object({ jobId: z.string(), total: z.int() })),
    failures: [
      captionProblems.captionsNotConfigured,
      ...notYours,
      sessionProblems.mediaNotFound,
      problems.ageVerificationRequired,
    ],
  }),
  readJob: endpoint({
    method: 'GET',
    path: '/api/jobs/:id',
    summary: 'Progress of one of the caller’s background jobs.',
    who: 'user',
    params: z.object({ id: z.uuid() }),
    badParams: captionProblems.jobNotFound,
    answer: json(
      200,
      z.object({
        status: z.enum(['pending', 'running', 'completed', 'failed']),
        done: z.int(),
        total: z.int(),
        failed: z.int(),
      }),
    ),
    failures: [],
  }),
}
