/** What a job is: a name, the shape of its payload, how often it is tried, and what it does. */
import type { z } from 'zod'
import type { Context } from '../context.ts'

export type Job<Payload extends z.ZodType = z.ZodType> = {
  readonly name: string
  readonly payload: Payload
  /** How many times a failed run is tried again before the job goes to the dead letters. */
  readonly retries: number
  /** A run that takes longer counts as failed. */
  readonly timeLimitSeconds: number
  /** How many run at a time on a node, each for another account; one, unless told. */
  readonly atOnce?: number
  /** A cron expression in UTC, for jobs that come by themselves with an empty payload. */
  readonly schedule?: string
  /** Must be safe to run again: a node can die after the work and before its report. */
  readonly run: (ctx: Context, payload: z.output<Payload>) => Promise<void>
}

export function defineJob<Payload extends z.ZodType>(job: Job<Payload>): Job<Payload> {
  return job
}

/** Runs a job's work on a payload as the queue kept it. */
export function runJob(ctx: Context, job: Job, payload: unknown): Promise<void> {
  return job.run(ctx, job.payload.parse(payload ?? {}))
}
