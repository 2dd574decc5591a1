/** Converts a payment to the form that its owner sees. */
import type { PaymentRow } from './queries.ts'

export function presentPayment(payment: PaymentRow) {
  const { method, checkoutUrl, transfer, reference } = payment
  return {
    paymentId: payment.id,
    status: payment.status,
    method,
    packageId: payment.packageId,
    tier: payment.tier,
    credits: payment.credits,
    priceUsd: payment.priceCents / 100,
    createdAt: payment.createdAt.toISOString(),
    expiresAt: payment.expiresAt.toISOString(),
    completedAt: payment.completedAt?.toISOString() ?? null,
    refundedAt: payment.refundedAt?.toISOString() ?? null,
    ...(checkoutUrl !== null &&
      (method === 'crypto' ? { checkoutUrl } : { invoiceLink: checkoutUrl })),
    ...(transfer && {
      transfer: {
        chainId: transfer.chainId,
        token: transfer.token,
        recipient: transfer.recipient,
        amount: transfer.amount,
        decimals: decimalsOf(transfer.amount, payment.priceCents),
        reference,
      },
    }),
    ...(transfer?.txHash && { txHash: transfer.txHash }),
  }
}

/**
 * Returns the token's decimals. An amount starts with the price in cents; the digits after it distinguish
 * payments.
 */
function decimalsOf(amount: string, priceCents: number): number {
  return amount.length - String(priceCents).length + 2
}
