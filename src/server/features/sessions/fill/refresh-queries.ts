/** The SQL of sessions with a daily refresh. */
import { sql } from 'kysely'
import type { Context } from '../../../context.ts'
import type { Fill } from './fill-queries.ts'

const dayMs = 24 * 3600 * 1000

/** Turns the daily refresh on or off. If it is already on, its due time stays. */
export async function setRefresh(ctx: Context, sessionId: number, isOn: boolean): Promise<void> {
  const due = isOn
    ? sql`coalesce(refresh_due_at, ${new Date(ctx.now().getTime() + dayMs)}::timestamptz)`
    : sql`null`
  await sql`
    update sessions set refresh_due_at = ${due}, refresh_fill_number = null,
      refresh_failed_days = case when refresh_due_at is null then 0 else refresh_failed_days end
    where id = ${sessionId}`.execute(ctx.db)
}

/**
 * Takes a due session, locks it until the transaction ends, and makes it due again in a day: at the
 * same time of day, unless the service was down. Other nodes skip the locked row. Sessions with a
 * running fill wait.
 */
export async function takeDueSession(
  ctx: Context,
): Promise<{ readonly id: number; readonly isPaid: boolean } | undefined> {
  const now = ctx.now()
  const { rows } = await sql<{ id: number; isPaid: boolean }>`
    update sessions set refresh_due_at = case
      when refresh_due_at + interval '1 day' > ${now} then refresh_due_at + interval '1 day'
      else ${now}::timestamptz + interval '1 day' end
    where id = (
      select s.id from live_sessions s join users u on u.id = s.user_id
      where s.refresh_due_at <= ${now} and u.is_active
        and s.fill_status not in ('pending', 'filling')
      order by s.refresh_due_at limit 1 for no key update of s skip locked
    )
    returning id, fill_is_paid as "isPaid"`.execute(ctx.db)
  return rows[0]
}

export async function setRefreshFill(ctx: Context, fill: Fill): Promise<void> {
  await ctx.db
    .updateTable('sessions')
    .set({ refresh_fill_number: fill.fillNumber })
    .where('id', '=', fill.sessionId)
    .execute()
}

export async function clearFailedDays(ctx: Context, sessionId: number): Promise<void> {
  await sql`
    update sessions set refresh_failed_days = 0, refresh_fill_number = null
    where id = ${sessionId} and refresh_due_at is not null`.execute(ctx.db)
}

export type FailedRefresh = {
  readonly userId: string
  readonly title: string
  readonly days: number
}

/** Returns nothing if this fill was not the daily refresh, or if the daily refresh is off. */
export async function addFailedDay(
  ctx: Context,
  { sessionId, fillNumber }: { sessionId: number; fillNumber: number | null },
): Promise<FailedRefresh | undefined> {
  const { rows } = await sql<FailedRefresh>`
    update sessions set refresh_failed_days = refresh_failed_days + 1, refresh_fill_number = null
    where id = ${sessionId} and refresh_due_at is not null
      and refresh_fill_number is not distinct from ${fillNumber}
    returning user_id as "userId", title, refresh_failed_days as days`.execute(ctx.db)
  return rows[0]
}
