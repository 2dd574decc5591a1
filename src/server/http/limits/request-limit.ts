/** A request's token: taken before its body is read, returned where it does not count. */
import type { Endpoint } from '../../../contract/endpoint.ts'
import { limitOf } from '../../../contract/endpoint.ts'
import type { Context } from '../../context.ts'
import type { Taken } from '../../platform/limits/limit-store.ts'
import { problem } from '../problem.ts'
import { isByUser, isCounted, limitHeaders, limitKey, retryAfterSeconds } from './rate-limit.ts'

export type Token = { readonly key: string; readonly taken: Taken }

export type RequestLimit = {
  /** Whether the limit is counted by user, so that the sign-in comes first. */
  readonly byUser: boolean
  take(caller: { ip: string; userId: string | undefined }): Promise<Token>
  /** The headers for the answer, after a token that is not counted has gone back. */
  settle(
    token: Token,
    outcome: { status: number; succeeded: boolean; isCounted: boolean },
  ): Promise<Record<string, string>>
}

/** Null where the endpoint has no limit, or the site has switched it off. */
export function requestLimit(ctx: Context, endpoint: Endpoint): RequestLimit | null {
  const limit = limitOf(endpoint)
  const rule = limit && ctx.config.limits[limit.policy]
  if (!limit || !rule) return null
  return {
    byUser: isByUser(limit),
    async take(caller) {
      const key = limitKey(limit, caller)
      return { key, taken: await ctx.limits.take(key, rule) }
    },
    async settle({ key, taken }, { status, succeeded, isCounted: always }) {
      // A failure of ours is not one of the caller's.
      const outcome = { status, succeeded: succeeded || status >= 500 }
      const counts = !taken.allowed || always || isCounted(limit, outcome)
      return limitHeaders(counts ? taken : await ctx.limits.refund(key, rule), rule)
    },
  }
}

export function refuseWithoutToken({ taken }: Token): void {
  if (!taken.allowed) throw problem.tooManyRequests(refusalOf(taken))
}

/** What whoever found an empty bucket is told. */
export function refusalOf(taken: Taken) {
  return {
    message: 'Too many requests, please try again later',
    retryAfter: retryAfterSeconds(taken),
  }
}
