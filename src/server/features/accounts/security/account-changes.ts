/**
 * Records every change of a sign-in method, in the transaction of the change: logs it, and sends the
 * owner a mail if mail is configured. Neither contains a secret.
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
  /** Details for administrators: names, never a secret. */
  readonly details?: Record<string, unknown>
  /** The sign-in methods that a password reset removed and kept, for the mail. */
  readonly reset?: ResetReport
  /** The recipient, if it is not the account's current address. */
  readonly to?: string
}

/** Records a change. Without a visitor, it was made on the command line. */
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
