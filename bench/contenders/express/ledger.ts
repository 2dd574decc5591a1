/** A single spend: begin, spend, commit. */
import type { NodePgDatabase } from 'drizzle-orm/node-postgres'
import type { Router } from 'express'
import express from 'express'
import { requireUser } from './sign-in.ts'
import { spend } from './spending.ts'

const slide = { featureKey: 'session_slide_view', description: 'A slide' }

export function ledgerRouter(db: NodePgDatabase): Router {
  const router = express.Router()
  router.post('/bench/spend', requireUser(db), async (_request, response) => {
    const { id } = response.locals.user
    const spent = await db.transaction((transaction) => spend(transaction, id, slide))
    if (spent) response.json({ charged: spent.charged, balance: spent.balance })
    else response.status(402).json({ error: 'Insufficient credits' })
  })
  return router
}
