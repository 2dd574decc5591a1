/** The SQL of the site's statistics. */
import { sql } from 'kysely'
import type { Context } from '../../context.ts'
import { deadLetters } from '../../jobs/queue.ts'
import { addressIsQuarantined } from '../visibility/visibility.ts'

export async function countSite(ctx: Context, since: Date) {
  type Counts = {
    users: { total: number; active: number; newInDays: number }
    sessions: { total: number; published: number }
    storage: { files: number; bytes: number; toBeRemoved: number }
  }
  const { rows } = await sql<Counts>`
    select
      (select json_build_object('total', count(*), 'active', count(*) filter (where is_active),
        'newInDays', count(*) filter (where created_at >= ${since})) from users) as users,
      json_build_object('total', (select count(*) from sessions), 'published',
        (select count(*) from community_sessions where status = 'published')) as sessions,
      json_build_object(
        'files', (select coalesce(sum(files), 0) from vault_counts),
        'bytes', (select coalesce(sum(file_size), 0) from vault_media),
        'toBeRemoved', (select count(*) from unclaimed_files file
          where remove_after <= ${ctx.now()}
            and not ${sql.raw(addressIsQuarantined('file.bucket', 'file.key'))})
      ) as storage`.execute(ctx.db)
  const [counts] = rows
  if (!counts) throw new Error('counting gave no row')
  return counts
}

/** Returns the credits that accounts gained and spent since a time, and the sum of all balances. */
export async function sumCredits(ctx: Context, since: Date) {
  const { rows } = await sql<{ in: number; out: number; outstanding: number }>`
    select coalesce(sum(amount) filter (where amount > 0), 0)::bigint as in,
      coalesce(-sum(amount) filter (where amount < 0), 0)::bigint as out,
      (select coalesce(sum(balance), 0)::bigint from credit_accounts) as outstanding
    from credit_transactions where created_at >= ${since}`.execute(ctx.db)
  return rows[0] ?? { in: 0, out: 0, outstanding: 0 }
}

export async function countJobs(ctx: Context) {
  type Counts = { waiting: number; running: number; failed: number; deadLetters: number }
  const { rows } = await sql<Counts>`
    select
      count(*) filter (where state in ('created', 'retry') and name <> ${deadLetters}) as waiting,
      count(*) filter (where state = 'active') as running,
      count(*) filter (where state = 'failed') as failed,
      count(*) filter (where name = ${deadLetters}) as "deadLetters"
    from pgboss.job`.execute(ctx.db)
  return rows[0] ?? { waiting: 0, running: 0, failed: 0, deadLetters: 0 }
}

type DayCounts = {
  day: string
  people: number
  sessions: number
  creditsIn: number
  creditsOut: number
  storedBytes: number
  jobsDone: number
  jobsFailed: number
}

/** Returns a row for every day, even without activity. */
export async function countDays(
  ctx: Context,
  span: { first: Date; last: Date },
): Promise<DayCounts[]> {
  const [first, last] = [dayOf(span.first), dayOf(span.last)]
  const since = new Date(first)
  const { rows } = await sql<DayCounts>`
    with
      people as (select ${sql.raw(utcDay('created_at'))} as day, count(*) as people
        from users where created_at >= ${since} group by 1),
      made as (select ${sql.raw(utcDay('created_at'))} as day, count(*) as sessions
        from sessions where created_at >= ${since} group by 1),
      moved as (select ${sql.raw(utcDay('created_at'))} as day,
          coalesce(sum(amount) filter (where amount > 0), 0)::bigint as "creditsIn",
          coalesce(-sum(amount) filter (where amount < 0), 0)::bigint as "creditsOut"
        from credit_transactions where created_at >= ${since} group by 1),
      stored as (select ${sql.raw(utcDay('created_at'))} as day,
          sum(file_size)::bigint as "storedBytes"
        from vault_media where created_at >= ${since} group by 1),
      ended as (select ${sql.raw(utcDay('completed_on'))} as day,
          count(*) filter (where state = 'completed') as "jobsDone",
          count(*) filter (where state = 'failed') as "jobsFailed"
        from pgboss.job where completed_on >= ${since} group by 1)
    select day, coalesce(people, 0) as people, coalesce(sessions, 0) as sessions,
      coalesce("creditsIn", 0) as "creditsIn", coalesce("creditsOut", 0) as "creditsOut",
      coalesce("storedBytes", 0) as "storedBytes", coalesce("jobsDone", 0) as "jobsDone",
      coalesce("jobsFailed", 0) as "jobsFailed"
    from (select to_char(day, 'YYYY-MM-DD') as day
      from generate_series(${first}::date, ${last}::date, interval '1 day') as day) days
    left join people using (day) left join made using (day) left join moved using (day)
    left join stored using (day) left join ended using (day)
    order by day`.execute(ctx.db)
  return rows
}

const utcDay = (column: string) => `to_char(${column} at time zone 'UTC', 'YYYY-MM-DD')`

function dayOf(date: Date): string {
  return date.toISOString().slice(0, 10)
}
