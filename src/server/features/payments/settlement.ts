/**
 * Converts payments to credits, and reverses them: once for each charge, in one transaction with the
 * payment's status, however often the charge is reported.
 */
import type { Context } from '../../context.ts'
import { atomically } from '../../database/atomically.ts'
import { logActivity } from '../activity/activity.ts'
import {
  buyCredits,
  buyTier,
  inAccountTurn,
  lockAccount,
  reversePurchase,
} from '../credits/credits.ts'
import type { Settings } from '../settings/settings.ts'
import { readSettings } from '../settings/settings.ts'
import { offerOfPackage } from './catalogue.ts'
import type { PaymentRow } from './queries.ts'
import {
  findCharge,
  insertCharge,
  lockPayment,
  moveStatus,
  refundCharge,
  setCompleted,
  setRefunded,
} from './queries.ts'

/**
 * 'superfluous': the payment was already completed, or its user was deleted. 'foreign': the charge
 * belongs to another payment.
 */
type Outcome = 'credited' | 'repeated' | 'superfluous' | 'foreign'

const unsettled = ['pending', 'confirming', 'expired', 'underpaid'] as const

/** Credits a payment. `superfluous` runs once, in the transaction that records a superfluous charge. */
export async function creditPayment(
  ctx: Context,
  payment: PaymentRow,
  chargeId: string,
  superfluous?: (ctx: Context) => Promise<void>,
): Promise<Outcome> {
  const charge = { method: payment.method, chargeId }
  const known = await findCharge(ctx, charge)
  if (known) return known.paymentId === payment.id ? 'repeated' : 'foreign'
  return inPaymentTurn(ctx, payment, async (ctx, { status, userId }) => {
    const credited = status !== 'completed' && userId !== null
    const isNew = await insertCharge(ctx, { ...charge, paymentId: payment.id, credited })
    if (!isNew) {
      const other = await findCharge(ctx, charge)
      return other?.paymentId === payment.id ? 'repeated' : 'foreign'
    }
    if (credited) {
      await complete(ctx, payment, userId)
      return 'credited'
    }
    ctx.log.warn(
      { event: 'payment_superfluous', paymentId: payment.id, chargeId },
      'payment received for an already settled order',
    )
    if (userId === null) await moveStatus(ctx, payment.id, { from: unsettled, to: 'failed' })
    await superfluous?.(ctx)
    return 'superfluous'
  })
}

/** Records a charge with a wrong amount, which buys nothing. `decline` runs once. */
export function declineCharge(
  ctx: Context,
  payment: PaymentRow,
  chargeId: string,
  decline: (ctx: Context) => Promise<void>,
): Promise<void> {
  const charge = { method: payment.method, chargeId, paymentId: payment.id, credited: false }
  return atomically(ctx, async (ctx) => {
    if (!(await insertCharge(ctx, charge))) return
    ctx.log.warn(
      { event: 'payment_amount_wrong', paymentId: payment.id, chargeId },
      'payment received with a different amount',
    )
    await decline(ctx)
  })
}

/** Reverses a payment that the provider refunded: it becomes failed, and its purchase is taken back. */
export async function reversePayment(
  ctx: Context,
  payment: PaymentRow,
  chargeId: string,
): Promise<void> {
  await inPaymentTurn(ctx, payment, async (ctx, { status, userId, purchaseId }) => {
    const charge = { method: payment.method, chargeId, paymentId: payment.id }
    const refunded = await refundCharge(ctx, charge)
    // The refund of a second charge keeps the purchase of the first.
    if (!refunded || (status === 'completed' && !refunded.credited)) return
    if (refunded.credited && userId !== null && purchaseId !== null)
      await reversePurchase(ctx, {
        id: purchaseId,
        userId,
        tier: payment.tier,
        metadata: { paymentId: payment.id },
      })
    await setRefunded(ctx, payment.id)
  })
}

type Locked = {
  readonly status: PaymentRow['status']
  readonly purchaseId: number | null
  /** Null when the account no longer exists. */
  readonly userId: string | null
}

/** Locks the account and then the payment. All code uses this order, to prevent deadlocks. */
function inPaymentTurn<T>(
  ctx: Context,
  { id, userId }: PaymentRow,
  work: (ctx: Context, locked: Locked) => Promise<T>,
): Promise<T> {
  return inAccountTurn(ctx, userId ?? `nobody/${id}`, async (ctx) => {
    const hasAccount = userId !== null && (await lockAccount(ctx, userId)) !== null
    const locked = await lockPayment(ctx, id)
    return work(ctx, { ...locked, userId: hasAccount ? userId : null })
  })
}

async function complete(ctx: Context, payment: PaymentRow, userId: string): Promise<void> {
  const { id, packageId, tier, credits, method, priceCents } = payment
  const metadata = { paymentId: id, method, priceUsd: priceCents / 100 }
  const name = nameOf(payment, await readSettings(ctx))
  const purchaseId = tier
    ? await buyTier(ctx, { userId, tier, description: `${name}, 30 days`, metadata })
    : await buyCredits(ctx, {
        userId,
        credits,
        description: `${name}, ${credits} credits`,
        metadata,
      })
  if (purchaseId === null) throw new Error(`the account of payment ${id} is gone`)
  await setCompleted(ctx, id, purchaseId)
  await logActivity(ctx, null, {
    userId,
    action: 'payment_completed',
    feature: 'payments',
    details: { ...metadata, ...(tier ? { tier } : { packageId, credits }) },
  })
}

function nameOf({ tier, packageId }: PaymentRow, settings: Settings): string {
  if (tier) return settings.tierNames[tier]
  return offerOfPackage(packageId ?? '')?.name ?? 'Credits'
}
