/**
 * The SQL of taking turns: in which order the waiting jobs of a queue come, worked out when each is
 * promised (start-time fair queueing).
 */
import { sql } from 'kysely'
import type { PgBoss } from 'pg-boss'
import type { Database } from '../database/database.ts'

/**
 * pg-boss keeps ended jobs for days, and looks for none of what is asked below: without these each
 * promise would read all of them.
 */
const indexes = {
  job_rank_account: "(name, group_id, priority) where state < 'completed'",
  job_rank_active: "(name, priority) where state = 'active'",
}

/** Nodes may start together; an index that is there is not even locked. */
export async function ensureRankIndexes(boss: PgBoss): Promise<void> {
  const missing = Object.entries(indexes).map(
    ([name, what]) => `
      if to_regclass('pgboss.${name}') is null then
        create index ${name} on pgboss.job ${what};
      end if;`,
  )
  await boss.getDb().executeSql(`do $$ begin
    perform pg_advisory_xact_lock(hashtext('job ranks'));
    ${missing.join('')}
  end $$`)
}

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
        where name = ${queue} and group_id = ${account} and state < 'completed'
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
