/** SQL queries of transfers on a chain. */
import { sql } from 'kysely'
import type { Context } from '../../context.ts'

export type NewTransfer = {
  readonly paymentId: number
  readonly chainId: number
  readonly token: string
  readonly recipient: string
  readonly amount: bigint
  readonly fromBlock: number
}

/** Returns false when another payment has reserved the amount. */
export async function insertTransfer(ctx: Context, transfer: NewTransfer): Promise<boolean> {
  const amount = String(transfer.amount)
  const { numInsertedOrUpdatedRows } = await ctx.db
    .insertInto('payment_transfers')
    .values({
      payment_id: transfer.paymentId,
      chain_id: transfer.chainId,
      token: transfer.token,
      recipient: transfer.recipient,
      amount,
      reserved_amount: amount,
      from_block: transfer.fromBlock,
      scan_from_block: transfer.fromBlock,
    })
    .onConflict((conflict) => conflict.column('reserved_amount').doNothing())
    .executeTakeFirst()
  return numInsertedOrUpdatedRows === 1n
}

/** Returns the number of amounts that are reserved for the payment's account. */
export async function countReserved(ctx: Context, paymentId: number): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count
    from payments mine
    join payments p on p.user_id = mine.user_id
    join payment_transfers t on t.payment_id = p.id and t.reserved_amount is not null
    where mine.id = ${paymentId}`.execute(ctx.db)
  return rows[0]?.count ?? 0
}

/** True when another payment waits for one of the amounts. */
export async function isAwaited(
  ctx: Context,
  amounts: readonly bigint[],
  otherThanPaymentId: number,
): Promise<boolean> {
  const { rows } = await sql`
    select from payment_transfers
    where reserved_amount = any(${amounts.map(String)}::numeric[])
      and payment_id <> ${otherThanPaymentId}
    limit 1`.execute(ctx.db)
  return rows.length > 0
}

export async function setSubmitted(ctx: Context, paymentId: number, txHash: string): Promise<void> {
  await ctx.db
    .updateTable('payment_transfers')
    .set({ submitted_tx_hash: txHash })
    .where('payment_id', '=', paymentId)
    .execute()
}

/** Clears a submission that was refused, so that it is not checked again. */
export async function clearSubmitted(ctx: Context, paymentId: number): Promise<void> {
  await ctx.db
    .updateTable('payment_transfers')
    .set({ submitted_tx_hash: null })
    .where('payment_id', '=', paymentId)
    .execute()
}

/** Links a transaction to a payment. Returns false when another payment has it. */
export async function claimTransaction(
  ctx: Context,
  paymentId: number,
  seen: { txHash: string; block: number },
): Promise<boolean> {
  try {
    await ctx.db
      .updateTable('payment_transfers')
      .set({ tx_hash: seen.txHash, tx_block: seen.block })
      .where('payment_id', '=', paymentId)
      .execute()
    return true
  } catch (error) {
    if (isTaken(error)) return false
    throw error
  }
}

/** Unlinks a transaction that is no longer on the chain; the payment waits again. */
export async function releaseTransaction(
  ctx: Context,
  paymentId: number,
  txHash: string,
): Promise<void> {
  await ctx.db
    .updateTable('payment_transfers')
    .set({ tx_hash: null, tx_block: null })
    .where('payment_id', '=', paymentId)
    .where('tx_hash', '=', txHash)
    .execute()
}

export async function advanceScan(
  ctx: Context,
  paymentIds: readonly number[],
  nextBlock: number,
): Promise<void> {
  await sql`
    update payment_transfers set scan_from_block = ${nextBlock}::bigint
    where payment_id = any(${paymentIds}::int[]) and scan_from_block < ${nextBlock}::bigint`.execute(
    ctx.db,
  )
}

/** Releases the amounts of payments that were created before `before`, so that others can use them. */
export async function releaseAmounts(ctx: Context, before: Date): Promise<void> {
  await sql`
    update payment_transfers set reserved_amount = null
    from payments
    where payments.id = payment_transfers.payment_id and reserved_amount is not null
      and payments.created_at < ${before} and payments.status <> 'confirming'`.execute(ctx.db)
}

/** True for a unique violation, which has the same code in both engines. */
function isTaken(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === '23505'
}
