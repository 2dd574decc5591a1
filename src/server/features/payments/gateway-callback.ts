/** Handles callbacks of the gateway. A callback must be signed and match our own record. */
import { z } from 'zod'
import type { api } from '../../../contract/api.ts'
import { problems } from '../../../contract/problems.ts'
import type { Context } from '../../context.ts'
import { Problem, problem } from '../../http/problem.ts'
import type { Call } from '../../http/route.ts'
import { parseInput } from '../../http/validation.ts'
import type { PaymentRow } from './queries.ts'
import { findPaymentByReference, moveStatus } from './queries.ts'
import { creditPayment, reversePayment } from './settlement.ts'

const farId = z.union([z.int(), z.string().min(1).max(100)]).transform(String)

const decimal = z.union([z.number(), z.string().regex(/^\d{1,30}(\.\d{1,30})?$/)]).transform(Number)

const gatewayNotice = z.object({
  payment_id: farId,
  parent_payment_id: farId.nullish(),
  invoice_id: farId,
  payment_status: z.string().min(1).max(100),
  price_amount: decimal,
  price_currency: z.string().max(20),
  pay_amount: decimal.nullish(),
  actually_paid: decimal.nullish(),
  order_id: z.string().max(200),
})

type Notice = z.output<typeof gatewayNotice>

// The gateway itself tolerates this loss to rounding and fees.
const minPaidShare = 0.99

export async function handleGatewayCallback(
  ctx: Context,
  { body, visitor }: Call<typeof api.payments.gatewayCallback>,
) {
  // Without a configured secret, no signature is valid.
  if (!ctx.payments.crypto?.isGenuine(body, visitor.header('x-nowpayments-sig')))
    throw problem.invalidSignature()
  const received = parseInput(gatewayNotice, body, problems.validationFailed)
  const payment = z.uuid().safeParse(received.order_id).success
    ? await findPaymentByReference(ctx, 'crypto', received.order_id)
    : undefined
  if (!payment) throw mismatch('order_id')
  refuseMismatch(payment, received)
  await follow(ctx, payment, received)
  return { message: 'OK' }
}

/** Compares the callback with our record, because the callback is no proof of the price. */
function refuseMismatch(payment: PaymentRow, notice: Notice): void {
  if (notice.price_currency.toLowerCase() !== 'usd') throw mismatch('price_currency')
  if (Math.abs(notice.price_amount * 100 - payment.priceCents) > 1e-6)
    throw mismatch('price_amount')
  if (notice.invoice_id !== payment.invoiceId) throw mismatch('invoice_id')
}

function mismatch(field: string): Problem {
  const message = `Validation failed: ${field} does not match a payment of this site`
  return new Problem(problems.validationFailed, { message })
}

async function follow(ctx: Context, payment: PaymentRow, notice: Notice): Promise<void> {
  const { id } = payment
  switch (notice.payment_status) {
    case 'waiting':
      return
    case 'confirming':
    case 'confirmed':
    case 'sending':
      return moveStatus(ctx, id, { from: ['pending', 'expired'], to: 'confirming' })
    case 'finished':
      return finish(ctx, payment, notice)
    case 'partially_paid':
      return moveStatus(ctx, id, { from: ['pending', 'confirming', 'expired'], to: 'underpaid' })
    case 'failed':
      return moveStatus(ctx, id, { from: ['pending', 'confirming', 'expired'], to: 'failed' })
    case 'expired':
      // An invoice can have several attempts; one that expired says nothing about the others.
      return moveStatus(ctx, id, { from: ['pending'], to: 'expired' })
    case 'refunded':
      return reversePayment(ctx, payment, notice.payment_id)
    default:
      ctx.log.warn(
        { event: 'payment_state_unknown', paymentId: id, status: notice.payment_status },
        'the gateway sent an unknown payment state',
      )
  }
}

/**
 * Credits a finished payment. A repeated deposit (which has a parent) or one in another currency can be
 * 'finished' with less than the price, as the documentation warns ("Repeated Deposits and Wrong-Asset
 * Deposits"). A person must review those.
 */
async function finish(ctx: Context, payment: PaymentRow, notice: Notice): Promise<void> {
  const { actually_paid: paid, pay_amount: due } = notice
  const isShort = typeof paid === 'number' && typeof due === 'number' && paid < due * minPaidShare
  if (!notice.parent_payment_id && !isShort) {
    await creditPayment(ctx, payment, notice.payment_id)
    return
  }
  const { id } = payment
  ctx.log.warn(
    { event: 'payment_amount_wrong', paymentId: id, gatewayId: notice.payment_id },
    'payment finished with a different amount',
  )
  await moveStatus(ctx, id, { from: ['pending', 'confirming', 'expired'], to: 'underpaid' })
}
