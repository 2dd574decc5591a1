/** Whether the ledger adds up: the accounts that moved last, so that looking stays cheap. */
import type { Context } from '../../../context.ts'
import { sumLatestAccounts } from './queries.ts'

const latestTransactions = 1000

export async function checkLedger(
  ctx: Context,
): Promise<{ checked: number; unbalanced: string[] }> {
  const accounts = await sumLatestAccounts(ctx, latestTransactions)
  const unbalanced = accounts.filter(({ balance, sum }) => balance !== sum)
  return { checked: accounts.length, unbalanced: unbalanced.map(({ userId }) => userId) }
}
