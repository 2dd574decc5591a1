/** The SQL of settings. */
import { sql } from 'kysely'
import type { Context } from '../../context.ts'

/** Only settings that someone has changed have a row. */
export async function findSettings(ctx: Context): Promise<Record<string, unknown>> {
  const rows = await ctx.db.selectFrom('settings').select(['key', 'value']).execute()
  return Object.fromEntries(rows.map(({ key, value }) => [key, value]))
}

/**
 * SQL: whether the site goes without credits. Part of the statement that charges, so that a charge is
 * judged by what counts at that moment on every node.
 */
export const creditsAreOffSql = (untilChanged: 'on' | 'off') =>
  `coalesce((select value #>> '{}' from settings where key = 'credits'), '${untilChanged}') = 'off'`

export async function putSettings(ctx: Context, changed: Record<string, unknown>): Promise<void> {
  // In one order, so that two who change the same settings do not wait for each other.
  await sql`
    insert into settings (key, value, updated_at)
    select key, value, ${ctx.now()} from jsonb_each(${JSON.stringify(changed)}::jsonb) order by key
    on conflict (key) do update set updated_at = excluded.updated_at,
      -- Of a setting with parts, those that were left out stay.
      value = case when jsonb_typeof(excluded.value) = 'object'
        then settings.value || excluded.value else excluded.value end`.execute(ctx.db)
}
