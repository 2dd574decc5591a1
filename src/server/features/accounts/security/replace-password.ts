/**
 * Replaces a password that is lost or known to someone else. Ends all sign-ins and keys, and deletes
 * recent passkeys and a recent second factor: a thief may have added them to get in again after the
 * reset.
 */
import type { Context } from '../../../context.ts'
import type { Visitor } from '../../../http/caller.ts'
import type { ResetReport } from '../../mail/mail.ts'
import { deleteKeysOf } from '../keys/key-queries.ts'
import { deletePasskeysSince, findSignInMethods } from '../passkeys/passkey-queries.ts'
import { updateUser } from '../queries.ts'
import { deleteSecretSince, findConfirmed } from '../second-factor/second-factor-queries.ts'
import { endAllSignIns } from '../sign-in-queries.ts'
import { recordAccountChange } from './account-changes.ts'
import { endTokens } from './account-tokens.ts'

const suspiciousMs = 7 * 24 * 3600 * 1000

/**
 * Replaces the password. Call it in a transaction that holds the account. Without a visitor, it is done
 * on the command line.
 */
export async function replacePassword(
  ctx: Context,
  visitor: Visitor | null,
  { userId, passwordHash }: { userId: string; passwordHash: string },
): Promise<ResetReport> {
  const since = new Date(ctx.now().getTime() - suspiciousMs)
  await updateUser(ctx, userId, { passwordHash })
  await endTokens(ctx, userId)
  await endAllSignIns(ctx, userId)
  await deleteKeysOf(ctx, userId)
  const removed = {
    passkeys: await deletePasskeysSince(ctx, userId, since),
    secondFactor: await deleteSecretSince(ctx, userId, since),
  }
  const remaining = {
    passkeys: (await findSignInMethods(ctx, userId)).passkeys,
    secondFactor: (await findConfirmed(ctx, userId)) !== undefined,
  }
  const report = { removed, remaining }
  const action = 'password_reset'
  await recordAccountChange(ctx, visitor, { userId, action, details: report, reset: report })
  return report
}
