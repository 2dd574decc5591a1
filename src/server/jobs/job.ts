/** A job: its name, the schema of its payload, its retries, and its function. */
import type { z } from 'zod'
import type { Context } from '../context.ts'

export type Job<Payload extends z.ZodType = z.ZodType> = {
  readonly name: string
  readonly payload: Payload
  /** The number of retries after failures, before the job is moved to the dead letters. */
  readonly retries: number
  /** A run that takes longer counts as failed. */
  readonly timeLimitSeconds: number
  /** The number that may run at a time on a node, each for another account. Default: 1. */
  readonly atOnce?: number
  /** A cron expression in UTC, for jobs that start regularly with an empty payload. */
  readonly schedule?: string
  /** Must be idempotent: a node can die after the work and before reporting it. */
  readonly run: (ctx: Context, payload: z.output<Payload>) => Promise<void>
}

export function defineJob<Payload extends z.ZodType>(job: Job<Payload>): Job<Payload> {
  return job
}

/** Runs a job with a payload as stored in the queue. */
export function runJob(ctx: Context, job: Job, payload: unknown): Promise<void> {
  return job.run(ctx, job.payload.parse(payload ?? {}))
}
