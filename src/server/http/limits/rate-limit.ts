/**
 * The rate limits as a table (contract, section 8): the key and the outcomes that count. The mount takes a
 * token before the handler and returns it if the outcome does not count.
 */
import type { Counting, EndpointLimit, PolicyName } from '../../../contract/limits.ts'
import { limitAddress } from '../../platform/client-ip.ts'
import type { LimitRule, Taken } from '../../platform/limits/limit-store.ts'

type Policy = {
  readonly key: 'ip' | 'user'
  readonly counts: Counting
  /** Buckets of the policy that count other outcomes than the rest. */
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
  // A caller without a sign-in gets a 401 at most, and is counted by address.
  return isByUser(limit) && caller.userId !== undefined
    ? `${bucket}:user:${caller.userId}`
    : `${bucket}:ip:${limitAddress(caller.ip)}`
}

export function isByUser({ policy, key }: EndpointLimit): boolean {
  return (key ?? policies[policy].key) === 'user'
}

/** Returns false if the token is returned. An outcome not marked as a success counts as a failure. */
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

/** Rounds up, so that a client that waits this long is not refused again. */
export function retryAfterSeconds(taken: Taken): number {
  return Math.max(1, Math.ceil(taken.retryAfterMs / 1000))
}
