/**
 * That the one who changes the way into an account is its owner, and not somebody at an open browser:
 * by the password, and by a recent sign-in where the account has none.
 */
import type { Context } from '../../../context.ts'
import type { SignedInUser, Visitor } from '../../../http/caller.ts'
import { judgeGuess } from '../../../http/limits/guess-limit.ts'
import { problem } from '../../../http/problem.ts'
import { limitAddress } from '../../../platform/client-ip.ts'
import { isPassword } from '../passwords.ts'
import { findPasswordHash } from '../queries.ts'
import { findSignInTime } from '../sign-in-queries.ts'
import { signInHashOf } from '../sign-ins.ts'

const recentMs = 10 * 60 * 1000

type Caller = { readonly user: SignedInUser; readonly visitor: Visitor }

/** The hash of the password that was right; null for an account without one. */
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
  const rule = ctx.config.limits.auth
  const key = `auth/password:ip:${limitAddress(visitor.ip)}`
  const isRight = await judgeGuess(ctx, rule ? [{ key, rule }] : [], () =>
    isPassword(currentPassword, kept),
  )
  if (!isRight) throw problem.invalidCredentials()
  return kept
}

async function requireRecentSignIn(ctx: Context, visitor: Visitor): Promise<void> {
  const hash = signInHashOf(ctx, visitor)
  const signedInAt = hash && (await findSignInTime(ctx, hash))
  if (!signedInAt || ctx.now().getTime() - signedInAt.getTime() > recentMs)
    throw problem.reauthenticationRequired()
}
