/** Background jobs of payments. */
import { z } from 'zod'
import { defineJob } from '../../jobs/job.ts'
import { expirePending } from './queries.ts'
import { releaseAmounts } from './transfer-queries.ts'
import { watchTransfers } from './web3-watcher.ts'

// A late transfer is still recognised by its amount for this long.
const amountReservedMs = 30 * 24 * 3600 * 1000

export const expirePayments = defineJob({
  name: 'expire-payments',
  payload: z.object({}),
  retries: 0,
  timeLimitSeconds: 50,
  schedule: '* * * * *',
  run: async (ctx) => {
    await expirePending(ctx)
    await releaseAmounts(ctx, new Date(ctx.now().getTime() - amountReservedMs))
  },
})

export const watchChain = defineJob({
  name: 'watch-transfers',
  payload: z.object({}),
  retries: 0,
  timeLimitSeconds: 300,
  schedule: '* * * * *',
  run: (ctx) => watchTransfers(ctx),
})
