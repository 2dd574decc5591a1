/**
 * Limits how many large bodies one account sends at a time (contract, section 8), so that no account uses
 * up this process's connections and memory.
 */
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Endpoint } from '../../../contract/endpoint.ts'
import { problems } from '../../../contract/problems.ts'
import { inAccountScope } from '../../platform/concurrency/account-scope.ts'
import { Semaphore } from '../../platform/concurrency/semaphore.ts'
import { Problem } from '../problem.ts'

/** Permits for the unfinished bodies of an account on this node. */
const largeBodies = new Semaphore({ atOnce: Infinity, atOncePerAccount: 8 })
const largeBytes = 64 * 1024
const retryAfterSeconds = 5

/** Returns true if a request sends, or may send, more than a page of text. */
export function isLarge({ headers }: IncomingMessage, endpoint: Endpoint): boolean {
  if (!endpoint.form && endpoint.bodyMaxBytes === undefined) return false
  if (headers['transfer-encoding'] !== undefined) return true
  // The length of a compressed body does not tell its real size.
  if (headers['content-encoding'] !== undefined) return true
  return Number(headers['content-length'] ?? 0) > largeBytes
}

/** Holds one of the account's permits until the body has been received or the request has been answered. */
export function acquireLargeBody(
  account: string,
  request: IncomingMessage,
  response: ServerResponse,
): void {
  const release = inAccountScope({ account }, () => largeBodies.tryAcquire())
  if (!release) throw tooManyAtOnce()
  request.once('close', release)
  response.once('close', release)
}

export function tooManyAtOnce(): Problem {
  return new Problem(
    problems.tooManyRequests,
    {
      message: 'Too many large requests at once, please try again later',
      retryAfter: retryAfterSeconds,
    },
    { 'Retry-After': String(retryAfterSeconds) },
  )
}
