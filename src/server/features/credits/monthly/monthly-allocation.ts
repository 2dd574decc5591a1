/**
 * Allocates monthly credits once for each account and month, even with several nodes, delays or wrong
 * clocks: a row for each allocated month ensures it.
 */
import type { Context } from '../../../context.ts'
import { atomically } from '../../../database/atomically.ts'
import { readSettingsAndTurning } from '../../settings/settings.ts'
import { allocationOf } from '../credit-accounts.ts'
import { lockAccount } from '../ledger/debit-queries.ts'
import type { Account } from './allocation-queries.ts'
import {
  allocate,
  findAccountsBeyond,
  findDueAccount,
  findDueAccounts,
  setNextAllocation,
} from './allocation-queries.ts'
import { nextMonthlyDate } from './monthly-date.ts'

const batchSize = 100
const longestMonthMs = 32 * 24 * 3600 * 1000

/** Each account has a separate transaction, so that a failure does not stop the others. */
export async function allocateMonthly(ctx: Context): Promise<void> {
  const latest = new Date(ctx.now().getTime() + longestMonthMs)
  await forEachBatch(
    (after) => findAccountsBeyond(ctx, latest, after, batchSize),
    (account) => setNextAllocation(ctx, account, nextMonthlyDate(account.anchoredAt, ctx.now())),
  )
  await forEachBatch(
    (after) => findDueAccounts(ctx, after, batchSize),
    async (account) => {
      try {
        await allocateOne(ctx, account.userId)
      } catch (error) {
        ctx.log.error(
          { event: 'allocation_failed', err: error, userId: account.userId },
          'failed to allocate monthly credits',
        )
      }
    },
  )
}

function allocateOne(ctx: Context, userId: string): Promise<void> {
  return atomically(ctx, async (ctx) => {
    // Read again after locking: a purchase may have changed tier and date in the meantime.
    await lockAccount(ctx, userId)
    const account = await findDueAccount(ctx, userId)
    if (!account) return
    const { tier, anchoredAt } = account
    // Missed months are not made up for: only the latest date before now counts.
    const date = latestMonthlyDate(anchoredAt, ctx.now())
    const settings = await readSettingsAndTurning(ctx)
    const { credits, creditsOnSince, keepPurchasedCredits: keepPurchased } = settings
    const passedWhileOff = credits === 'off' || (creditsOnSince !== null && date < creditsOnSince)
    if (!passedWhileOff)
      await allocate(ctx, {
        userId,
        month: monthOf(date),
        amount: allocationOf[tier],
        keepPurchased,
      })
    await setNextAllocation(ctx, account, nextMonthlyDate(anchoredAt, ctx.now()))
  })
}

async function forEachBatch(
  findBatch: (afterUserId: string) => Promise<Account[]>,
  work: (account: Account) => Promise<void>,
): Promise<void> {
  let after = ''
  for (;;) {
    const batch = await findBatch(after)
    for (const account of batch) await work(account)
    const last = batch.at(-1)
    if (!last || batch.length < batchSize) return
    after = last.userId
  }
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
