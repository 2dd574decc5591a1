/** SQL queries of the activity log. */
import type { Context } from '../../context.ts'

/**
 * Returns actions, newest first. `userId` selects a person's own actions and those that affected their
 * account.
 */
export function findActivity(
  ctx: Context,
  filter: {
    userId: string | undefined
    action: string | undefined
    before: number | undefined
    limit: number
  },
) {
  const { userId, action, before, limit } = filter
  return ctx.db
    .selectFrom('activity_log')
    .select(['id', 'user_id as userId', 'target_user_id as targetUserId', 'action', 'feature'])
    .select(['details', 'ip_address as ipAddress', 'user_agent as userAgent'])
    .select(['session_id as sessionId', 'created_at as createdAt'])
    .$if(userId !== undefined, (query) =>
      query.where((where) =>
        where.or([where('user_id', '=', userId ?? ''), where('target_user_id', '=', userId ?? '')]),
      ),
    )
    .$if(action !== undefined, (query) => query.where('action', '=', action ?? ''))
    .$if(before !== undefined, (query) => query.where('id', '<', before ?? 0))
    .orderBy('id', 'desc')
    .limit(limit)
    .execute()
}
