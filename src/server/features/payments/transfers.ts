/**
 * Payments by a transfer on a chain. Each payment waits for a unique amount, which identifies its
 * transfer, with any sender, and even if it is not submitted to us.
 */
import { randomInt } from 'node:crypto'
import type { api } from '../../../contract/api.ts'
import type { Context } from '../../context.ts'
import { problem } from '../../http/problem.ts'
import type { Call } from '../../http/route.ts'
import { presentPayment } from './payment-json.ts'
import type { Chain, Order } from './payment-method.ts'
import { ProviderUnavailable } from './payment-method.ts'
import type { PaymentRow, TransferRow } from './queries.ts'
import { findCharge, findOwnPayment, moveStatus } from './queries.ts'
import { creditPayment } from './settlement.ts'
import {
  claimTransaction,
  clearSubmitted,
  countReserved,
  insertTransfer,
  isAwaited,
  setSubmitted,
} from './transfer-queries.ts'

const maxAttempts = 50
const maxReserved = 20

/** Returns the number of blocks that a reorg may replace. They are scanned again. */
export function reorgDepth({ confirmations }: Chain): number {
  return 2 * confirmations
}

export async function reserveTransfer(
  ctx: Context,
  chain: Chain,
  paymentId: number,
  order: Order,
): Promise<void> {
  // A price has ten thousand amounts, which all accounts share.
  if ((await countReserved(ctx, paymentId)) >= maxReserved)
    throw new ProviderUnavailable('The account is waiting for too many transfers')
  const { minAmount, maxAmount, head } = await chain.begin(order)
  const fromBlock = Math.max(0, head - reorgDepth(chain))
  for (let attempt = 0; attempt < maxAttempts; attempt += 1) {
    const amount = minAmount + BigInt(randomInt(Number(maxAmount - minAmount) + 1))
    if (await insertTransfer(ctx, { paymentId, ...chain.destination, amount, fromBlock })) return
  }
  throw new ProviderUnavailable('Too many payments of this price are open')
}

export async function submitTransaction(
  ctx: Context,
  { user, params, body }: Call<typeof api.payments.submitTransaction>,
) {
  const payment = await findOwnPayment(ctx, user.id, params.id)
  if (!payment) throw problem.notFound()
  const { transfer } = payment
  if (!transfer)
    throw problem.transactionRefused({ message: 'This payment is not waiting for a transfer' })
  const isFollowed = payment.status === 'confirming' && transfer.txHash !== null
  if (payment.status !== 'completed' && !isFollowed)
    await take(ctx, { ...payment, transfer }, body.txHash)
  const after = await findOwnPayment(ctx, user.id, params.id)
  return presentPayment(after ?? payment)
}

export type WatchedPayment = PaymentRow & { readonly transfer: TransferRow }

export type Verdict =
  /** Not on the chain, or no longer. */
  | { readonly kind: 'unknown' }
  | { readonly kind: 'refused'; readonly reason: string }
  | { readonly kind: 'paid' | 'underpaid'; readonly block: number }

/**
 * Returns the effect of a transaction on a payment. Only the exact amount pays: any other amount could
 * belong to someone else.
 */
export async function judge(
  ctx: Context,
  chain: Chain,
  { id, transfer }: WatchedPayment,
  txHash: string,
): Promise<Verdict> {
  const examined = await chain.examine(txHash)
  if (examined.kind === 'unknown') return { kind: 'unknown' }
  if (examined.kind === 'reverted') return refused('The transaction failed on the chain')
  const { block, amounts } = examined
  if (amounts.length === 0)
    return refused('The transaction does not transfer the token to the recipient')
  if (block < transfer.fromBlock) return refused('The transaction is older than the payment')
  const due = BigInt(transfer.amount)
  if (amounts.includes(due)) return { kind: 'paid', block }
  if (amounts.some((amount) => amount > due) || (await isAwaited(ctx, amounts, id)))
    return refused('The amount does not match the payment')
  return { kind: 'underpaid', block }
}

/** Follows a transfer of the right amount. The payment is credited when it has enough confirmations. */
export async function followTransfer(
  ctx: Context,
  payment: WatchedPayment,
  seen: { txHash: string; block: number; confirmations: number },
  { confirmations: needed }: Chain,
): Promise<'taken' | 'foreign'> {
  const known = await findCharge(ctx, { method: 'web3', chargeId: seen.txHash })
  if (known && known.paymentId !== payment.id) return 'foreign'
  if (!(await claimTransaction(ctx, payment.id, seen))) return 'foreign'
  const from = ['pending', 'expired', 'underpaid'] as const
  await moveStatus(ctx, payment.id, { from, to: 'confirming' })
  if (seen.confirmations >= needed) await creditPayment(ctx, payment, seen.txHash)
  return 'taken'
}

export async function recordUnderpaid(
  ctx: Context,
  payment: WatchedPayment,
  seen: { txHash: string; block: number },
): Promise<'taken' | 'foreign'> {
  if (!(await claimTransaction(ctx, payment.id, seen))) return 'foreign'
  await moveStatus(ctx, payment.id, { from: ['pending', 'expired'], to: 'underpaid' })
  return 'taken'
}

async function take(ctx: Context, payment: WatchedPayment, txHash: string): Promise<void> {
  const chain = ctx.payments.web3
  if (!payment.transfer.isReserved || !chain || !isHere(chain, payment.transfer))
    throw problem.transactionRefused({
      message: 'This payment is no longer waiting for a transfer',
    })
  // Stored first, so that the watcher retries when the chain cannot be read now.
  await setSubmitted(ctx, payment.id, txHash)
  try {
    const verdict = await judge(ctx, chain, payment, txHash)
    await act(ctx, chain, payment, txHash, verdict)
  } catch (error) {
    if (!(error instanceof ProviderUnavailable)) throw error
    ctx.log.warn(
      { event: 'transaction_waiting', paymentId: payment.id, reason: error.message },
      'failed to read a transaction, trying again later',
    )
  }
}

async function act(
  ctx: Context,
  chain: Chain,
  payment: WatchedPayment,
  txHash: string,
  verdict: Verdict,
): Promise<void> {
  if (verdict.kind === 'unknown') return
  if (verdict.kind === 'refused') {
    await clearSubmitted(ctx, payment.id)
    throw problem.transactionRefused({ message: verdict.reason })
  }
  const confirmations = (await chain.findHead()) - verdict.block + 1
  const seen = { txHash, block: verdict.block, confirmations }
  const outcome =
    verdict.kind === 'paid'
      ? await followTransfer(ctx, payment, seen, chain)
      : await recordUnderpaid(ctx, payment, seen)
  if (outcome === 'taken') return
  await clearSubmitted(ctx, payment.id)
  throw problem.alreadyExists({ message: 'The transaction has already paid for something else' })
}

function isHere({ destination }: Chain, { chainId, token, recipient }: TransferRow): boolean {
  return (
    destination.chainId === chainId &&
    destination.token === token &&
    destination.recipient === recipient
  )
}

function refused(reason: string): Verdict {
  return { kind: 'refused', reason }
}
