/** The front door of the credit ledger: the account, and what moves on it beside spending. */
import type { z } from 'zod'
import type { creditSummary, tiers } from '../../../contract/credits.ts'
import type { Context } from '../../context.ts'
import { areCreditsOn, readSettings } from '../settings/settings.ts'
import { addCredits } from './ledger/debit-queries.ts'
import { findAccount, insertAccount, sumLatestAccounts } from './ledger/queries.ts'
import { nextMonthlyDate } from './monthly/monthly-date.ts'

export type Tier = (typeof tiers)[number]

/** What each tier gets a month. */
export const allocationOf: Readonly<Record<Tier, number>> = {
  free: 50,
  joi_curious: 1000,
  full_access: 2500,
  vip: 5000,
}

/** Belongs into the transaction that makes the user. */
export async function openCreditAccount(ctx: Context, userId: string): Promise<void> {
  await insertAccount(ctx, { userId, nextAllocationAt: nextMonthlyDate(ctx.now(), ctx.now()) })
  if (!(await areCreditsOn(ctx))) return
  await addCredits(ctx, {
    userId,
    amount: allocationOf.free,
    type: 'grant',
    description: 'Welcome credits',
  })
}

/** Null where the user is gone. */
export async function summariseCredits(
  ctx: Context,
  userId: string,
): Promise<z.input<typeof creditSummary> | null> {
  const account = await findAccount(ctx, userId)
  if (!account) return null
  const { lowBalanceThreshold } = await readSettings(ctx)
  return {
    balance: account.balance,
    tier: account.tier,
    nextAllocationDate: account.nextAllocationAt.toISOString(),
    isLowBalance: account.balance < lowBalanceThreshold,
  }
}

const latestTransactions = 1000

/** Whether the ledger adds up: of the accounts that moved last, so that looking stays cheap. */
export async function checkLedger(
  ctx: Context,
): Promise<{ checked: number; unbalanced: string[] }> {
  const accounts = await sumLatestAccounts(ctx, latestTransactions)
  const unbalanced = accounts.filter(({ balance, sum }) => balance !== sum)
  return { checked: accounts.length, unbalanced: unbalanced.map(({ userId }) => userId) }
}
