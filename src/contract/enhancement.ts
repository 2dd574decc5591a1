/** Image enhancement: a metered pipeline with consent, limits, fallback and refunds (contract 4.6). */
import { z } from 'zod'
import { endpoint, json, stream } from './endpoint.ts'
import { failure } from './failure.ts'
import { problems } from './problems.ts'
import { consentPolicyVersion, enhancementMaxBytes } from './enhancement-limits.ts'
import { pathId, rowId, timestamp } from './values.ts'

export const enhancementQualities = ['low', 'high'] as const
export const enhancementProviders = ['provider_a', 'provider_b'] as const
export type Quality = (typeof enhancementQualities)[number]
export type ProviderName = (typeof enhancementProviders)[number]

export const enhancementProblems = {
  consentRequired: failure(
    403,
    { error: 'You must agree to the policy first', code: 'CONSENT_REQUIRED' },
    {},
  ),
  enhancementInput: failure(400, { code: 'INVALID_INPUT' }, { error: z.string() }),
  enhancementTooLarge: failure(
    413,
    { error: 'The picture is larger than 25 MB', code: 'FILE_TOO_LARGE' },
    {},
  ),
  safetyRejected: failure(
    422,
    { error: 'This picture cannot be worked on', code: 'SAFETY_REJECTED' },
    {},
  ),
  dailyLimitReached: failure(
    429,
    { error: 'No more enhancements today', code: 'DAILY_LIMIT_REACHED' },
    { used: z.int(), limit: z.int(), resetAt: timestamp },
  ),
  concurrentLimitReached: failure(
    429,
    { error: 'Too many enhancements at a time', code: 'CONCURRENT_LIMIT_REACHED' },
    { limit: z.int() },
  ),
  enhancementUnaffordable: failure(
    402,
    { error: 'Insufficient credits', code: 'INSUFFICIENT_CREDITS' },
    // The fields of every refusal for lack of credits (section 5).
    { required: z.int(), available: z.int(), current: z.int(), featureKey: z.string() },
  ),
  providerUnavailable: failure(
    503,
    {
      error: 'No provider is available at the moment; nothing was charged',
      code: 'PROVIDER_UNAVAILABLE',
    },
    {},
  ),
  generationNotFound: failure(404, { error: 'Generation not found', code: 'NOT_FOUND' }, {}),
}

const providerState = z.object({ available: z.boolean() })

const generation = z
  .object({
    id: z.int(),
    status: z.enum(['pending', 'completed', 'failed']),
    quality: z.enum(enhancementQualities),
    /** The following fields are null until it is completed. */
    resultUrl: z.string().nullable(),
    width: z.int().nullable(),
    height: z.int().nullable(),
    processingTimeMs: z.int().nullable(),
    /** The vault file that it was saved as. */
    mediaId: z.int().nullable(),
    isRefunded: z.boolean(),
    createdAt: timestamp,
  })
  .meta({ id: 'Generation' })

export const enhancement = {
  generate: endpoint({
    method: 'POST',
    path: '/api/enhance/generate',
    summary: 'Enlarge and sharpen a picture.',
    who: 'user',
    price: 'image_enhance_low',
    form: {
      file: 'image',
      fields: z.object({ quality: z.enum(enhancementQualities) }),
      inMemoryMaxBytes: enhancementMaxBytes,
    },
    invalid: enhancementProblems.enhancementInput,
    unaffordable: enhancementProblems.enhancementUnaffordable,
    answer: json(
      200,
      z.object({
        success: z.literal(true),
        resultUrl: z.string(),
        generationId: z.int(),
        quality: z.enum(enhancementQualities),
        provider: z.enum(enhancementProviders),
        processingTimeMs: z.int(),
        creditsCharged: z.int(),
        creditsRemaining: z.int(),
      }),
    ),
    failures: [
      enhancementProblems.consentRequired,
      enhancementProblems.enhancementTooLarge,
      enhancementProblems.safetyRejected,
      enhancementProblems.dailyLimitReached,
      enhancementProblems.concurrentLimitReached,
      enhancementProblems.providerUnavailable,
      problems.badRequest,
      problems.quotaExceeded,
      problems.storageUnreachable,
    ],
  }),
  giveConsent: endpoint({
    method: 'POST',
    path: '/api/enhance/consent',
    summary: 'Agree to the enhancement policy.',
    who: 'user',
    body: z.object({ version: z.literal(consentPolicyVersion) }),
    answer: json(
      200,
      z.object({ accepted: z.literal(true), version: z.int(), acceptedAt: timestamp }),
    ),
    failures: [],
  }),
  consentStatus: endpoint({
    method: 'GET',
    path: '/api/enhance/consent/status',
    summary: 'Whether the caller has agreed to the enhancement policy.',
    who: 'user',
    answer: json(
      200,
      z.object({ accepted: z.boolean(), version: z.int(), acceptedAt: timestamp.nullable() }),
    ),
    failures: [],
  }),
  status: endpoint({
    method: 'GET',
    path: '/api/enhance/status',
    summary: 'Which providers are available at the moment.',
    who: 'user',
    answer: json(200, z.object({ provider_a: providerState, provider_b: providerState })),
    failures: [],
  }),
  recent: endpoint({
    method: 'GET',
    path: '/api/enhance/recent',
    summary: 'The caller’s last 30 enhancements and the use of the limits.',
    who: 'user',
    answer: json(
      200,
      z.object({
        today: z.object({ used: z.int(), limit: z.int(), resetAt: timestamp }),
        atOnce: z.object({ used: z.int(), limit: z.int() }),
        items: z.array(generation),
      }),
    ),
    failures: [],
  }),
  download: endpoint({
    method: 'POST',
    path: '/api/enhance/:id/download',
    summary: 'The enhanced picture as a file.',
    who: 'user',
    params: z.object({ id: pathId }),
    answer: stream('image/*'),
    failures: [enhancementProblems.generationNotFound, problems.storageUnreachable],
  }),
  saveResult: endpoint({
    method: 'POST',
    path: '/api/enhance/save-result',
    summary: 'Save an enhanced picture to the vault.',
    who: 'user',
    body: z.object({ generationId: rowId }),
    answer: json(201, z.object({ mediaId: z.int() })),
    failures: [
      enhancementProblems.generationNotFound,
      problems.quotaExceeded,
      problems.storageUnreachable,
    ],
  }),
  clearStuck: endpoint({
    method: 'POST',
    path: '/api/enhance/clear-stuck',
    summary: 'End the caller’s enhancements that have lost their worker.',
    who: 'user',
    answer: json(200, z.object({ cleared: z.int(), refunded: z.int() })),
    failures: [],
  }),
}
