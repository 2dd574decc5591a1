/**
 * Who may send a large body: so many at a time for one account (contract, section 8), so that nobody
 * holds this process's connections and memory for all the others.
 */
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Endpoint } from '../../../contract/endpoint.ts'
import { problems } from '../../../contract/problems.ts'
import type { Context } from '../../context.ts'
import { Problem } from '../problem.ts'

/** Of one account, unfinished, on this node. */
const mostLargeBodies = 8
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

/** Takes one of the account's places until the body has come, or the request has been answered. */
export function acquireLargeBody(
  ctx: Context,
  userId: string,
  request: IncomingMessage,
  response: ServerResponse,
): void {
  const release = ctx.turns.takePlace(`large-body:${userId}`, mostLargeBodies)
  if (!release) throw tooManyAtOnce()
  let isHeld = true
  const releaseOnce = () => {
    if (isHeld) release()
    isHeld = false
  }
  request.once('close', releaseOnce)
  response.once('close', releaseOnce)
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
