/**
 * Returns how long to wait before a retry, and when to give up. A refusal waits for Retry-After. Server
 * failures and lost connections wait with exponential backoff.
 */
import { ApiProblem } from '../../client/client.ts'
import { waitSecondsOf } from '../api.ts'

export type RetryDelay = {
  readonly ms: number
  readonly reason: 'limit' | 'server' | 'network'
}

/** The window of a rate limit is a quarter of an hour, so no single wait is longer. */
const longestRestMs = 900_000
const shortestRestMs = 1000
const maxRefusals = 40
const maxTries = 6
const longestBackoffMs = 30_000

/**
 * Returns the wait, or null if a retry would not help. `tries` is the number of failures, including
 * this one.
 */
export function retryDelay(error: unknown, tries: number): RetryDelay | null {
  if (!(error instanceof ApiProblem))
    return tries < maxTries ? { ms: backoffMs(tries), reason: 'network' } : null
  if (error.status === 429) {
    if (tries >= maxRefusals) return null
    const asked = (waitSecondsOf(error) ?? 5) * 1000
    return { ms: Math.min(Math.max(asked, shortestRestMs), longestRestMs), reason: 'limit' }
  }
  const isPassing = error.status >= 500 || error.status === 408
  return isPassing && tries < maxTries ? { ms: backoffMs(tries), reason: 'server' } : null
}

function backoffMs(tries: number): number {
  return Math.min(1000 * 2 ** (tries - 1), longestBackoffMs)
}
