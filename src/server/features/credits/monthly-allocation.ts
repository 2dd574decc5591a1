/**
 * The monthly credits. Once for each account and month, however many nodes ask, however late it is
 * and whatever the clocks have done: a row for each month that was allocated says so.
 */
import { atomically } from '../../atomically.ts'
import type { Context } from '../../context.ts'
import { readSettings } from '../admin/settings.ts'
import {
  allocate,
  lockAccountsBeyond,
  lockDueAccounts,
  setNextAllocation,
} from './allocation-queries.ts'
import { allocationOf } from './credits.ts'
import { nextMonthlyDate } from './monthly-date.ts'

const batchSize = 100
const longestMonthMs = 32 * 24 * 3600 * 1000

export async function allocateMonthly(ctx: Context): Promise<void> {
  while ((await resetBatch(ctx)) === batchSize);
  while ((await allocateBatch(ctx)) === batchSize);
}

function allocateBatch(ctx: Context): Promise<number> {
  return atomically(ctx, async (ctx) => {
    const { keepPurchasedCredits: keepPurchased } = await readSettings(ctx)
    const due = await lockDueAccounts(ctx, batchSize)
    for (const { userId, tier, anchoredAt } of due) {
      const next = nextMonthlyDate(anchoredAt, ctx.now())
      // The month that the latest date before now lies in: months that were missed are not made up.
      const month = monthOf(latestMonthlyDate(anchoredAt, ctx.now()))
      await allocate(ctx, { userId, month, amount: allocationOf[tier], keepPurchased })
      await setNextAllocation(ctx, userId, next)
    }
    return due.length
  })
}

function resetBatch(ctx: Context): Promise<number> {
  return atomically(ctx, async (ctx) => {
    const latest = new Date(ctx.now().getTime() + longestMonthMs)
    const ahead = await lockAccountsBeyond(ctx, latest, batchSize)
    for (const { userId, anchoredAt } of ahead)
      await setNextAllocation(ctx, userId, nextMonthlyDate(anchoredAt, ctx.now()))
    return ahead.length
  })
}

function latestMonthlyDate(anchor: Date, now: Date): Date {
  const monthAgo = new Date(now.getTime() - longestMonthMs)
  let latest = nextMonthlyDate(anchor, monthAgo)
  for (let next = latest; next <= now; next = nextMonthlyDate(anchor, next)) latest = next
  return latest
}

function monthOf(date: Date): string {
  return `${date.toISOString().slice(0, 7)}-01`
}
