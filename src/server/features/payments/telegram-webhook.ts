/**
 * Handles Telegram's updates about payments. Irrelevant updates are accepted too, because Telegram sends
 * refused ones again.
 */
import { z } from 'zod'
import type { api } from '../../../contract/api.ts'
import { problems } from '../../../contract/problems.ts'
import type { Context } from '../../context.ts'
import { problem } from '../../http/problem.ts'
import type { Call } from '../../http/route.ts'
import { parseInput } from '../../http/validation.ts'
import { enqueue } from '../../jobs/enqueue.ts'
import { defineJob } from '../../jobs/job.ts'
import type { StarsBot } from './payment-method.ts'
import { ProviderUnavailable } from './payment-method.ts'
import { mayBuy } from './payments.ts'
import type { PaymentRow } from './queries.ts'
import { findPaymentByReference } from './queries.ts'
import { creditPayment, declineCharge, reversePayment } from './settlement.ts'

// Types of the Bot API: PreCheckoutQuery, SuccessfulPayment, RefundedPayment, Message, Update.
const invoice = {
  currency: z.string(),
  total_amount: z.int(),
  invoice_payload: z.string().max(200),
}
const sender = z.object({ id: z.int() })
const chargeId = z.string().min(1).max(500)

const preCheckout = z.object({ id: z.string().min(1).max(200), from: sender, ...invoice })
const successful = z.object({ ...invoice, telegram_payment_charge_id: chargeId })
const refunded = z.object({ ...invoice, telegram_payment_charge_id: chargeId })

const update = z.object({
  update_id: z.int(),
  pre_checkout_query: preCheckout.optional(),
  message: z
    .object({
      from: sender.optional(),
      successful_payment: successful.optional(),
      refunded_payment: refunded.optional(),
    })
    .optional(),
})

export async function handleTelegramUpdate(
  ctx: Context,
  { body, visitor }: Call<typeof api.payments.telegramWebhook>,
) {
  const bot = ctx.payments.telegram_stars
  // Without a configured secret, no update is genuine.
  if (!bot?.isGenuine(visitor.header('x-telegram-bot-api-secret-token')))
    throw problem.invalidSignature()
  const { pre_checkout_query: query, message } = parseInput(update, body, problems.validationFailed)
  if (query) await answerPreCheckout(ctx, bot, query)
  if (message?.successful_payment)
    await takePayment(ctx, message.successful_payment, message.from?.id)
  if (message?.refunded_payment) await takeRefund(ctx, message.refunded_payment)
  return { message: 'OK' }
}

async function answerPreCheckout(
  ctx: Context,
  bot: StarsBot,
  query: z.output<typeof preCheckout>,
): Promise<void> {
  const payment = await findByPayload(ctx, query.invoice_payload)
  const refusal = await refusalOf(ctx, payment, query)
  try {
    await bot.answerPreCheckout(query.id, refusal)
  } catch (error) {
    if (!(error instanceof ProviderUnavailable)) throw error
    ctx.log.warn(
      { event: 'precheckout_failed', paymentId: payment?.id, reason: error.message },
      'failed to answer a pre-checkout query',
    )
    throw problem.paymentMethodUnavailable({ message: 'Telegram did not accept the answer' })
  }
}

/** Returns a message for the buyer, or null when the payment can proceed. */
async function refusalOf(
  ctx: Context,
  payment: PaymentRow | undefined,
  query: z.output<typeof preCheckout>,
): Promise<string | null> {
  if (!payment) return 'This invoice is not known. Please start again on the site.'
  const isOpen = payment.status === 'pending' && payment.expiresAt > ctx.now()
  if (!isOpen) return 'This invoice is no longer open. Please start again on the site.'
  if (!isAsOffered(payment, query) || payment.userId === null)
    return 'This invoice has changed. Please start again on the site.'
  if (!(await mayBuy(ctx, payment.userId, payment)))
    return 'Credits can be bought in a paid tier only.'
  return null
}

async function takePayment(
  ctx: Context,
  paid: z.output<typeof successful>,
  telegramUserId: number | undefined,
): Promise<void> {
  const payment = await findByPayload(ctx, paid.invoice_payload)
  // The bot may serve other sites too, so an unknown payment may be theirs.
  if (!payment)
    return ctx.log.warn(
      { event: 'payment_unknown' },
      'Telegram Stars received for an unknown payment',
    )
  const { telegram_payment_charge_id: chargeId } = paid
  const giveBack = async (ctx: Context) => {
    if (telegramUserId !== undefined) await enqueue(ctx, refundStars, { telegramUserId, chargeId })
  }
  if (isAsOffered(payment, paid)) await creditPayment(ctx, payment, chargeId, giveBack)
  else await declineCharge(ctx, payment, chargeId, giveBack)
}

async function takeRefund(ctx: Context, given: z.output<typeof refunded>): Promise<void> {
  const payment = await findByPayload(ctx, given.invoice_payload)
  if (payment) await reversePayment(ctx, payment, given.telegram_payment_charge_id)
}

function isAsOffered(
  { stars }: PaymentRow,
  paid: { currency: string; total_amount: number },
): boolean {
  return paid.currency === 'XTR' && paid.total_amount === stars
}

async function findByPayload(ctx: Context, payload: string): Promise<PaymentRow | undefined> {
  if (!z.uuid().safeParse(payload).success) return undefined
  return findPaymentByReference(ctx, 'telegram_stars', payload)
}

/** Refunds stars that buy nothing. It is enqueued in the transaction that records the charge. */
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
