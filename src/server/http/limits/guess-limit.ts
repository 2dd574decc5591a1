/**
 * Limits how often a secret can be guessed (contract, section 8). A guess takes a token of every bucket
 * before it is checked, so parallel guesses have no advantage over sequential ones. A correct guess returns
 * the tokens.
 */
import { problems } from '../../../contract/problems.ts'
import type { Context } from '../../context.ts'
import type { LimitRule } from '../../platform/limits/limit-store.ts'
import { Problem } from '../problem.ts'
import { limitHeaders } from './rate-limit.ts'
import { refusalOf } from './request-limit.ts'

export type GuessBucket = { readonly key: string; readonly rule: LimitRule }

/** Returns true if the guess is correct. Refuses with 429 if one of the buckets is empty. */
export async function judgeGuess(
  ctx: Context,
  buckets: readonly GuessBucket[],
  isRight: () => Promise<boolean>,
): Promise<boolean> {
  const taken: GuessBucket[] = []
  // An internal error, or a refusal by a later bucket, is not a wrong guess.
  let counts = false
  try {
    for (const bucket of buckets) {
      await takeToken(ctx, bucket)
      taken.push(bucket)
    }
    const right = await isRight()
    counts = !right
    return right
  } finally {
    if (!counts) for (const { key, rule } of taken) await ctx.limits.refund(key, rule)
  }
}

/** Takes a token. Refuses with 429 if the bucket is empty. */
export async function takeToken(ctx: Context, { key, rule }: GuessBucket): Promise<void> {
  const token = await ctx.limits.take(key, rule)
  if (!token.allowed)
    throw new Problem(problems.tooManyRequests, refusalOf(token), limitHeaders(token, rule))
}
