/** The SQL of what earlier reports turned out to be worth: those of an address, and those about a thing. */
import { sql } from 'kysely'
import type { Context } from '../../context.ts'
import type { Subject } from './takedown-queries.ts'

const dismissalsToDistrust = 3

const isUrgent = sql.raw("reason in ('non_consensual', 'minor')")

/** Whether the last urgent reports of an address that were decided were all dismissed, and lately. */
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

/** Whether somebody has looked at an urgent report about the thing, and found nothing. */
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
