/** The endpoints of the accounts benchmark. */
import { asc, eq } from 'drizzle-orm'
import type { NodePgDatabase } from 'drizzle-orm/node-postgres'
import type { Router } from 'express'
import express from 'express'
import { requireUser } from './sign-in.ts'
import { creditAccounts, settings, tags, totpSecrets } from './tables.ts'

export function accountRouter(db: NodePgDatabase): Router {
  const router = express.Router()
  router.get('/api/auth/user', requireUser(db), async (_request, response) => {
    const { passwordHash, ...user } = response.locals.user
    const [account] = await db
      .select()
      .from(creditAccounts)
      .where(eq(creditAccounts.userId, user.id))
    if (!account) {
      response.status(404).json({ message: 'User not found' })
      return
    }
    const [threshold] = await db
      .select()
      .from(settings)
      .where(eq(settings.key, 'lowBalanceThreshold'))
    const [secret] = await db.select().from(totpSecrets).where(eq(totpSecrets.userId, user.id))
    response.json({
      ...user,
      hasPassword: passwordHash !== null,
      hasSecondFactor: (secret?.confirmedAt ?? null) !== null,
      isFromEnvironment: user.id.startsWith('dev-user-'),
      credits: {
        balance: account.balance,
        tier: account.tier,
        isLowBalance: account.balance < Number(threshold?.value ?? 20),
        nextAllocationDate: account.nextAllocationAt,
      },
    })
  })
  router.get('/api/tags', async (_request, response) => {
    const rows = await db.select().from(tags).orderBy(asc(tags.position))
    response.json(rows.map(({ slug, label, description }) => ({ slug, label, description })))
  })
  return router
}
