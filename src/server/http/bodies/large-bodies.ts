/**
 * Who may send a large body: so many at a time for one account (contract, section 8), so that nobody
 * holds this process's connections and memory for all the others.
 */
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Endpoint } from '../../../contract/endpoint.ts'
import { problems } from '../../../contract/problems.ts'
import { inAccountScope } from '../../platform/concurrency/account-scope.ts'
import { Semaphore } from '../../platform/concurrency/semaphore.ts'
import { Problem } from '../problem.ts'

/** Of one account, unfinished, on this node. */
const largeBodies = new Semaphore({ atOnce: Infinity, atOncePerAccount: 8 })
const largeBytes = 64 * 1024
const retryAfterSeconds = 5

/** Whether a request sends, or may be about to send, more than a page of text. */
export function isLarge({ headers }: IncomingMessage, endpoint: Endpoint): boolean {
  if (!endpoint.form && endpoint.bodyMaxBytes === undefined) return false
  if (headers['transfer-encoding'] !== undefined) return true
  // What is packed says nothing of its size.
  if (headers['content-encoding'] !== undefined) return true
  return Number(headers['content-length'] ?? 0) > largeBytes
}

/** Holds one of the account's permits until the body has come, or the request has been answered. */
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
