/** The SQL of settings. */
import { sql } from 'kysely'
import type { Context } from '../../context.ts'

/** Returns the changed settings. Only settings that an administrator has changed have a row. */
export async function findSettings(ctx: Context): Promise<Record<string, unknown>> {
  const rows = await ctx.db.selectFrom('settings').select(['key', 'value']).execute()
  return Object.fromEntries(rows.map(({ key, value }) => [key, value]))
}

/**
 * SQL: true when credits are off. It is part of the statement that charges, so that a charge uses the
 * current setting on every node.
 */
export const creditsAreOffSql = (untilChanged: 'on' | 'off') =>
  `coalesce((select value #>> '{}' from settings where key = 'credits'), '${untilChanged}') = 'off'`

/**
 * SQL: true when the community is open to guests. It is part of the statement that grants access to a
 * file, so that the access ends with the setting on every node.
 */
export const communityIsPublicSql = (untilChanged: string) =>
  `coalesce((select value = 'true' from settings where key = 'publicCommunity'), ${untilChanged})`

export async function putSettings(ctx: Context, changed: Record<string, unknown>): Promise<void> {
  // In a fixed order, so that two transactions with the same rows cannot deadlock.
  await sql`
    insert into settings (key, value, updated_at)
    select key, value, ${ctx.now()} from jsonb_each(${JSON.stringify(changed)}::jsonb) order by key
    on conflict (key) do update set updated_at = excluded.updated_at,
      -- Of a setting with parts, those that were left out stay.
      value = case when jsonb_typeof(excluded.value) = 'object'
        then settings.value || excluded.value else excluded.value end`.execute(ctx.db)
}
