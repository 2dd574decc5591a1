/** Events are for listeners of the moment; after a day nobody resumes any more. */
import type { Context } from '../../context.ts'
import { deleteEventsBefore } from './event-queries.ts'

const keptMs = 24 * 3600 * 1000

export function sweepEvents(ctx: Context): Promise<void> {
  return deleteEventsBefore(ctx, new Date(ctx.now().getTime() - keptMs))
}
