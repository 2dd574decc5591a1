/** Gives back stars that buy nothing: the job is promised with the note that they came. */
import { z } from 'zod'
import { defineJob } from '../../jobs/job.ts'
import { ProviderUnavailable } from './payment-method.ts'

export const refundStars = defineJob({
  name: 'refund-stars',
  payload: z.object({ telegramUserId: z.int(), chargeId: z.string() }),
  retries: 12,
  timeLimitSeconds: 60,
  run: async (ctx, charge) => {
    const bot = ctx.payments.telegram_stars
    if (!bot) throw new ProviderUnavailable('Telegram is not configured')
    await bot.refund(charge)
  },
})
