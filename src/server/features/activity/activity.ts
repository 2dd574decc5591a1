/** The log of people's actions (contract 1.8). An entry is written in the transaction of its action. */
import type { Context } from '../../context.ts'
import type { Visitor } from '../../http/caller.ts'

export type ActivityEntry = {
  /** Null for the command line and for automatic actions. */
  userId: string | null
  /** The affected account, if it is someone else's. Details contain no names. */
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
  entry: ActivityEntry,
): Promise<void> {
  await ctx.db
    .insertInto('activity_log')
    .values({
      user_id: entry.userId,
      target_user_id: entry.targetUserId ?? null,
      action: entry.action,
      feature: entry.feature,
      details: JSON.stringify(entry.details ?? {}),
      ip_address: visitor?.ip ?? null,
      user_agent: visitor?.userAgent ?? null,
      session_id: entry.sessionId ?? null,
      created_at: ctx.now(),
    })
    .execute()
}
