/** SQL queries of payments and their charges. */
import { sql } from 'kysely'
import type { Context } from '../../context.ts'
import type { Offer, PaidTier } from './catalogue.ts'
import type { MethodName } from './payment-method.ts'

export type Status = 'pending' | 'confirming' | 'completed' | 'expired' | 'failed' | 'underpaid'

export type PaymentRow = {
  readonly id: number
  readonly userId: string | null
  readonly reference: string
  readonly method: MethodName
  readonly packageId: string | null
  readonly tier: PaidTier | null
  readonly credits: number
  readonly priceCents: number
  readonly status: Status
  readonly checkoutUrl: string | null
  readonly invoiceId: string | null
  readonly stars: number | null
  readonly purchaseId: number | null
  readonly expiresAt: Date
  readonly completedAt: Date | null
  readonly refundedAt: Date | null
  readonly createdAt: Date
  readonly transfer: TransferRow | null
}

export type TransferRow = {
  readonly chainId: number
  readonly token: string
  readonly recipient: string
  readonly amount: string
  readonly isReserved: boolean
  readonly fromBlock: number
  readonly scanFromBlock: number
  readonly submittedTxHash: string | null
  readonly txHash: string | null
  readonly txBlock: number | null
}

export type NewPayment = {
  readonly userId: string
  readonly reference: string
  readonly method: MethodName
  readonly offer: Offer
  readonly stars: number | null
  readonly expiresAt: Date
}

export async function insertPayment(ctx: Context, payment: NewPayment): Promise<number> {
  const { offer } = payment
  const { id } = await ctx.db
    .insertInto('payments')
    .values({
      user_id: payment.userId,
      reference: payment.reference,
      method: payment.method,
      package_id: offer.packageId,
      tier: offer.tier,
      credits: offer.credits,
      price_cents: offer.priceCents,
      stars: payment.stars,
      expires_at: payment.expiresAt,
      created_at: ctx.now(),
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  return id
}

export async function setCheckout(
  ctx: Context,
  id: number,
  checkout: { url: string; invoiceId: string | null },
): Promise<void> {
  await ctx.db
    .updateTable('payments')
    .set({ checkout_url: checkout.url, invoice_id: checkout.invoiceId })
    .where('id', '=', id)
    .execute()
}

export function findPayment(ctx: Context, id: number): Promise<PaymentRow | undefined> {
  return payments(ctx).where('payments.id', '=', id).executeTakeFirst()
}

export function findOwnPayment(
  ctx: Context,
  userId: string,
  id: number,
): Promise<PaymentRow | undefined> {
  return payments(ctx)
    .where('payments.id', '=', id)
    .where('user_id', '=', userId)
    .executeTakeFirst()
}

export function findPaymentByReference(
  ctx: Context,
  method: MethodName,
  reference: string,
): Promise<PaymentRow | undefined> {
  return payments(ctx)
    .where('reference', '=', reference)
    .where('method', '=', method)
    .executeTakeFirst()
}

export function findOwnPayments(
  ctx: Context,
  userId: string,
  page: { limit: number; before: number | undefined },
): Promise<PaymentRow[]> {
  const { before, limit } = page
  return payments(ctx)
    .where('user_id', '=', userId)
    .$if(before !== undefined, (query) => query.where('payments.id', '<', before ?? 0))
    .orderBy('payments.id', 'desc')
    .limit(limit)
    .execute()
}

/** Returns payments that may still get a transfer, for a chain, token and recipient. */
export function findWatched(
  ctx: Context,
  destination: { chainId: number; token: string; recipient: string },
): Promise<PaymentRow[]> {
  return payments(ctx)
    .where('reserved_amount', 'is not', null)
    .where('status', 'in', ['pending', 'confirming', 'expired', 'underpaid'])
    .where('chain_id', '=', destination.chainId)
    .where('token', '=', destination.token)
    .where('recipient', '=', destination.recipient)
    .orderBy('payments.id')
    .execute()
}

/** Changes the status only from the given ones, so that late or reordered events have no effect. */
export async function moveStatus(
  ctx: Context,
  id: number,
  change: { from: readonly Status[]; to: Exclude<Status, 'completed'> },
): Promise<void> {
  await ctx.db
    .updateTable('payments')
    .set({ status: change.to })
    .where('id', '=', id)
    .where('status', 'in', change.from)
    .execute()
}

/** Locks the payment until the transaction ends. */
export function lockPayment(ctx: Context, id: number) {
  return ctx.db
    .selectFrom('payments')
    .select(['status', 'purchase_id as purchaseId'])
    .where('id', '=', id)
    .forUpdate()
    .executeTakeFirstOrThrow()
}

export async function setCompleted(ctx: Context, id: number, purchaseId: number): Promise<void> {
  await ctx.db
    .updateTable('payments')
    .set({
      status: 'completed',
      purchase_id: purchaseId,
      completed_at: ctx.now(),
      refunded_at: null,
    })
    .where('id', '=', id)
    .execute()
}

export async function setRefunded(ctx: Context, id: number): Promise<void> {
  await ctx.db
    .updateTable('payments')
    .set({ status: 'failed', refunded_at: ctx.now() })
    .where('id', '=', id)
    .execute()
}

export async function expirePending(ctx: Context): Promise<void> {
  await ctx.db
    .updateTable('payments')
    .set({ status: 'expired' })
    .where('status', '=', 'pending')
    .where('expires_at', '<=', ctx.now())
    .execute()
}

export type Charge = { readonly method: MethodName; readonly chargeId: string }

export function findCharge(ctx: Context, { method, chargeId }: Charge) {
  return ctx.db
    .selectFrom('payment_charges')
    .select(['payment_id as paymentId', 'credited', 'refunded_at as refundedAt'])
    .where('method', '=', method)
    .where('charge_id', '=', chargeId)
    .executeTakeFirst()
}

/** Returns false if the charge was already recorded, for any payment. */
export async function insertCharge(
  ctx: Context,
  charge: Charge & { paymentId: number; credited: boolean },
): Promise<boolean> {
  const { numInsertedOrUpdatedRows } = await ctx.db
    .insertInto('payment_charges')
    .values({
      method: charge.method,
      charge_id: charge.chargeId,
      payment_id: charge.paymentId,
      credited: charge.credited,
      created_at: ctx.now(),
    })
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirst()
  return numInsertedOrUpdatedRows === 1n
}

/**
 * Marks the charge as refunded and returns its previous `credited`. Returns null if it was already
 * refunded.
 */
export async function refundCharge(
  ctx: Context,
  charge: Charge & { paymentId: number },
): Promise<{ credited: boolean } | null> {
  const { rows } = await sql<{ credited: boolean }>`
    insert into payment_charges as charge
      (method, charge_id, payment_id, credited, refunded_at, created_at)
    values (${charge.method}, ${charge.chargeId}, ${charge.paymentId}, false, ${ctx.now()},
      ${ctx.now()})
    on conflict (method, charge_id) do update set refunded_at = excluded.refunded_at
      where charge.refunded_at is null and charge.payment_id = excluded.payment_id
    returning credited`.execute(ctx.db)
  return rows[0] ?? null
}

const columns = [
  'payments.id',
  'user_id as userId',
  'reference',
  'method',
  'package_id as packageId',
  'tier',
  'credits',
  'price_cents as priceCents',
  'status',
  'checkout_url as checkoutUrl',
  'invoice_id as invoiceId',
  'stars',
  'purchase_id as purchaseId',
  'expires_at as expiresAt',
  'completed_at as completedAt',
  'refunded_at as refundedAt',
  'created_at as createdAt',
] as const

function payments(ctx: Context) {
  return ctx.db
    .selectFrom('payments')
    .leftJoin('payment_transfers', 'payment_transfers.payment_id', 'payments.id')
    .select(columns)
    .select(
      // Amounts as texts, because JSON numbers would lose precision in JavaScript.
      sql<TransferRow | null>`case when payment_transfers.payment_id is not null then
        json_build_object('chainId', chain_id, 'token', token, 'recipient', recipient,
          'amount', amount::text, 'isReserved', reserved_amount is not null,
          'fromBlock', from_block, 'scanFromBlock', scan_from_block,
          'submittedTxHash', submitted_tx_hash, 'txHash', tx_hash, 'txBlock', tx_block)
        end`.as('transfer'),
    )
}
