/** What the ledger does by itself. */
import { z } from 'zod'
import { deleteOldKeys } from '../../idempotency-claims.ts'
import { defineJob } from '../../jobs/job.ts'
import { settleAbandoned } from './interrupted.ts'
import { allocateMonthly } from './monthly-allocation.ts'

export const allocateCredits = defineJob({
  name: 'allocate-credits',
  payload: z.object({}),
  retries: 3,
  timeLimitSeconds: 600,
  schedule: '*/10 * * * *',
  run: (ctx) => allocateMonthly(ctx),
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
