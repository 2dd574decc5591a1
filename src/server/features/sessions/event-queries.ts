/** The SQL of session events. */
import { sql } from 'kysely'
import type { Context } from '../../context.ts'

export type SessionEvent = { readonly seq: number; readonly type: string; readonly data: unknown }

/** Numbers the event by a counter in the session's row, so that numbers become visible in order. */
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
    from numbered`.execute(ctx.db)
}

export function findEventsAfter(
  ctx: Context,
  sessionId: number,
  seq: number,
): Promise<SessionEvent[]> {
  return ctx.db
    .selectFrom('session_events')
    .select(['seq', 'type', 'data'])
    .where('session_id', '=', sessionId)
    .where('seq', '>', seq)
    .orderBy('seq')
    .limit(100)
    .execute()
}

export async function findLastSeq(ctx: Context, sessionId: number): Promise<number | null> {
  const row = await ctx.db
    .selectFrom('sessions')
    .select('event_seq')
    .where('id', '=', sessionId)
    .executeTakeFirst()
  return row?.event_seq ?? null
}

export async function deleteEventsBefore(ctx: Context, time: Date): Promise<void> {
  await ctx.db.deleteFrom('session_events').where('created_at', '<', time).execute()
}
