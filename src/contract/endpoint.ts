/**
 * Describes an endpoint in one object: its path, callers, input, answer and failures. Routes, validation,
 * OpenAPI, the docs page, the typed client and the tests are all derived from it.
 */
import type { z } from 'zod'
import type { Failure } from './failure.ts'
import type { EndpointLimit } from './limits.ts'
import { paidProblems, problems } from './problems.ts'

/** The callers of an endpoint. 'signature' callers send a signed body or a secret header, and no cookie. */
export type Who = 'anyone' | 'user' | 'admin' | 'super_admin' | 'signature'

export type Answer =
  | { readonly kind: 'json'; readonly status: number; readonly body: z.ZodType }
  | { readonly kind: 'redirect'; readonly status: 302 }
  | { readonly kind: 'text' | 'stream'; readonly status: 200; readonly mediaType: string }

export type Form = {
  /** The name of the file part. */
  readonly file: string
  /** The other parts, which are text. */
  readonly fields: z.ZodObject
  /** The maximum size of files that are read into memory. If omitted, the handler reads the stream. */
  readonly inMemoryMaxBytes?: number
}

export type Endpoint = {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  readonly path: string
  readonly summary: string
  readonly who: Who
  /**
   * True if some callers without an account may call it: with a link that is open to anyone, or as guests
   * of the community. The route decides which (`admitGuest`).
   */
  readonly openToGuests?: boolean
  /**
   * True for an endpoint open to anyone where a caller with a key of its scope counts as the key's account.
   */
  readonly takesKeys?: boolean
  /** The rate limit. Default: 'admin' for administrators, 'public' for other signed-in callers, else none. */
  readonly limit?: EndpointLimit | 'none'
  /** The feature key that the call is charged by. Such a call accepts an Idempotency-Key. */
  readonly price?: string
  readonly params?: z.ZodType
  /** The failure for an invalid path parameter. Default: 'Invalid ID'. */
  readonly badParams?: Failure
  readonly query?: z.ZodType
  readonly body?: z.ZodType
  /** The limit for bodies with pictures. Default: 1 MB. */
  readonly bodyMaxBytes?: number
  /** Accepts multipart/form-data, in addition to JSON if there is a `body`. */
  readonly form?: Form
  /** Accepts application/x-www-form-urlencoded too, as browser forms send it. */
  readonly acceptsForm?: boolean
  /** True for a GET that changes something, so that other sites must not cause it. */
  readonly changesState?: boolean
  readonly answer: Answer
  readonly failures: readonly Failure[]
  /** The failures that do not count for a limit on failures. */
  readonly uncounted?: readonly Failure[]
  /** The failure for an unexpected error. Default: 'Internal Server Error'. */
  readonly crashed?: Failure
  /** The failure for a caller who is not signed in. Default: 'Unauthorized'. */
  readonly unauthorized?: Failure
  /** The failure for an invalid query or body. Default: 'Validation failed: …'. */
  readonly invalid?: Failure
  /** The failure for a call that the caller cannot pay. Default: the common 'Insufficient credits'. */
  readonly unaffordable?: Failure
}

export function endpoint<const E extends Endpoint>(definition: E): E {
  return definition
}

export const json = <const S extends number, B extends z.ZodType>(status: S, body: B) =>
  ({ kind: 'json', status, body }) as const

export const redirect = { kind: 'redirect', status: 302 } as const

export const text = <const M extends string>(mediaType: M) =>
  ({ kind: 'text', status: 200, mediaType }) as const

export const stream = <const M extends string>(mediaType: M) =>
  ({ kind: 'stream', status: 200, mediaType }) as const

/** Returns the effective limit, including the default for endpoints that declare none. */
export function limitOf(endpoint: Endpoint): (EndpointLimit & { readonly bucket: string }) | null {
  const limit: EndpointLimit | 'none' = endpoint.limit ?? usualLimitOf(endpoint)
  return limit === 'none' ? null : { ...limit, bucket: limit.bucket ?? limit.policy }
}

function usualLimitOf(endpoint: Endpoint): EndpointLimit | 'none' {
  if (!needsSignIn(endpoint)) return 'none'
  return { policy: isForAdmins(endpoint) ? 'admin' : 'public' }
}

function isForAdmins({ who }: Endpoint): boolean {
  return who === 'admin' || who === 'super_admin'
}

export function needsSignIn(endpoint: Endpoint): boolean {
  return endpoint.who !== 'anyone' && endpoint.who !== 'signature'
}

export function changesState(endpoint: Endpoint): boolean {
  return endpoint.who !== 'signature' && (endpoint.changesState ?? endpoint.method !== 'GET')
}

/** Returns all failures of an endpoint: its own and those implied by its other properties. */
export function failuresOf(endpoint: Endpoint): Failure[] {
  const implied: Failure[] = []
  if (limitOf(endpoint)) implied.push(problems.tooManyRequests)
  if (changesState(endpoint)) implied.push(problems.crossSite)
  if (needsSignIn(endpoint))
    implied.push(unauthorizedOf(endpoint), problems.accountDisabled, problems.scopeMissing)
  if (isForAdmins(endpoint)) implied.push(problems.forbidden)
  if (endpoint.params) implied.push(endpoint.badParams ?? problems.invalidId)
  if (endpoint.query || endpoint.body || endpoint.form)
    implied.push(endpoint.invalid ?? problems.validationFailed)
  // An invalid Idempotency-Key gets the common failure, even if invalid input gets another one.
  if (endpoint.price && !implied.includes(problems.validationFailed))
    implied.push(problems.validationFailed)
  if (endpoint.body) implied.push(problems.badRequest)
  if (endpoint.crashed) implied.push(endpoint.crashed)
  if (endpoint.price) {
    const { insufficientCredits, ...others } = paidProblems
    implied.push(endpoint.unaffordable ?? insufficientCredits, ...Object.values(others))
  }
  return [...implied, ...endpoint.failures]
}

export function unauthorizedOf(endpoint: Endpoint): Failure {
  return endpoint.unauthorized ?? problems.unauthorized
}
