/** The use of an account's limits, and its recent enhancements. */
import type { api } from '../../../contract/api.ts'
import { enhancementsADay, enhancementsAtOnce } from '../../../contract/enhancement-limits.ts'
import type { Context } from '../../context.ts'
import { mediaUrlOf } from '../../http/media/media-url.ts'
import { problem } from '../../http/problem.ts'
import type { Call } from '../../http/route.ts'
import { countGenerations } from './queries.ts'
import { listGenerations } from './result-queries.ts'

const maxListed = 30

export async function readRecent(ctx: Context, { user }: Call<typeof api.enhancement.recent>) {
  const { today, atOnce } = await usageOf(ctx, user.id)
  const generations = await listGenerations(ctx, user.id, maxListed)
  const items = generations.map(({ path, refundedAt, createdAt, ...generation }) => ({
    ...generation,
    resultUrl:
      generation.status === 'completed' && path !== null
        ? mediaUrlOf(ctx, { bucket: 'user-media', key: path })
        : null,
    isRefunded: refundedAt !== null,
    createdAt: createdAt.toISOString(),
  }))
  return { today, atOnce, items }
}

/** Throws when a limit is reached. The result is binding only in a transaction that locks the account. */
export async function refuseOverLimits(ctx: Context, userId: string): Promise<void> {
  const { today, atOnce } = await usageOf(ctx, userId)
  if (today.used >= today.limit) throw problem.dailyLimitReached(today)
  if (atOnce.used >= atOnce.limit) throw problem.concurrentLimitReached({ limit: atOnce.limit })
}

async function usageOf(ctx: Context, userId: string) {
  const { midnight, nextMidnight } = dayOf(ctx.now())
  const { today, pending } = await countGenerations(ctx, userId, midnight)
  return {
    today: { used: today, limit: enhancementsADay, resetAt: nextMidnight.toISOString() },
    atOnce: { used: pending, limit: enhancementsAtOnce },
  }
}

function dayOf(now: Date): { midnight: Date; nextMidnight: Date } {
  const [year, month, day] = [now.getUTCFullYear(), now.getUTCMonth(), now.getUTCDate()]
  return {
    midnight: new Date(Date.UTC(year, month, day)),
    nextMidnight: new Date(Date.UTC(year, month, day + 1)),
  }
}
