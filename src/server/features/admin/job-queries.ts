/** The SQL of the job queue for administrators. */
import { sql } from 'kysely'
import type { jobStates } from '../../../contract/admin-jobs.ts'
import type { Context } from '../../context.ts'
import { isoTime } from '../../database/statement.ts'
import { deadLetters } from '../../jobs/queue.ts'

type State = (typeof jobStates)[number]

type JobRow = {
  readonly id: string
  readonly name: string
  readonly state: State
  readonly retries: number
  readonly error: string | null
  readonly createdAt: string
  readonly startAfter: string
}

/** A job in the list. `createdAtExactly` is its creation time in microseconds. */
type ListedJob = { readonly job: JobRow; readonly createdAtExactly: string }

/** The pg-boss condition of each state. Dead jobs are in a queue of their own. */
const where: Record<State, string> = {
  waiting: `state = 'created' and name <> '${deadLetters}'`,
  running: `state = 'active' and name <> '${deadLetters}'`,
  retrying: `state = 'retry' and name <> '${deadLetters}'`,
  dead: `state = 'created' and name = '${deadLetters}'`,
}

const errorCharacters = 500

export async function findJobs(
  ctx: Context,
  page: {
    state: State
    after: { createdAt: string; id: string } | undefined
    limit: number
  },
): Promise<ListedJob[]> {
  const { state, after, limit } = page
  const { rows } = await sql<JobRow & { createdAtExactly: string }>`
    select id, coalesce(source_name, name) as name, ${state} as state,
      coalesce(source_retry_count, retry_count) as retries,
      left(coalesce(source_output, output) ->> 'message', ${errorCharacters}) as error,
      ${sql.raw(isoTime('created_on'))} as "createdAt",
      ${sql.raw(isoTime('created_on', 'US'))} as "createdAtExactly",
      ${sql.raw(isoTime('start_after'))} as "startAfter"
    from pgboss.job
    where ${sql.raw(where[state])}
      and (${after?.id ?? null}::uuid is null
        or (created_on, id) < (${after?.createdAt ?? null}::timestamptz, ${after?.id ?? null}::uuid))
    order by created_on desc, id desc limit ${limit}`.execute(ctx.db)
  return rows.map(({ createdAtExactly, ...job }) => ({ job, createdAtExactly }))
}

type DeadJob = {
  readonly name: string
  readonly payload: object | null
  readonly account: string | null
  readonly tier: string | null
}

/** Deletes and returns a dead job. If two administrators take the same one, the second gets undefined. */
export async function takeDeadJob(ctx: Context, id: string): Promise<DeadJob | undefined> {
  const { rows } = await sql<DeadJob>`
    delete from pgboss.job where ${sql.raw(where.dead)} and id = ${id}
    returning coalesce(source_name, name) as name, data as payload, group_id as account,
      group_tier as tier`.execute(ctx.db)
  return rows[0]
}
