/**
 * Limits guesses of one account's password from many addresses, without a way to lock the owner out
 * (decision 66).
 */
import { problems } from '../../../../contract/problems.ts'
import type { Context } from '../../../context.ts'
import type { Visitor } from '../../../http/caller.ts'
import type { GuessBucket } from '../../../http/limits/guess-limit.ts'
import { judgeGuess } from '../../../http/limits/guess-limit.ts'
import { Problem } from '../../../http/problem.ts'
import { limitAddress } from '../../../platform/client-ip.ts'
import { sha256 } from '../../../platform/signature.ts'
import { findSignInAddresses } from '../sign-in-queries.ts'
import { knownBrowserOf } from './known-browser.ts'

/** The limit for all strangers together, as a multiple of the limit for one address. */
const strangersFactor = 4
const addressKnownMs = 90 * 24 * 3600 * 1000

type Account = { readonly email: string; readonly userId: string | undefined }

export async function judgeSignIn(
  ctx: Context,
  visitor: Visitor,
  account: Account,
  isRight: () => Promise<boolean>,
): Promise<boolean> {
  const bucket = bucketOf(ctx, visitor, account)
  if (!bucket) return isRight()
  try {
    return await judgeGuess(ctx, [bucket], isRight)
  } catch (error) {
    const isRefused = error instanceof Problem && error.failure === problems.tooManyRequests
    if (!isRefused || !(await isKnownAddress(ctx, visitor, account))) throw error
    // The limit by address still applies; the request has already passed it.
    return isRight()
  }
}

function bucketOf(ctx: Context, visitor: Visitor, account: Account): GuessBucket | null {
  const rule = ctx.config.limits.auth
  if (!rule) return null
  const { userId, email } = account
  const browser = userId === undefined ? null : knownBrowserOf(ctx, userId, visitor.cookies)
  if (browser !== null) return { key: `auth/browser:${browser}`, rule }
  // The key is the e-mail, so it is the same for an account that does not exist.
  const key = `auth/account:${sha256(email).toString('base64url')}`
  return { key, rule: { ...rule, requests: strangersFactor * rule.requests } }
}

/** True when the owner has signed in from this address, or has reset the password from it. */
async function isKnownAddress(
  ctx: Context,
  { ip }: Visitor,
  { userId }: Account,
): Promise<boolean> {
  if (userId === undefined) return false
  const since = new Date(ctx.now().getTime() - addressKnownMs)
  const addresses = await findSignInAddresses(ctx, userId, since)
  return addresses.some((known) => limitAddress(known) === limitAddress(ip))
}
