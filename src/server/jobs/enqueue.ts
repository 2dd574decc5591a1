/**
 * Adds a job to the queue. It runs if, and only if, the context's transaction commits. It belongs to the
 * account of the current scope by default: jobs of different accounts take turns.
 */
import type { z } from 'zod'
import type { Context } from '../context.ts'
import type { Part } from '../database/statement-parts.ts'
import type { Job } from './job.ts'
import type { SendOptions } from './queue.ts'

export function enqueue<Payload extends z.ZodType>(
  ctx: Context,
  job: Job<Payload>,
  payload: z.input<Payload> & object,
  options: SendOptions = {},
): Promise<void> {
  return ctx.queue.send(ctx.db, job.name, payload, options)
}

/** Adds jobs that a sweep has found, each for the account that owns it. */
export async function enqueueForOwners<Payload extends z.ZodType>(
  ctx: Context,
  job: Job<Payload>,
  found: readonly { readonly userId: string; readonly payload: z.input<Payload> & object }[],
): Promise<void> {
  for (const [account, owned] of Map.groupBy(found, ({ userId }) => userId))
    await enqueueAll(
      ctx,
      job,
      owned.map(({ payload }) => payload),
      { scope: { account } },
    )
}

/** Adds many jobs of one kind for one account, in one statement. */
export async function enqueueAll<Payload extends z.ZodType>(
  ctx: Context,
  job: Job<Payload>,
  payloads: readonly (z.input<Payload> & object)[],
  options: SendOptions = {},
): Promise<void> {
  if (payloads.length > 0) await ctx.queue.sendAll(ctx.db, job.name, payloads, options)
}

/**
 * Returns a part of a statement that adds a job for each row of `asked`, an earlier query that selects
 * payloads as `data`. The statement's final query must join `workers_notified`, which is one row.
 */
export function promisePart(ctx: Context, job: Job): Part {
  return ctx.queue.promisePart(job.name)
}
