/**
 * Every change of the way into an account passes here, with the transaction that makes it: it is
 * logged, and its owner is told by mail where there is mail. Neither ever holds a secret.
 */
import type { Context } from '../../../context.ts'
import type { Visitor } from '../../../http/caller.ts'
import { enqueue } from '../../../jobs/enqueue.ts'
import { logActivity } from '../../activity/activity.ts'
import type { Notice, ResetReport } from '../../mail/mail.ts'
import { mailLanguageOf } from '../../mail/mail.ts'
import { findMailAddress } from './token-queries.ts'
import { mailNotice } from './account-mails.ts'

export type AccountChange = {
  readonly userId: string
  readonly action: Notice
  /** For administrators to read: names, never a secret. */
  readonly details?: Record<string, unknown>
  /** Sign-in methods that a password reset removed and kept, for its mail. */
  readonly reset?: ResetReport
  /** Where the owner is told, if not at the account's address. */
  readonly to?: string
}

/** Without a visitor it was done from the command line. */
export async function recordAccountChange(
  ctx: Context,
  visitor: Visitor | null,
  { userId, action, details = {}, reset, to }: AccountChange,
): Promise<void> {
  await logActivity(ctx, visitor, {
    ...(visitor ? { userId } : { userId: null, targetUserId: userId }),
    action,
    feature: 'authentication',
    details: visitor ? details : { ...details, by: 'command line' },
  })
  if (!ctx.mail) return
  const account = await findMailAddress(ctx, userId)
  if (!account) return
  await enqueue(ctx, mailNotice, {
    to: to ?? account.email,
    language: visitor ? mailLanguageOf(visitor) : account.language,
    notice: action,
    reset,
    at: ctx.now().toISOString(),
  })
}
