/** The SQL of how the site stands. */
import { sql } from 'kysely'
import type { Context } from '../../context.ts'
import { deadLetters } from '../../jobs/queue.ts'

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
        'toBeRemoved', (select count(*) from unclaimed_files where remove_after <= ${ctx.now()})
      ) as storage`.execute(ctx.db)
  const [counts] = rows
  if (!counts) throw new Error('counting gave no row')
  return counts
}

/** What came in and went out since, and what all accounts hold. */
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
