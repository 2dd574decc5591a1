/** The record of what people did (contract 1.8), written in the same transaction as the deed. */
import type { Context } from '../../context.ts'
import type { Visitor } from '../../http/caller.ts'

export type Deed = {
  /** Null for the command line and for what the site does by itself. */
  userId: string | null
  /** Whose account it was done to, where that is another's. Details name nobody. */
  targetUserId?: string
  action:
    | 'login'
    | 'profile_updated'
    | 'age_verification_updated'
    | 'passkey_added'
    | 'passkey_removed'
    | 'totp_enabled'
    | 'totp_disabled'
    | 'key_created'
    | 'key_removed'
    | 'media_uploaded'
    | 'media_shared'
    | 'media_deleted'
    | 'media_trashed'
    | 'media_restored'
    | 'session_shared'
    | 'links_checked'
    | 'payment_completed'
    | 'report_resolved'
    | 'admin_changed'
    | 'password_changed'
    | 'password_reset'
    | 'email_changed'
    | 'sign_in_ended'
  feature:
    | 'authentication'
    | 'media_gallery'
    | 'sessions'
    | 'payments'
    | 'moderation'
    | 'administration'
  details?: Record<string, unknown>
  sessionId?: number
}

export async function logActivity(
  ctx: Context,
  visitor: Pick<Visitor, 'ip' | 'userAgent'> | null,
  deed: Deed,
): Promise<void> {
  await ctx.db
    .insertInto('activity_log')
    .values({
      user_id: deed.userId,
      target_user_id: deed.targetUserId ?? null,
      action: deed.action,
      feature: deed.feature,
      details: JSON.stringify(deed.details ?? {}),
      ip_address: visitor?.ip ?? null,
      user_agent: visitor?.userAgent ?? null,
      session_id: deed.sessionId ?? null,
      created_at: ctx.now(),
    })
    .execute()
}
