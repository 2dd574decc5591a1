/** Caches captions across nodes: each caption is written once, even for concurrent viewers. */
import { setTimeout as sleep } from 'node:timers/promises'
import type { Context } from '../../../context.ts'
import type { Lease } from '../../../leases/lease.ts'
import { acquireLease, releaseLease, withLease } from '../../../leases/lease.ts'
import { CaptionFailed } from '../provider/caption-provider.ts'
import { captionLease, deleteCaptionsBefore, findCaption, storeCaption } from '../queries.ts'

const lookAgainMs = 200
const keptMs = 30 * 24 * 3600 * 1000

/** Returns the caption with this key, or the result of `write`. */
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
      throw new CaptionFailed('timeout', 'Another node did not write it in time')
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
    // If even this fails, the lease expires.
    await releaseLease(ctx, lease).catch((failed: unknown) =>
      ctx.log.warn(
        { event: 'lease_left', err: failed },
        'failed to release a lease, it will expire',
      ),
    )
    throw error
  }
}
