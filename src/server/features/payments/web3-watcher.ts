/**
 * Scans the chain for awaited transfers, and follows those that need more confirmations. It continues
 * where it stopped, so that a node outage of a day loses nothing.
 */
import type { Context } from '../../context.ts'
import type { Chain, Transfer } from './payment-method.ts'
import { ProviderUnavailable } from './payment-method.ts'
import { findWatched, moveStatus } from './queries.ts'
import { advanceScan, clearSubmitted, releaseTransaction } from './transfer-queries.ts'
import type { Verdict, WatchedPayment } from './transfers.ts'
import { followTransfer, judge, recordUnderpaid, reorgDepth } from './transfers.ts'

export async function watchTransfers(ctx: Context): Promise<void> {
  const chain = ctx.payments.web3
  if (!chain) return
  try {
    if ((await findOpen(ctx, chain)).length === 0) return
    const head = await chain.findHead()
    for (const payment of await findOpen(ctx, chain))
      await followUp(ctx, chain, payment, head).catch((error: unknown) => later(ctx, error))
    await scan(ctx, chain, head)
  } catch (error) {
    later(ctx, error)
  }
}

/** Logs an unavailable provider. The next run retries, and other payments are not affected. */
function later(ctx: Context, error: unknown): void {
  if (!(error instanceof ProviderUnavailable)) throw error
  ctx.log.warn(
    { event: 'transfers_waiting', reason: error.message },
    'failed to read transfers, trying again later',
  )
}

async function findOpen(ctx: Context, chain: Chain): Promise<WatchedPayment[]> {
  const watched = await findWatched(ctx, chain.destination)
  return watched.flatMap((payment) =>
    payment.transfer ? [{ ...payment, transfer: payment.transfer }] : [],
  )
}

/** Follows known transactions: seen with too few confirmations, or submitted. */
async function followUp(
  ctx: Context,
  chain: Chain,
  payment: WatchedPayment,
  head: number,
): Promise<void> {
  const { txHash, submittedTxHash } = payment.transfer
  if (payment.status === 'confirming' && txHash) {
    const verdict = await judge(ctx, chain, payment, txHash)
    if (verdict.kind === 'paid') await follow(ctx, chain, payment, txHash, verdict, head)
    else await release(ctx, payment, txHash)
  } else if (submittedTxHash && submittedTxHash !== txHash && payment.expiresAt > ctx.now()) {
    // After the expiry only a transfer of the exact amount counts, and the scan finds that.
    const verdict = await judge(ctx, chain, payment, submittedTxHash)
    await follow(ctx, chain, payment, submittedTxHash, verdict, head)
  }
}

async function follow(
  ctx: Context,
  chain: Chain,
  payment: WatchedPayment,
  txHash: string,
  verdict: Verdict,
  head: number,
): Promise<void> {
  if (verdict.kind === 'unknown') return
  if (verdict.kind === 'refused') return clearSubmitted(ctx, payment.id)
  const { block } = verdict
  const seen = { txHash, block, confirmations: head - block + 1 }
  const outcome =
    verdict.kind === 'paid'
      ? await followTransfer(ctx, payment, seen, chain)
      : await recordUnderpaid(ctx, payment, seen)
  if (outcome === 'foreign') await clearSubmitted(ctx, payment.id)
}

/** Handles a reorg that dropped the transfer's block. The scan has not passed that block yet. */
async function release(ctx: Context, { id }: WatchedPayment, txHash: string): Promise<void> {
  ctx.log.warn({ event: 'transfer_gone', paymentId: id }, 'a transfer is no longer on the chain')
  await releaseTransaction(ctx, id, txHash)
  await moveStatus(ctx, id, { from: ['confirming'], to: 'pending' })
}

async function scan(ctx: Context, chain: Chain, head: number): Promise<void> {
  const open = await findOpen(ctx, chain)
  const ids = open.map(({ id }) => id)
  const waiting = new Map(
    open
      .filter(({ status }) => status !== 'confirming')
      .map((payment) => [payment.transfer.amount, payment]),
  )
  let from = Math.min(...open.map(({ transfer }) => transfer.scanFromBlock))
  while (from <= head) {
    const to = Math.min(from + chain.blocksAtOnce - 1, head)
    for (const transfer of await chain.findTransfers({ from, to }))
      await notice(ctx, chain, waiting, transfer, head)
    // A reorg may replace the newest blocks, so they are scanned again.
    await advanceScan(ctx, ids, Math.min(to, head - reorgDepth(chain)) + 1)
    from = to + 1
  }
}

async function notice(
  ctx: Context,
  chain: Chain,
  waiting: Map<string, WatchedPayment>,
  { txHash, block, amount }: Transfer,
  head: number,
): Promise<void> {
  const payment = waiting.get(String(amount))
  if (!payment || block < payment.transfer.fromBlock) return
  const seen = { txHash, block, confirmations: head - block + 1 }
  // Of two transfers with the amount, the first one pays.
  if ((await followTransfer(ctx, payment, seen, chain)) === 'taken') waiting.delete(String(amount))
}
