/**
 * Removes an account from the queue. Waiting jobs are deleted. Ended jobs stay for the statistics, but no
 * longer name the account or their subject.
 */
import { sql } from 'kysely'
import type { Context } from '../context.ts'
import { deadLetters } from './queue.ts'

/**
 * Deletes or anonymises the jobs of an account. Payloads contain its id, the paths of its files, or its
 * e-mail address. Jobs of the `kept` queue still wait: they finish the deletion of the account.
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
  // The error of a job of the site itself may contain the name of a file of this account.
  await sql`
    update pgboss.job set output = null where ${namesThem('output')}`.execute(ctx.db)
}

/** Clears the payload of a running job, as its last step, so that nothing is kept after it ends. */
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
