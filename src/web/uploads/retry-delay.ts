/**
 * How long to wait before something that failed is sent again, and when to give up: a refusal by
 * Retry-After, a server in trouble or a broken connection by waits that grow.
 */
import { ApiProblem } from '../../client/client.ts'
import { waitSecondsOf } from '../api.ts'

export type RetryDelay = {
  readonly ms: number
  readonly reason: 'limit' | 'server' | 'network'
}

/** A limit's window is a quarter of an hour, so nobody is asked to wait longer at once. */
const longestRestMs = 900_000
const shortestRestMs = 1000
const mostRefusals = 40
const mostTries = 6
const longestBackoffMs = 30_000

/** `tries` is how often it has failed, this time included. Null: trying again would not help. */
export function retryDelay(error: unknown, tries: number): RetryDelay | null {
  if (!(error instanceof ApiProblem))
    return tries < mostTries ? { ms: backoffMs(tries), reason: 'network' } : null
  if (error.status === 429) {
    if (tries >= mostRefusals) return null
    const asked = (waitSecondsOf(error) ?? 5) * 1000
    return { ms: Math.min(Math.max(asked, shortestRestMs), longestRestMs), reason: 'limit' }
  }
  const isPassing = error.status >= 500 || error.status === 408
  return isPassing && tries < mostTries ? { ms: backoffMs(tries), reason: 'server' } : null
}

function backoffMs(tries: number): number {
  return Math.min(1000 * 2 ** (tries - 1), longestBackoffMs)
}
