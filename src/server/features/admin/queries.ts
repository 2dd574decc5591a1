/** The SQL of settings, of lists that administrators read, and of how the site stands. */
import { sql } from 'kysely'
import type { Context } from '../../context.ts'

/** Only settings that someone has changed have a row. */
export async function findSettings(ctx: Context): Promise<Record<string, unknown>> {
  const rows = await ctx.db.selectFrom('settings').select(['key', 'value']).execute()
  return Object.fromEntries(rows.map(({ key, value }) => [key, value]))
}

export async function putSettings(ctx: Context, changed: Record<string, unknown>): Promise<void> {
  // In one order, so that two who change the same settings do not wait for each other.
  await sql`
    insert into settings (key, value, updated_at)
    select key, value, ${ctx.now()} from jsonb_each(${JSON.stringify(changed)}::jsonb) order by key
    on conflict (key) do update set value = excluded.value, updated_at = excluded.updated_at`.execute(
    ctx.db,
  )
}

/** Of one person: what they did, and what was done to their account. */
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
