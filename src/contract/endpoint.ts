/**
 * One object says all about an endpoint: where it is, who may call it, what it takes, what it
 * answers and how it may fail. Routes, validation, OpenAPI, the docs page, the typed client and the
 * tests are made from these objects, so a field is written once.
 */
import type { z } from 'zod'
import type { Failure } from './failure.ts'
import type { EndpointLimit } from './limits.ts'
import { paidProblems, problems } from './problems.ts'

/** 'signature' callers prove themselves by a signed body or a secret header, not by a cookie. */
export type Who = 'anyone' | 'user' | 'admin' | 'super_admin' | 'signature'

export type Answer =
  | { readonly kind: 'json'; readonly status: number; readonly body: z.ZodType }
  | { readonly kind: 'redirect'; readonly status: 302 }
  | { readonly kind: 'text' | 'stream'; readonly status: 200; readonly mediaType: string }

export type Form = {
  /** The name of the part that is a file. */
  readonly file: string
  /** The other parts, which are texts. */
  readonly fields: z.ZodObject
  /** Files up to this size are read into memory; left out: the handler reads the stream. */
  readonly inMemoryMaxBytes?: number
}

export type Endpoint = {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  readonly path: string
  readonly summary: string
  readonly who: Who
  /** A visitor by a link that is open to anyone may call it without an account. */
  readonly openToLinks?: boolean
  /** Open to anyone, and who comes with a key of its scope counts as the key's account. */
  readonly takesKeys?: boolean
  /** Left out: 'admin' for administrators, 'public' for others who must be signed in, else none. */
  readonly limit?: EndpointLimit | 'none'
  /** The feature key that a call is charged by. Such a call takes an Idempotency-Key. */
  readonly price?: string
  readonly params?: z.ZodType
  /** What a bad path parameter answers; left out: 'Invalid ID'. */
  readonly badParams?: Failure
  readonly query?: z.ZodType
  readonly body?: z.ZodType
  /** For bodies with pictures in them; left out: 1 MB. */
  readonly bodyMaxBytes?: number
  /** Takes multipart/form-data: alone, or beside JSON where there is a `body` too. */
  readonly form?: Form
  /** Also takes application/x-www-form-urlencoded, as a browser's form sends it. */
  readonly acceptsForm?: boolean
  /** A GET that changes something, so that other sites may not cause it. */
  readonly changesState?: boolean
  readonly answer: Answer
  readonly failures: readonly Failure[]
  /** Which of them are none for a limit that counts what failed. */
  readonly uncounted?: readonly Failure[]
  /** What an unexpected error answers; left out: 'Internal Server Error'. */
  readonly crashed?: Failure
  /** What someone who is not signed in is told; left out: 'Unauthorized'. */
  readonly unauthorized?: Failure
  /** Which of the two bodies a refused query or body gets; left out: 'Validation failed: …'. */
  readonly invalid?: Failure
  /** What a call answers that cannot be paid for; left out: 'Insufficient credits' in the common form. */
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

/** The limit in force, with the rule for endpoints that name none. */
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

/** All failures of an endpoint: its own and those that its other properties bring with them. */
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
  // Its Idempotency-Key is refused in the common words, whatever its input is refused in.
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
