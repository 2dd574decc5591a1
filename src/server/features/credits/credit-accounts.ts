/** Opens and summarises credit accounts, and checks the ledger. */
import type { z } from 'zod'
import type { creditSummary } from '../../../contract/credits.ts'
import type { Tier } from '../../../contract/tiers.ts'
import type { Context } from '../../context.ts'
import { areCreditsOn, readSettings } from '../settings/settings.ts'
import { addCredits } from './ledger/debit-queries.ts'
import { findAccount, insertAccount, sumLatestAccounts } from './ledger/queries.ts'
import { nextMonthlyDate } from './monthly/monthly-date.ts'

/** The monthly allocation of each tier. */
export const allocationOf: Readonly<Record<Tier, number>> = {
  free: 50,
  joi_curious: 1000,
  full_access: 2500,
  vip: 5000,
}

/** Opens the account. Call it in the transaction that creates the user. */
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

/** Returns null when the user no longer exists. */
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

/**
 * Checks that transactions add up to balances, only for accounts with recent transactions, to keep it
 * cheap.
 */
export async function checkLedger(
  ctx: Context,
): Promise<{ checked: number; unbalanced: string[] }> {
  const accounts = await sumLatestAccounts(ctx, latestTransactions)
  const unbalanced = accounts.filter(({ balance, sum }) => balance !== sum)
  return { checked: accounts.length, unbalanced: unbalanced.map(({ userId }) => userId) }
}
