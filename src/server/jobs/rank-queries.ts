/**
 * The SQL of taking turns: in which order the waiting jobs of a queue come, worked out when each is
 * promised (start-time fair queueing).
 */
import { sql } from 'kysely'
import type { Database } from '../database/database.ts'

// Priorities of what comes last lie below all others.
const lastFrom = 1_000_000_000

/**
 * The priority of an account's next job, which is its rank below zero. Each further job of an account
 * has the next rank, so each account's first comes before anybody's second. A later account begins
 * behind what is run by then: accounts that keep coming overtake no waiting job for ever. Of the same
 * rank the oldest is first.
 */
export async function nextPriority(
  db: Database,
  queue: string,
  { account, isLast = false }: { readonly account: string; readonly isLast?: boolean },
): Promise<number> {
  const offset = isLast ? lastFrom : 0
  const band = isLast ? sql`priority <= ${-lastFrom}::int` : sql`priority > ${-lastFrom}::int`
  const { rows } = await sql<{ priority: number }>`
    select least(
      -${offset}::int,
      (select min(priority) - 1 from pgboss.job
        where name = ${queue} and group_id = ${account} and state in ('created', 'retry', 'active')
          and ${band}),
      coalesce(
        (select min(priority) - 1 from pgboss.job
          where name = ${queue} and state = 'active' and ${band}),
        (select max(priority) from pgboss.job
          where name = ${queue} and state < 'active' and not blocked and start_after <= now()
            and ${band}))
    )::int as priority`.execute(db)
  return rows[0]?.priority ?? -offset
}
