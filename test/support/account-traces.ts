/** Where somebody's id still stands, in the whole database. */
import { sql } from 'kysely'
import type { World } from './world.ts'

/** By table and column. Jobs are not looked at: theirs go with the queue's own tidying. */
export async function tracesOf({ ctx }: World, userId: string): Promise<string[]> {
  const { rows: columns } = await sql<{ table: string; column: string }>`
    select table_name as "table", column_name as "column" from information_schema.columns
    where table_schema = 'public' and data_type in ('text', 'jsonb', 'ARRAY')
      and table_name <> 'schema_migrations'`.execute(ctx.db)
  const found: string[] = []
  for (const { table, column } of columns) {
    const { rows } = await sql`select from ${sql.table(table)}
      where ${sql.ref(column)}::text like ${`%${userId}%`} limit 1`.execute(ctx.db)
    if (rows.length > 0) found.push(`${table}.${column}`)
  }
  return found
}
