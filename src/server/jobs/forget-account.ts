/**
 * Takes an account out of the queue. What waits for it goes. What has ended stays for the figures, and
 * no longer says whose it was or what it was about.
 */
import { sql } from 'kysely'
import type { Context } from '../context.ts'
import { deadLetters } from './queue.ts'

/**
 * Payloads name an account by its id, by the paths of its files, or by the address of a mail. Jobs of
 * the `kept` queue still wait: they do what is left to do for the account.
 */
export async function forgetJobsOf(
  ctx: Context,
  account: { readonly userId: string; readonly email: string | null; readonly kept: string },
): Promise<void> {
  const { userId, email, kept } = account
  const words = [JSON.stringify(userId), `/${userId}/`, ...(email ? [JSON.stringify(email)] : [])]
  const namesThem = (column: 'data' | 'output') => sql<boolean>`exists (
    select from unnest(${words}::text[]) word where strpos(${sql.ref(column)}::text, word) > 0)`
  const isTheirs = sql<boolean>`(group_id = ${userId} or ${namesThem('data')})`
  await sql`
    delete from pgboss.job
    where ${isTheirs} and name <> ${kept}
      and (state < 'active' or name = ${deadLetters})`.execute(ctx.db)
  await sql`
    update pgboss.job set data = null, output = null, group_id = null
    where ${isTheirs} and state > 'active'`.execute(ctx.db)
  // The error of a job of the whole site may name a file of theirs.
  await sql`
    update pgboss.job set output = null where ${namesThem('output')}`.execute(ctx.db)
}

/** For a job's own last step: once it has ended, its payload says nothing. */
export async function forgetPayload(
  ctx: Context,
  job: { readonly name: string; readonly field: string; readonly value: string },
): Promise<void> {
  await sql`
    update pgboss.job set data = null, group_id = null
    where name = ${job.name} and state = 'active' and data ->> ${job.field} = ${job.value}`.execute(
    ctx.db,
  )
}
