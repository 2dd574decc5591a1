/** Background jobs of the ledger. */
import { z } from 'zod'
import { defineJob } from '../../jobs/job.ts'
import { deleteOldKeys } from './idempotency/claims.ts'
import { settleAbandoned } from './idempotency/interrupted.ts'
import { sweepHolds } from './ledger/holds.ts'
import { expireTiers } from './ledger/purchase-queries.ts'
import { allocateMonthly } from './monthly/monthly-allocation.ts'

export const allocateCredits = defineJob({
  name: 'allocate-credits',
  payload: z.object({}),
  retries: 3,
  timeLimitSeconds: 600,
  schedule: '*/10 * * * *',
  run: (ctx) => allocateMonthly(ctx),
})

export const endBoughtTiers = defineJob({
  name: 'expire-tiers',
  payload: z.object({}),
  retries: 0,
  timeLimitSeconds: 50,
  schedule: '* * * * *',
  run: (ctx) => expireTiers(ctx),
})

export const sweepCreditHolds = defineJob({
  name: 'sweep-credit-holds',
  payload: z.object({}),
  retries: 0,
  timeLimitSeconds: 50,
  schedule: '* * * * *',
  run: (ctx) => sweepHolds(ctx),
})

export const sweepIdempotencyKeys = defineJob({
  name: 'sweep-idempotency-keys',
  payload: z.object({}),
  retries: 3,
  timeLimitSeconds: 300,
  schedule: '*/2 * * * *',
  run: async (ctx) => {
    await settleAbandoned(ctx)
    await deleteOldKeys(ctx)
  },
})
