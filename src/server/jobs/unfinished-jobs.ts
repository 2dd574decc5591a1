/** Tells work that a job will still do from work that no job will do any more. */
import type { RawBuilder } from 'kysely'
import { sql } from 'kysely'

/**
 * True of rows for which no job of the queue waits or runs. A lease alone cannot tell: nothing renews
 * it while a job waits, and a job waits for hours where workers are away or have much to do.
 * `payload` names, for each field of the job's payload, the column that it equals.
 */
export function noJobIsLeft(
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
