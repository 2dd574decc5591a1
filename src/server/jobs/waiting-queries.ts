/** Counts the due jobs, and how long they have waited. Operators check this when nothing progresses. */
import { sql } from 'kysely'
import type { Database } from '../database/database.ts'

export type WaitingJobs = {
  readonly queue: string
  readonly jobs: number
  readonly oldestSeconds: number
}

export async function countWaiting(db: Database): Promise<WaitingJobs[]> {
  const { rows } = await sql<WaitingJobs>`
    select name as queue, count(*)::int as jobs,
      extract(epoch from now() - min(start_after))::float8 as "oldestSeconds"
    from pgboss.job
    where state < 'active' and start_after <= now() and not starts_with(name, '__pgboss')
    group by name`.execute(db)
  return rows
}
