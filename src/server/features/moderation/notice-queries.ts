/** The SQL of notices. */
import { sql } from 'kysely'
import type { Context } from '../../context.ts'

/** Inserts a notice, unless the user was deleted. */
export async function notify(ctx: Context, userId: string, message: string): Promise<void> {
  await sql`
    insert into notices (user_id, message, created_at)
    select id, ${message}, ${ctx.now()} from users where id = ${userId}`.execute(ctx.db)
}

export function listNoticeRows(
  ctx: Context,
  userId: string,
  { before, limit }: { before: number | null; limit: number },
) {
  return ctx.db
    .selectFrom('notices')
    .select(['id', 'message', 'created_at as createdAt', 'read_at as readAt'])
    .where('user_id', '=', userId)
    .$if(before !== null, (query) => query.where('id', '<', before))
    .orderBy('id', 'desc')
    .limit(limit)
    .execute()
}

export async function countUnread(ctx: Context, userId: string): Promise<number> {
  const { unread } = await ctx.db
    .selectFrom('notices')
    .select(sql<number>`count(*)::int`.as('unread'))
    .where('user_id', '=', userId)
    .where('read_at', 'is', null)
    .executeTakeFirstOrThrow()
  return unread
}

export async function markRead(ctx: Context, userId: string): Promise<void> {
  await ctx.db
    .updateTable('notices')
    .set({ read_at: ctx.now() })
    .where('user_id', '=', userId)
    .where('read_at', 'is', null)
    .execute()
}
