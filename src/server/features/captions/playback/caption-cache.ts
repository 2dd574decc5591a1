/**
 * A caption that was written once is not written again: not for the next viewer, and not for those who
 * ask at the same moment, on whichever node.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import type { Context } from '../../../context.ts'
import type { Lease } from '../../../leases/lease.ts'
import { acquireLease, releaseLease, withLease } from '../../../leases/lease.ts'
import { CaptionFailed } from '../provider/caption-provider.ts'
import { captionLease, deleteCaptionsBefore, findCaption, storeCaption } from '../queries.ts'

const lookAgainMs = 200
const keptMs = 30 * 24 * 3600 * 1000

/** The caption under this key, or the one that `write` makes of it. */
export async function captionOnce(
  ctx: Context,
  key: Uint8Array,
  write: () => Promise<string>,
): Promise<string> {
  const deadlineMs = performance.now() + ctx.captions.budgetMs
  for (;;) {
    const caption = await findCaption(ctx, key)
    if (caption !== null) return caption
    const lease = await acquireLease(
      ctx,
      captionLease,
      { key },
      { values: { created_at: ctx.now() } },
    )
    if (lease) return withLease(ctx, lease, () => writeHeld(ctx, lease, write))
    if (performance.now() > deadlineMs)
      throw new CaptionFailed('timeout', 'Another node has not written it in time')
    await sleep(lookAgainMs)
  }
}

export function sweepCaptions(ctx: Context): Promise<void> {
  return deleteCaptionsBefore(ctx, new Date(ctx.now().getTime() - keptMs))
}

async function writeHeld(
  ctx: Context,
  lease: Lease,
  write: () => Promise<string>,
): Promise<string> {
  try {
    const caption = await write()
    await storeCaption(ctx, lease, caption)
    return caption
  } catch (error) {
    // Where not even this can be written, the lease runs out.
    await releaseLease(ctx, lease).catch((failed: unknown) =>
      ctx.log.warn({ event: 'lease_left', err: failed }, 'a lease is left to run out'),
    )
    throw error
  }
}
