/** Caches captions across nodes: each caption is written once, even for concurrent viewers. */
import type { Context } from '../../../context.ts'
import { acquireLease } from '../../../leases/lease.ts'
import { makeOnce } from '../../../leases/make-once.ts'
import { CaptionFailed } from '../provider/caption-provider.ts'
import { captionLease, deleteCaptionsBefore, findCaption, storeCaption } from '../queries.ts'

const keptMs = 30 * 24 * 3600 * 1000

/** Returns the caption with this key, or the result of `write`. */
export async function captionOnce(
  ctx: Context,
  key: Uint8Array,
  write: () => Promise<string>,
): Promise<string> {
  const caption = await makeOnce(ctx, {
    find: async () => (await findCaption(ctx, key)) ?? undefined,
    acquire: () => acquireLease(ctx, captionLease, { key }, { values: { created_at: ctx.now() } }),
    async make(lease) {
      const written = await write()
      await storeCaption(ctx, lease, written)
      return written
    },
    longestWaitMs: ctx.captions.budgetMs,
  })
  if (caption === undefined)
    throw new CaptionFailed('timeout', 'Another node did not write it in time')
  return caption
}

export function sweepCaptions(ctx: Context): Promise<void> {
  return deleteCaptionsBefore(ctx, new Date(ctx.now().getTime() - keptMs))
}
