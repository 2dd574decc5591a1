/** Promises a job: it runs if, and only if, the transaction that the context is in commits. */
import type { z } from 'zod'
import type { Context } from '../context.ts'
import type { Job } from './job.ts'

export function enqueue<Payload extends z.ZodType>(
  ctx: Context,
  job: Job<Payload>,
  payload: z.input<Payload> & object,
  options: { startAfter?: Date } = {},
): Promise<void> {
  return ctx.queue.send(ctx.db, job.name, payload, options)
}

/** The same job many times, in one statement. */
export async function enqueueAll<Payload extends z.ZodType>(
  ctx: Context,
  job: Job<Payload>,
  payloads: readonly (z.input<Payload> & object)[],
): Promise<void> {
  if (payloads.length > 0) await ctx.queue.sendAll(ctx.db, job.name, payloads)
}
