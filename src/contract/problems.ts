/** The failures that several endpoints share (contract, section 5). Others are beside their endpoints. */
import { z } from 'zod'
import { failure, sentence } from './failure.ts'

const schemaIssue = z.object({
  code: z.string(),
  expected: z.string(),
  received: z.string(),
  path: z.array(z.union([z.string(), z.number()])),
  message: z.string(),
})

/** Additional failures of a call that costs credits. */
export const paidProblems = {
  insufficientCredits: failure(
    402,
    { error: 'Insufficient credits', code: 'INSUFFICIENT_CREDITS' },
    { required: z.int(), current: z.int(), featureKey: z.string() },
  ),
  premiumOnly: failure(
    403,
    { error: 'This feature needs a paid tier', code: 'PREMIUM_ONLY' },
    { featureKey: z.string() },
  ),
  pricingMissing: failure(
    503,
    { error: 'This feature has no price at the moment', code: 'FEATURE_PRICING_MISSING' },
    { featureKey: z.string() },
  ),
  idempotencyConflict: failure(
    409,
    { error: 'This Idempotency-Key was used for another request', code: 'IDEMPOTENCY_CONFLICT' },
    {},
  ),
  idempotencyInProgress: failure(
    409,
    {
      error: 'The first call with this Idempotency-Key is still running',
      code: 'IDEMPOTENCY_IN_PROGRESS',
    },
    {},
  ),
  interrupted: failure(
    503,
    { error: 'The work was interrupted; its credits were refunded', code: 'INTERRUPTED' },
    {},
  ),
}

export const problems = {
  badRequest: failure(400, { error: 'Bad Request' }, { message: z.string() }),
  validationFailed: failure(
    400,
    { error: 'Validation Error' },
    {
      message: z.string(),
      details: z.object({ issues: z.array(schemaIssue) }).optional(),
    },
  ),
  alreadyExists: failure(
    400,
    { error: 'Validation Error', code: 'ALREADY_EXISTS' },
    { message: z.string() },
  ),
  /** The form of the older listing and feed endpoints: one sentence after a fixed prefix. */
  validationError: failure(400, {}, { message: z.string().startsWith('Validation error: ') }),
  invalidId: sentence(400, 'Invalid ID'),
  unauthorized: sentence(401, 'Unauthorized'),
  accountDisabled: sentence(403, 'Account is disabled'),
  forbidden: sentence(403, 'Forbidden'),
  /** The answer of an endpoint that needs a sign-in to a key without its scope. */
  scopeMissing: failure(
    403,
    { error: 'Forbidden', code: 'SCOPE_MISSING' },
    { message: z.string() },
  ),
  crossSite: sentence(403, 'Cross-site request refused'),
  /** The answer of a development server to a request for a host name of another machine. */
  unknownHost: sentence(403, 'Unknown host'),
  ageVerificationRequired: failure(
    403,
    { error: 'Forbidden', code: 'AGE_VERIFICATION_REQUIRED' },
    { message: z.string() },
  ),
  notFound: sentence(404, 'Not Found'),
  contentBlocked: failure(
    422,
    { error: 'Unprocessable Content', code: 'CONTENT_BLOCKED' },
    { message: z.string() },
  ),
  /** The new data does not fit into the account's storage (section 15). */
  quotaExceeded: failure(
    413,
    { error: 'QUOTA_EXCEEDED', code: 'QUOTA_EXCEEDED' },
    {
      message: z.string(),
      usedBytes: z.int(),
      quotaBytes: z.int(),
      suggestion: z.string(),
    },
  ),
  tooLarge: failure(413, { error: 'Payload Too Large' }, { message: z.string() }),
  unsupportedMediaType: failure(415, { error: 'Unsupported Media Type' }, { message: z.string() }),
  tooManyRequests: failure(
    429,
    { error: 'Too Many Requests', code: 'RATE_LIMIT_EXCEEDED' },
    { message: z.string(), retryAfter: z.int().positive() },
  ),
  internal: sentence(500, 'Internal Server Error'),
  /** The answer of any endpoint, with Retry-After, while a dependency is down or overloaded. */
  unavailable: failure(503, { error: 'Service Unavailable' }, { message: z.string() }),
  storageUnreachable: failure(
    503,
    { error: 'Storage unreachable', code: 'STORAGE_UNREACHABLE' },
    { message: z.string() },
  ),
}
