/** Finds unfinished work that no job will complete. */
import type { RawBuilder } from 'kysely'
import { sql } from 'kysely'

/**
 * Returns a condition that is true if no job of the queue waits or runs for the row. A lease cannot tell
 * that: nothing renews it while a job waits, and jobs wait for hours if workers are down or busy. `payload`
 * maps each field of the job's payload to the column that it equals.
 */
export function hasNoPendingJob(
  queue: string,
  payload: Readonly<Record<string, string>>,
): RawBuilder<boolean> {
  const fields = Object.entries(payload).map(
    ([field, column]) => sql`queued.data ->> ${field} = ${sql.ref(column)}::text`,
  )
  return sql<boolean>`not exists (
    select from pgboss.job queued
    where queued.name = ${queue} and queued.state < 'completed'
      and ${sql.join(fields, sql` and `)})`
}
