/** SQL queries of daily bonuses. */
import { sql } from 'kysely'
import type { Context } from '../../../context.ts'

/** Returns the latest claim on `since` or later. */
export function findLatestBonus(ctx: Context, userId: string, since: string) {
  return ctx.db
    .selectFrom('daily_bonuses')
    .select(['day', 'streak'])
    .where('user_id', '=', userId)
    .where('day', '>=', since)
    .orderBy('day', 'desc')
    .limit(1)
    .executeTakeFirst()
}

/**
 * Claims the bonus. A claim on consecutive days extends the streak. Returns false if it was already
 * claimed.
 */
export async function insertBonus(
  ctx: Context,
  userId: string,
  days: { day: string; yesterday: string },
): Promise<boolean> {
  const { rows } = await sql`
    insert into daily_bonuses (user_id, day, streak)
    select ${userId}, ${days.day}::date, coalesce(max(streak), 0) + 1
    from daily_bonuses where user_id = ${userId} and day = ${days.yesterday}::date
    on conflict do nothing
    returning day`.execute(ctx.db)
  return rows.length > 0
}
