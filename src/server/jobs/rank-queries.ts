/** The SQL for fair turns: computes the order of jobs when they are added (start-time fair queueing). */
import type { PgBoss } from 'pg-boss'
import type { AccountScope } from '../platform/concurrency/account-scope.ts'

/**
 * Indexes for the queries below. pg-boss keeps ended jobs for days and has no such indexes: without them,
 * each insert would read all jobs.
 */
const indexes = {
  job_rank_account: "(name, group_id, priority) where state < 'completed'",
  job_rank_active: "(name, priority) where state = 'active'",
}

/** Creates missing indexes under a lock: nodes may start together. Existing indexes are not locked. */
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

// Priorities of work that runs last are below all others.
const lastFrom = 1_000_000_000

/**
 * Returns SQL for the priority of an account's next job: its rank, negated. Each further job of an account
 * has the next rank, so the first job of every account runs before any second one. A new account starts
 * just behind the running jobs. So a stream of new accounts cannot delay a waiting job forever. Within a
 * rank the oldest job is first. `queue` and `account` are parameters.
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
