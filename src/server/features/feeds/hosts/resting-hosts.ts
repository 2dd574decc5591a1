/**
 * SQL queries of servers that asked for a pause or do not answer. No node sends requests to them until it
 * ends.
 */
import { sql } from 'kysely'
import type { Context } from '../../../context.ts'

type Asking = Pick<Context, 'db' | 'now'>

/** Returns the end of each server's rest. */
export async function findRestingHosts(ctx: Asking): Promise<Map<string, Date>> {
  await ctx.db.deleteFrom('resting_hosts').where('until', '<=', ctx.now()).execute()
  const rows = await ctx.db.selectFrom('resting_hosts').select(['host', 'until']).execute()
  return new Map(rows.map(({ host, until }) => [host, until]))
}

/** Makes a server rest until this time, or longer if it already does. */
export async function restHost(ctx: Pick<Asking, 'db'>, host: string, until: Date): Promise<void> {
  await sql`
    insert into resting_hosts (host, until) values (${host}, ${until})
    on conflict (host) do update set until = greatest(resting_hosts.until, excluded.until)`.execute(
    ctx.db,
  )
}

export async function restOf(ctx: Asking, host: string): Promise<Date | null> {
  const row = await ctx.db
    .selectFrom('resting_hosts')
    .select('until')
    .where('host', '=', host)
    .where('until', '>', ctx.now())
    .executeTakeFirst()
  return row?.until ?? null
}
