/** Limits mails by recipient too, so that many senders cannot flood one mailbox (section 8). */
import type { Context } from '../../../context.ts'
import { takeToken } from '../../../http/limits/guess-limit.ts'
import { sha256 } from '../../../platform/signature.ts'

export async function takeMailToken(ctx: Context, email: string): Promise<void> {
  const rule = ctx.config.limits.mail
  const key = `mail/mail:address:${sha256(email).toString('base64url')}`
  if (rule) await takeToken(ctx, { key, rule })
}
