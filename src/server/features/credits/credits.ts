/** The front door of the credit ledger. */
import type { z } from 'zod'
import type { creditSummary } from '../../../contract/accounts.ts'
import type { Context } from '../../context.ts'
import { readSettings } from '../admin/settings.ts'
import { nextMonthlyDate } from './monthly-date.ts'
import { findAccount, insertAccount, insertGrant, sumOfType } from './queries.ts'

const newUserCredits = 50

/** Belongs into the transaction that makes the user. */
export async function openCreditAccount(ctx: Context, userId: string): Promise<void> {
  const nextAllocationAt = nextMonthlyDate(ctx.now(), ctx.now())
  await insertAccount(ctx, { userId, balance: newUserCredits, nextAllocationAt })
  await insertGrant(ctx, {
    userId,
    amount: newUserCredits,
    description: 'Welcome credits',
    balanceAfter: newUserCredits,
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
    isLowBalance: account.balance < lowBalanceThreshold,
    nextAllocationDate: account.nextAllocationAt.toISOString(),
  }
}

export function creditsFromReferrals(ctx: Context, userId: string): Promise<number> {
  return sumOfType(ctx, userId, 'referral')
}
