/** A spend as it is usually written: lock the account, update it, insert the transaction. */
import { and, eq } from 'drizzle-orm'
import type { NodePgDatabase } from 'drizzle-orm/node-postgres'
import { creditAccounts, creditTransactions, featurePricing } from './tables.ts'

export type Transaction = Parameters<Parameters<NodePgDatabase['transaction']>[0]>[0]

/** Returns null if the balance is too low. */
export async function spend(
  transaction: Transaction,
  userId: string,
  { featureKey, description }: { featureKey: string; description: string },
): Promise<{ debitId: number; charged: number; balance: number } | null> {
  const [price] = await transaction
    .select()
    .from(featurePricing)
    .where(and(eq(featurePricing.featureKey, featureKey), eq(featurePricing.isActive, true)))
  const [account] = await transaction
    .select()
    .from(creditAccounts)
    .where(eq(creditAccounts.userId, userId))
    .for('update')
  if (!price || !account || account.balance < price.creditsRequired) return null
  const charged = price.creditsRequired
  const balance = account.balance - charged
  await transaction.update(creditAccounts).set({ balance }).where(eq(creditAccounts.userId, userId))
  const [entry] = await transaction
    .insert(creditTransactions)
    .values({
      userId,
      amount: -charged,
      type: 'spend',
      description,
      featureKey,
      balanceAfter: balance,
      createdAt: new Date(),
    })
    .returning({ id: creditTransactions.id })
  return entry ? { debitId: entry.id, charged, balance } : null
}
