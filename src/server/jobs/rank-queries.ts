/**
 * The SQL of taking turns: in which order the waiting jobs of a queue come, worked out when each is
 * promised (start-time fair queueing).
 */
import type { PgBoss } from 'pg-boss'
import type { AccountScope } from '../platform/concurrency/account-scope.ts'

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
 * rank the oldest is first. `queue` and `account` are parameters.
 */
export function nextPriority(
  { isLast = false }: AccountScope,
  { table, queue, account }: { table: string; queue: string; account: string },
): string {
  const offset = isLast ? lastFrom : 0
  const band = isLast ? `rank.priority <= ${-lastFrom}` : `rank.priority > ${-lastFrom}`
  const jobs = `from ${table} rank where rank.name = ${queue}::text and ${band}`
  return `least(
    ${-offset},
    (select min(rank.priority) - 1 ${jobs}
      and rank.group_id = ${account}::text and rank.state < 'completed'),
    coalesce(
      (select min(rank.priority) - 1 ${jobs} and rank.state = 'active'),
      (select max(rank.priority) ${jobs}
        and rank.state < 'active' and not rank.blocked and rank.start_after <= now()))
  )`
}
