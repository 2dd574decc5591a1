/** The SQL of session events. */
import { sql } from 'kysely'
import type { Context } from '../../../context.ts'

export type SessionEvent = {
  readonly sessionId: number
  readonly seq: number
  readonly type: string
  readonly data: unknown
}

/**
 * Inserts an event and notifies every node at commit. A counter in the session's row gives the number,
 * so numbers become visible in order.
 */
export async function insertEvent(
  ctx: Context,
  sessionId: number,
  event: { type: string; data: Record<string, unknown> },
): Promise<void> {
  await sql`
    with numbered as (
      update sessions set event_seq = event_seq + 1 where id = ${sessionId} returning event_seq
    )
    insert into session_events (session_id, seq, type, data, created_at)
    select ${sessionId}, event_seq, ${event.type}, ${JSON.stringify(event.data)}::jsonb, ${ctx.now()}
    from numbered
    returning pg_notify('lanternist', 'session_event:' || session_id)`.execute(ctx.db)
}

/** The most events that one statement returns, for one session and in total. */
export const pageOfSession = 100
export const pageOfAll = 2000

/** Returns the events after the given number of each session, in order. */
export async function findEventsAfter(
  ctx: Pick<Context, 'db'>,
  asked: readonly { readonly sessionId: number; readonly after: number }[],
): Promise<SessionEvent[]> {
  const sessionIds = asked.map(({ sessionId }) => sessionId)
  const afters = asked.map(({ after }) => after)
  const { rows } = await sql<SessionEvent>`
    select asked.session_id as "sessionId", found.seq, found.type, found.data
    from unnest((select ${sessionIds}::int[]), (select ${afters}::int[]))
      as asked (session_id, after)
    cross join lateral (
      select seq, type, data from session_events
      where session_id = asked.session_id and seq > asked.after
      order by seq limit ${pageOfSession}
    ) found
    order by asked.session_id, found.seq
    limit ${pageOfAll}`.execute(ctx.db)
  return rows
}

export async function findLastSeq(ctx: Context, sessionId: number): Promise<number | null> {
  const row = await ctx.db
    .selectFrom('live_sessions')
    .select('event_seq')
    .where('id', '=', sessionId)
    .executeTakeFirst()
  return row?.event_seq ?? null
}
