/** A spend as it is usually written: begin, lock the account, update it, insert the transaction, commit. */
import { and, eq } from 'drizzle-orm'
import type { NodePgDatabase } from 'drizzle-orm/node-postgres'
import type { Router } from 'express'
import express from 'express'
import { requireUser } from './sign-in.ts'
import { creditAccounts, creditTransactions, featurePricing } from './tables.ts'

const featureKey = 'session_slide_view'

export function ledgerRouter(db: NodePgDatabase): Router {
  const router = express.Router()
  router.post('/bench/spend', requireUser(db), async (_request, response) => {
    const userId = response.locals.user.id
    const spent = await db.transaction(async (transaction) => {
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
      const balance = account.balance - price.creditsRequired
      await transaction
        .update(creditAccounts)
        .set({ balance })
        .where(eq(creditAccounts.userId, userId))
      await transaction.insert(creditTransactions).values({
        userId,
        amount: -price.creditsRequired,
        type: 'spend',
        description: 'A slide',
        featureKey,
        balanceAfter: balance,
        createdAt: new Date(),
      })
      return { charged: price.creditsRequired, balance }
    })
    if (spent) response.json(spent)
    else response.status(402).json({ error: 'Insufficient credits' })
  })
  return router
}
