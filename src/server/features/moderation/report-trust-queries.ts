/** The SQL of the outcome of earlier reports: those from an address, and those about a subject. */
import { sql } from 'kysely'
import type { Context } from '../../context.ts'
import type { Subject } from './takedown-queries.ts'

const dismissalsToDistrust = 3

const isUrgent = sql.raw("reason in ('non_consensual', 'minor')")

/**
 * True when the last decided urgent reports from an address were all dismissed, the latest of them
 * after `since`.
 */
export async function isDistrusted(
  ctx: Context,
  reporterNames: readonly string[],
  since: Date,
): Promise<boolean> {
  const { rows } = await sql<{ isDistrusted: boolean }>`
    select count(*) = ${dismissalsToDistrust} and bool_and(decision = 'dismiss')
      and max(decided_at) > ${since} as "isDistrusted"
    from (
      select decision, decided_at from reports
      where reporter = any(${[...reporterNames]}::text[]) and ${isUrgent} and decided_at is not null
      order by decided_at desc, id desc limit ${dismissalsToDistrust}
    ) latest`.execute(ctx.db)
  return rows[0]?.isDistrusted === true
}

/** True when an urgent report about the subject was dismissed after `since`. */
export async function wasDismissedSince(
  ctx: Context,
  { mediaId, sessionId }: Subject,
  since: Date,
): Promise<boolean> {
  const { rows } = await sql`
    select from reports
    where ${isUrgent} and decision = 'dismiss' and decided_at > ${since}
      and (media_id = ${mediaId} or session_id = ${sessionId})
    limit 1`.execute(ctx.db)
  return rows.length > 0
}
