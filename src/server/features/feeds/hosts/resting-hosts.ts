/** The SQL of hosts that asked to be left alone, or do not answer: no node asks them before their time. */
import { sql } from 'kysely'
import type { Context } from '../../../context.ts'

type Asking = Pick<Context, 'db' | 'now'>

/** Until when each of them rests. */
export async function findRestingHosts(ctx: Asking): Promise<Map<string, Date>> {
  await ctx.db.deleteFrom('resting_hosts').where('until', '<=', ctx.now()).execute()
  const rows = await ctx.db.selectFrom('resting_hosts').select(['host', 'until']).execute()
  return new Map(rows.map(({ host, until }) => [host, until]))
}

/** A rest that is longer already stays as it is. */
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
