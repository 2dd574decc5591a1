/** Changes a known password, and resets a forgotten one. */
import type { api } from '../../../../contract/api.ts'
import type { Context } from '../../../context.ts'
import { atomically } from '../../../database/atomically.ts'
import { problem } from '../../../http/problem.ts'
import { Reply } from '../../../http/reply.ts'
import type { Call } from '../../../http/route.ts'
import { enqueue } from '../../../jobs/enqueue.ts'
import { describeReset, mailLanguageOf, requireMail } from '../../mail/mail.ts'
import { hashPassword } from '../passwords.ts'
import { updateUser } from '../queries.ts'
import { endSignInsExcept } from '../sign-in-queries.ts'
import { rotateSignIn, signInHashOf } from '../sign-ins.ts'
import { hasLocalAccounts, isDevUserId, isGuardedByProvider } from '../sign-in-methods.ts'
import { recordAccountChange } from './account-changes.ts'
import { mailResetLink } from './account-mails.ts'
import { endTokens, readToken, redeemToken } from './account-tokens.ts'
import { takeMailToken } from './mail-limit.ts'
import { confirmIdentity } from './reauthentication.ts'
import { replacePassword } from './replace-password.ts'
import { holdCredentials } from './token-queries.ts'
import { refuseWeakPassword } from './weak-passwords.ts'

export async function changePassword(ctx: Context, call: Call<typeof api.security.changePassword>) {
  const { user, visitor, body } = call
  await requireChangeable(ctx, user.id)
  const kept = await confirmIdentity(ctx, call, body.currentPassword)
  await refuseWeakPassword(ctx, body.newPassword, user.id)
  const passwordHash = await hashPassword(ctx, body.newPassword)
  return atomically(ctx, async (ctx) => {
    // The password may have changed during hashing; then the current password in the request is no longer
    // right.
    const held = await holdCredentials(ctx, user.id)
    if (!held || held.passwordHash !== kept) throw problem.invalidCredentials()
    await updateUser(ctx, user.id, { passwordHash })
    await endTokens(ctx, user.id)
    await endSignInsExcept(ctx, user.id, signInHashOf(ctx, visitor))
    await recordAccountChange(ctx, visitor, { userId: user.id, action: 'password_changed' })
    return new Reply({ message: 'Password changed' }, await rotateSignIn(ctx, visitor.cookies))
  })
}

/** Does not check whether the account exists, so the answer cannot reveal it. */
export async function forgotPassword(
  ctx: Context,
  { visitor, body }: Call<typeof api.security.forgotPassword>,
) {
  requireMail(ctx)
  await takeMailToken(ctx, body.email)
  await enqueue(ctx, mailResetLink, {
    email: body.email,
    language: mailLanguageOf(visitor),
    askedAt: ctx.now().toISOString(),
  })
  return { message: 'If there is an account with this address, a mail is on its way to it' }
}

export async function resetPassword(
  ctx: Context,
  { visitor, body }: Call<typeof api.security.resetPassword>,
) {
  const { userId } = await readToken(ctx, 'reset_password', body.token)
  await requireChangeable(ctx, userId)
  await refuseWeakPassword(ctx, body.newPassword, userId)
  const passwordHash = await hashPassword(ctx, body.newPassword)
  const report = await atomically(ctx, async (ctx) => {
    await redeemToken(ctx, body.token, { userId, purpose: 'reset_password' })
    return replacePassword(ctx, visitor, { userId, passwordHash })
  })
  return { message: `Password set. ${describeReset(report)}`, ...report }
}

/**
 * Throws if a password would have no effect: sign-in by password is off, or the environment or the
 * provider controls the account.
 */
async function requireChangeable(ctx: Context, userId: string): Promise<void> {
  const isFixed = isDevUserId(userId) || !hasLocalAccounts(ctx)
  if (isFixed || (await isGuardedByProvider(ctx, userId))) throw problem.notChangeable()
}
