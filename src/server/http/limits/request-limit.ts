/** The token of a request: taken before its body is read, returned if it does not count. */
import type { Endpoint } from '../../../contract/endpoint.ts'
import { limitOf } from '../../../contract/endpoint.ts'
import type { Context } from '../../context.ts'
import type { Taken } from '../../platform/limits/limit-store.ts'
import { problem } from '../problem.ts'
import { isByUser, isCounted, limitHeaders, limitKey, retryAfterSeconds } from './rate-limit.ts'

export type Token = { readonly key: string; readonly taken: Taken }

export type RequestLimit = {
  /** True if the limit counts by user, so that the sign-in is checked first. */
  readonly byUser: boolean
  take(caller: { ip: string; userId: string | undefined }): Promise<Token>
  /** Returns the headers of the response, after returning a token that does not count. */
  settle(
    token: Token,
    outcome: { status: number; succeeded: boolean; isCounted: boolean },
  ): Promise<Record<string, string>>
}

/** Returns null if the endpoint has no limit, or the site has switched it off. */
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
      // An internal error does not count against the caller.
      const outcome = { status, succeeded: succeeded || status >= 500 }
      const counts = !taken.allowed || always || isCounted(limit, outcome)
      return limitHeaders(counts ? taken : await ctx.limits.refund(key, rule), rule)
    },
  }
}

export function refuseWithoutToken({ taken }: Token): void {
  if (!taken.allowed) throw problem.tooManyRequests(refusalOf(taken))
}

/** Returns the response fields for an empty bucket. */
export function refusalOf(taken: Taken) {
  return {
    message: 'Too many requests, please try again later',
    retryAfter: retryAfterSeconds(taken),
  }
}
