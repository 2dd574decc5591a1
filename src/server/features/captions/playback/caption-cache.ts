/**
 * A caption that was written once is not written again: not for the next viewer, and not for those who
 * ask at the same moment, on whichever node.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import type { Context } from '../../../context.ts'
import { CaptionFailed } from '../provider/caption-provider.ts'
import {
  claimCaption,
  deleteCaptionsBefore,
  dropClaim,
  findCaption,
  keepCaption,
  leaseRenewalMs,
  renewClaim,
} from '../queries.ts'

const lookAgainMs = 200
const keptMs = 30 * 24 * 3600 * 1000

/** The caption under this key, or the one that `write` makes of it. */
export async function captionOnce(
  ctx: Context,
  key: Uint8Array,
  write: () => Promise<string>,
): Promise<string> {
  const claim = ctx.newId()
  const deadlineMs = performance.now() + ctx.captions.budgetMs
  for (;;) {
    const caption = await findCaption(ctx, key)
    if (caption !== null) return caption
    if (await claimCaption(ctx, key, claim)) return writeClaimed(ctx, key, claim, write)
    if (performance.now() > deadlineMs)
      throw new CaptionFailed('timeout', 'Another node has not written it in time')
    await sleep(lookAgainMs)
  }
}

export function sweepCaptions(ctx: Context): Promise<void> {
  return deleteCaptionsBefore(ctx, new Date(ctx.now().getTime() - keptMs))
}

async function writeClaimed(
  ctx: Context,
  key: Uint8Array,
  claim: string,
  write: () => Promise<string>,
): Promise<string> {
  const renewal = setInterval(() => {
    renewClaim(ctx, key, claim).catch((error: unknown) => ctx.log.warn({ err: error }, 'lease'))
  }, leaseRenewalMs)
  try {
    const caption = await write()
    await keepCaption(ctx, key, claim, caption)
    return caption
  } catch (error) {
    // Where not even this can be written, the lease runs out.
    await dropClaim(ctx, key, claim).catch((failed: unknown) =>
      ctx.log.warn({ err: failed }, 'a claim is left to run out'),
    )
    throw error
  } finally {
    clearInterval(renewal)
  }
}
