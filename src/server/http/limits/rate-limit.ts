/**
 * The rate limits as a table (contract, section 8): whom each counts by and what it counts. The
 * mount takes a token before the handler and gives it back where the outcome is not counted.
 */
import type { Counting, EndpointLimit, PolicyName } from '../../../contract/limits.ts'
import { limitAddress } from '../../platform/client-ip.ts'
import type { LimitRule, Taken } from '../../platform/limits/limit-store.ts'

type Policy = {
  readonly key: 'ip' | 'user'
  readonly counts: Counting
  /** Buckets of the policy that count otherwise than the rest of it. */
  readonly countsIn?: Readonly<Record<string, Counting>>
}

export const policies: Readonly<Record<PolicyName, Policy>> = {
  public: { key: 'ip', counts: 'all' },
  captions: { key: 'user', counts: 'all' },
  feed: { key: 'ip', counts: 'below 400' },
  auth: { key: 'ip', counts: 'failures', countsIn: { register: 'all' } },
  import: { key: 'user', counts: 'all' },
  callback: { key: 'ip', counts: 'all' },
  payment: { key: 'user', counts: 'all' },
  webhook: { key: 'ip', counts: 'all' },
  admin: { key: 'user', counts: 'all' },
  report: { key: 'ip', counts: 'all' },
  upload: { key: 'user', counts: 'all' },
  share_password: { key: 'ip', counts: 'failures' },
  mail: { key: 'ip', counts: 'all' },
  room: { key: 'ip', counts: 'all' },
}

export function limitKey(
  limit: EndpointLimit,
  caller: { ip: string; userId: string | undefined },
): string {
  const bucket = `${limit.policy}/${limit.bucket ?? limit.policy}`
  // A caller without a sign-in gets as far as a 401, and is counted by address until then.
  return isByUser(limit) && caller.userId !== undefined
    ? `${bucket}:user:${caller.userId}`
    : `${bucket}:ip:${limitAddress(caller.ip)}`
}

export function isByUser({ policy, key }: EndpointLimit): boolean {
  return (key ?? policies[policy].key) === 'user'
}

/** False: the token goes back. An outcome that nobody called a success is taken for a failure. */
export function isCounted(
  limit: EndpointLimit,
  outcome: { status: number; succeeded: boolean | undefined },
): boolean {
  const { counts, countsIn } = policies[limit.policy]
  const counting = limit.counts ?? countsIn?.[limit.bucket ?? limit.policy] ?? counts
  if (counting === 'below 400') return outcome.status < 400
  if (counting === 'failures') return outcome.succeeded !== true
  return true
}

export function limitHeaders(taken: Taken, rule: LimitRule): Record<string, string> {
  const headers = {
    'X-RateLimit-Limit': String(rule.requests),
    'X-RateLimit-Remaining': String(Math.max(0, taken.remaining)),
    'X-RateLimit-Reset': new Date(taken.fullAtMs).toISOString(),
  }
  if (taken.allowed) return headers
  return { ...headers, 'Retry-After': String(retryAfterSeconds(taken)) }
}

/** Rounded up, so that a client that waits as told is not refused again. */
export function retryAfterSeconds(taken: Taken): number {
  return Math.max(1, Math.ceil(taken.retryAfterMs / 1000))
}
