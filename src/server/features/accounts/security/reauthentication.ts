/**
 * Verifies that the account's owner makes a change, and not a person at an open browser or with a stolen
 * cookie. It requires the password or a recent sign-in.
 */
import type { Context } from '../../../context.ts'
import type { SignedInUser, Visitor } from '../../../http/caller.ts'
import type { GuessBucket } from '../../../http/limits/guess-limit.ts'
import { judgeGuess } from '../../../http/limits/guess-limit.ts'
import { problem } from '../../../http/problem.ts'
import { limitAddress } from '../../../platform/client-ip.ts'
import { isPassword } from '../passwords.ts'
import { findPasswordHash, holdUser } from '../queries.ts'
import { findSignInTime } from '../sign-in-queries.ts'
import { signInHashOf } from '../sign-ins.ts'

const recentMs = 10 * 60 * 1000

type Caller = { readonly user: SignedInUser; readonly visitor: Visitor }

/**
 * Requires the password, or, for an account without one, a recent sign-in. Returns the hash of the
 * correct password, or null.
 */
export async function confirmIdentity(
  ctx: Context,
  { user, visitor }: Caller,
  currentPassword: string | undefined,
): Promise<string | null> {
  const kept = await findPasswordHash(ctx, user.id)
  if (kept === null) {
    await requireRecentSignIn(ctx, visitor)
    return null
  }
  if (currentPassword === undefined)
    throw problem.validationFailed({ message: 'Validation failed: currentPassword is required' })
  await requireRightPassword(ctx, visitor, currentPassword, kept)
  return kept
}

/** Requires a recent sign-in or the password. If a password is sent, it must be correct. */
export async function reauthenticate(
  ctx: Context,
  { user, visitor }: Caller,
  currentPassword: string | undefined,
): Promise<void> {
  const kept = currentPassword === undefined ? null : await findPasswordHash(ctx, user.id)
  if (currentPassword === undefined || kept === null) await requireRecentSignIn(ctx, visitor)
  else await requireRightPassword(ctx, visitor, currentPassword, kept)
}

/**
 * Locks the account until the transaction ends. Throws if the caller's sign-in has ended in the meantime:
 * a password reset ends all sign-ins, and nothing may be added after it.
 */
export async function lockSignedIn(ctx: Context, { user, visitor }: Caller): Promise<void> {
  await holdUser(ctx, user.id)
  const hash = signInHashOf(ctx, visitor)
  if (!hash || !(await findSignInTime(ctx, hash))) throw problem.unauthorized()
}

async function requireRightPassword(
  ctx: Context,
  visitor: Visitor,
  given: string,
  kept: string,
): Promise<void> {
  const isRight = await judgeGuess(ctx, bucketsOf(ctx, visitor), () => isPassword(given, kept))
  if (!isRight) throw problem.invalidCredentials()
}

/**
 * Limits guesses by address and by sign-in: a thief with a stolen cookie can change addresses but not the
 * sign-in. The owner is not locked out, because they can sign in again.
 */
function bucketsOf(ctx: Context, visitor: Visitor): GuessBucket[] {
  const rule = ctx.config.limits.auth
  const signIn = signInHashOf(ctx, visitor)
  if (!rule || !signIn) return []
  return [
    { key: `auth/password:ip:${limitAddress(visitor.ip)}`, rule },
    { key: `auth/password:sign-in:${Buffer.from(signIn).toString('base64url')}`, rule },
  ]
}

async function requireRecentSignIn(ctx: Context, visitor: Visitor): Promise<void> {
  const hash = signInHashOf(ctx, visitor)
  const signedInAt = hash && (await findSignInTime(ctx, hash))
  if (!signedInAt || ctx.now().getTime() - signedInAt.getTime() > recentMs)
    throw problem.reauthenticationRequired()
}
