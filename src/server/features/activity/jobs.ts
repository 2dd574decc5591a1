/** Deletes old actions, with their IP addresses. */
import { z } from 'zod'
import type { Context } from '../../context.ts'
import { dropPartitionsBefore, makePartitions } from '../../database/partitions.ts'
import { defineJob } from '../../jobs/job.ts'

const months = { table: 'activity_log', step: 'month', ahead: 2 } as const
const dayMs = 24 * 3600 * 1000

export const sweepActivity = defineJob({
  name: 'sweep-activity',
  payload: z.object({}),
  retries: 3,
  timeLimitSeconds: 300,
  schedule: '37 * * * *',
  run: (ctx) => forgetActivity(ctx),
})

export async function forgetActivity(ctx: Context): Promise<void> {
  await makePartitions(ctx, months)
  const { activityKeepDays } = ctx.config
  if (activityKeepDays === 0) return
  await dropPartitionsBefore(ctx, months, new Date(ctx.now().getTime() - activityKeepDays * dayMs))
}
