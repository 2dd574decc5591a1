/** Where somebody's id still stands, in the whole database. */
import { sql } from 'kysely'
import type { World } from './world.ts'

/**
 * By table and column, in whatever a dump would hold. The one job that waits to remove files which
 * came late knows whose they are until it has run.
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
