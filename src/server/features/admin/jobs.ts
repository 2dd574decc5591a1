/** The job queue for administrators: dead jobs are retried or discarded. */
import { z } from 'zod'
import type { api } from '../../../contract/api.ts'
import type { Context } from '../../context.ts'
import { atomically } from '../../database/atomically.ts'
import { exactTime, pageOf, readCursor } from '../../http/page-cursor.ts'
import { problem } from '../../http/problem.ts'
import type { Call } from '../../http/route.ts'
import { enqueue } from '../../jobs/enqueue.ts'
import { scopeOf } from '../../jobs/queue.ts'
import { logActivity } from '../activity/activity.ts'
import { findJobs, takeDeadJob } from './job-queries.ts'

const jobPosition = z.tuple([exactTime, z.uuid()])

export async function listJobs(ctx: Context, { query }: Call<typeof api.adminJobs.list>) {
  const { state, limit } = query
  const position = readCursor(jobPosition, query.cursor)
  const after = position && { createdAt: position[0], id: position[1] }
  const rows = await findJobs(ctx, { state, after, limit: limit + 1 })
  return pageOf(rows, limit, {
    present: ({ job }) => job,
    positionOf: ({ job, createdAtExactly }) => [createdAtExactly, job.id],
  })
}

export function retryJob(
  ctx: Context,
  { user, visitor, params }: Call<typeof api.adminJobs.retry>,
): Promise<{ message: string }> {
  return atomically(ctx, async (ctx) => {
    const dead = await takeDeadJob(ctx, params.id)
    // The job may be from an older version. A job that no node runs would wait forever.
    const job = ctx.queue.jobs.find(({ name }) => name === dead?.name)
    if (!dead || !job) throw problem.notFound()
    const scope = scopeOf({ groupId: dead.account, groupTier: dead.tier })
    await enqueue(ctx, job, dead.payload ?? {}, { scope })
    await logActivity(ctx, visitor, {
      userId: user.id,
      action: 'admin_changed',
      feature: 'administration',
      details: { job: dead.name, retried: params.id },
    })
    return { message: 'Job will run again' }
  })
}

export function discardJob(
  ctx: Context,
  { user, visitor, params }: Call<typeof api.adminJobs.discard>,
): Promise<{ message: string }> {
  return atomically(ctx, async (ctx) => {
    const dead = await takeDeadJob(ctx, params.id)
    if (!dead) throw problem.notFound()
    await logActivity(ctx, visitor, {
      userId: user.id,
      action: 'admin_changed',
      feature: 'administration',
      details: { job: dead.name, discarded: params.id },
    })
    return { message: 'Job discarded' }
  })
}
