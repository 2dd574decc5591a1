/** Background jobs of rooms. */
import { z } from 'zod'
import type { Context } from '../../context.ts'
import { defineJob } from '../../jobs/job.ts'
import { deleteEndedBefore, endClosedRooms } from './queries.ts'
import { deleteUncountedScreens } from './screen-queries.ts'

export const sweepRooms = defineJob({
  name: 'sweep-rooms',
  payload: z.object({}),
  retries: 3,
  timeLimitSeconds: 120,
  schedule: '*/5 * * * *',
  run: (ctx) => endOldRooms(ctx),
})

const keptMs = 24 * 3600 * 1000

async function endOldRooms(ctx: Context): Promise<void> {
  await endClosedRooms(ctx, null)
  await deleteEndedBefore(ctx, new Date(ctx.now().getTime() - keptMs))
  await deleteUncountedScreens(ctx)
}
