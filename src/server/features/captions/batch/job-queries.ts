/** SQL queries of jobs that caption sessions in the background. */
import { sql } from 'kysely'
import type { Context } from '../../../context.ts'
import { hasNoPendingJob } from '../../../jobs/unfinished-jobs.ts'
import type { Lease, LeaseKind } from '../../../leases/lease.ts'
import { leaseHasEnded } from '../../../leases/lease.ts'

export type CaptionJob = {
  readonly id: string
  readonly userId: string
  readonly sessionId: number | null
  readonly steering: string | null
  readonly debitId: number | null
  readonly creditsEach: number
}

export type JobFigures = {
  readonly status: 'pending' | 'running' | 'completed' | 'failed'
  readonly done: number
  readonly total: number
  readonly failed: number
}

export const captionQueue = 'caption-slides'

/** The lease of a job, held by its current run and renewed with each slide. */
const runLease: LeaseKind = {
  table: 'caption_jobs',
  holder: 'run',
  time: { renewedAt: 'updated_at' },
  durationMs: 10 * 60 * 1000,
  unfinished: sql`caption_jobs.status in ('pending', 'running')`,
}

export function leaseOf(id: string, run: string): Lease {
  return { kind: runLease, key: { id }, holder: run }
}

const jobColumns = [
  'id',
  'user_id as userId',
  'session_id as sessionId',
  'steering',
  'debit_id as debitId',
  'credits_each as creditsEach',
] as const

export async function insertJob(
  ctx: Context,
  job: CaptionJob,
  mediaIds: readonly number[],
): Promise<void> {
  await ctx.db
    .insertInto('caption_jobs')
    .values({
      id: job.id,
      user_id: job.userId,
      session_id: job.sessionId,
      steering: job.steering,
      status: 'pending',
      debit_id: job.debitId,
      credits_each: job.creditsEach,
      created_at: ctx.now(),
      updated_at: ctx.now(),
    })
    .execute()
  await sql`
    insert into caption_job_slides (job_id, media_id, position)
    select ${job.id}::uuid, media_id, n
    from unnest(${[...mediaIds]}::int[]) with ordinality as list (media_id, n)`.execute(ctx.db)
}

/** Returns the job, but only to its owner. */
export async function findOwnJob(
  ctx: Context,
  id: string,
  userId: string,
): Promise<JobFigures | undefined> {
  const { rows } = await sql<JobFigures>`
    select job.status, count(*) filter (where slide.state = 'done') as done, count(*) as total,
      count(*) filter (where slide.state = 'failed') as failed
    from caption_jobs job join caption_job_slides slide on slide.job_id = job.id
    where job.id = ${id}::uuid and job.user_id = ${userId}
    group by job.id`.execute(ctx.db)
  return rows[0]
}

/** Takes over the job; an earlier run can then write nothing more. Returns null if it has ended. */
export async function beginRun(ctx: Context, id: string, run: string): Promise<CaptionJob | null> {
  const job = await ctx.db
    .updateTable('caption_jobs')
    .set({ run, status: 'running', updated_at: ctx.now() })
    .where('id', '=', id)
    .where('status', 'in', ['pending', 'running'])
    .returning(jobColumns)
    .executeTakeFirst()
  return job ?? null
}

/** Returns the pending slides in the session's order. */
export async function findWaiting(ctx: Context, id: string): Promise<number[]> {
  const rows = await ctx.db
    .selectFrom('caption_job_slides')
    .select('media_id as mediaId')
    .where('job_id', '=', id)
    .where('state', '=', 'pending')
    .orderBy('position')
    .execute()
  return rows.map(({ mediaId }) => mediaId)
}

export async function setSlideState(
  ctx: Context,
  slide: { jobId: string; mediaId: number },
  state: 'done' | 'failed',
): Promise<void> {
  await ctx.db
    .updateTable('caption_job_slides')
    .set({ state })
    .where('job_id', '=', slide.jobId)
    .where('media_id', '=', slide.mediaId)
    .where('state', '=', 'pending')
    .execute()
}

export async function countSlides(
  ctx: Context,
  jobId: string,
): Promise<Omit<JobFigures, 'status'>> {
  const { rows } = await sql<Omit<JobFigures, 'status'>>`
    select count(*) filter (where state = 'done') as done, count(*) as total,
      count(*) filter (where state = 'failed') as failed
    from caption_job_slides where job_id = ${jobId}::uuid`.execute(ctx.db)
  return rows[0] ?? { done: 0, total: 0, failed: 0 }
}

export async function failWaiting(ctx: Context, jobId: string): Promise<void> {
  await ctx.db
    .updateTable('caption_job_slides')
    .set({ state: 'failed' })
    .where('job_id', '=', jobId)
    .where('state', '=', 'pending')
    .execute()
}

/** Ends the job and returns it, or null if it had already ended. */
export async function endJob(
  ctx: Context,
  id: string,
  status: 'completed' | 'failed',
): Promise<CaptionJob | null> {
  const job = await ctx.db
    .updateTable('caption_jobs')
    .set({ status, updated_at: ctx.now() })
    .where('id', '=', id)
    .where('status', 'in', ['pending', 'running'])
    .returning(jobColumns)
    .executeTakeFirst()
  return job ?? null
}

/**
 * Returns jobs that no run continues. A job that waits in the queue between two runs is not stuck,
 * however long it waits.
 */
export async function findStuckJobs(ctx: Context): Promise<string[]> {
  const rows = await ctx.db
    .selectFrom('caption_jobs')
    .select('id')
    .where(leaseHasEnded(ctx, runLease))
    .where(hasNoPendingJob(captionQueue, { jobId: 'caption_jobs.id' }))
    .limit(100)
    .execute()
  return rows.map(({ id }) => id)
}

export async function deleteEndedJobs(ctx: Context, before: Date): Promise<void> {
  await ctx.db
    .deleteFrom('caption_jobs')
    .where('status', 'in', ['completed', 'failed'])
    .where('updated_at', '<', before)
    .execute()
}
