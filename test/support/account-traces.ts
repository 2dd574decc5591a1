/** Finds the places in the whole database where a user's id is still stored. */
import { sql } from 'kysely'
import type { World } from './world.ts'

/**
 * Returns the tables and columns that contain the word, of all that a dump would contain. A pending job that
 * removes late files is allowed to know their owner until it has run.
 */
export async function tracesOf({ ctx }: World, word: string): Promise<string[]> {
  const { rows: columns } = await sql<{ table: string; column: string }>`
    select table_schema || '.' || table_name as "table", column_name as "column"
    from information_schema.columns
    where table_schema in ('public', 'pgboss')
      and data_type in ('text', 'character varying', 'json', 'jsonb', 'ARRAY')
      and table_name <> 'schema_migrations'`.execute(ctx.db)
  const found: string[] = []
  for (const { table, column } of columns) {
    const isOther = /^pgboss\.job(?:_common)?$/.test(table)
      ? sql`not (name = 'remove-left-files' and state < 'active')`
      : sql`true`
    const { rows } = await sql`select from ${sql.table(table)}
      where ${isOther} and ${sql.ref(column)}::text like ${`%${word}%`} limit 1`.execute(ctx.db)
    if (rows.length > 0) found.push(`${table.replace('public.', '')}.${column}`)
  }
  return found
}
