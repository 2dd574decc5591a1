/**
 * Promises a job: it runs if, and only if, the transaction that the context is in commits. It is the
 * account's whose request or job promises it, unless told: jobs of different accounts take turns.
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

/** What a sweep has found for others: each account's jobs are its own. */
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

/** The same job many times for one account, in one statement. */
export async function enqueueAll<Payload extends z.ZodType>(
  ctx: Context,
  job: Job<Payload>,
  payloads: readonly (z.input<Payload> & object)[],
  options: SendOptions = {},
): Promise<void> {
  if (payloads.length > 0) await ctx.queue.sendAll(ctx.db, job.name, payloads, options)
}

/**
 * The promise as a part of a statement: a job for each row of `asked`, a query of a part before it that
 * selects payloads as `data`. The statement's answer joins `workers_told`, which is one row.
 */
export function promisePart(ctx: Context, job: Job): Part {
  return ctx.queue.promisePart(job.name)
}
