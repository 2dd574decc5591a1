/**
 * What is only for the moment: events, which after a day nobody resumes any more, and plays of people
 * without an account.
 */
import type { Context } from '../../../context.ts'
import { deleteEventsBefore } from './event-queries.ts'
import { deletePlaysOfNobody } from '../plays/play-queries.ts'

const keptMs = 24 * 3600 * 1000

export async function sweepEvents(ctx: Context): Promise<void> {
  const before = new Date(ctx.now().getTime() - keptMs)
  await deleteEventsBefore(ctx, before)
  await deletePlaysOfNobody(ctx, before)
}
