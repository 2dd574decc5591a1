/** The SQL of administration. */
import type { Context } from '../../context.ts'

/** Only settings that someone has changed have a row. */
export async function findSettings(ctx: Context): Promise<Record<string, unknown>> {
  const rows = await ctx.db.selectFrom('settings').select(['key', 'value']).execute()
  return Object.fromEntries(rows.map(({ key, value }) => [key, value]))
}
