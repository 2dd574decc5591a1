/** Paid calls whose node died after the debit: their answer is that, and their credits go back. */
import type { Context } from '../../../context.ts'
import { atomically } from '../../../database/atomically.ts'
import { problem } from '../../../http/problem.ts'
import { endAbandoned } from '../../../leases/lease.ts'
import { refund } from '../ledger/spending.ts'
import type { ChargedClaim } from './claims.ts'
import { findAbandoned, storeAnswer } from './claims.ts'

/** Rejects with `LeaseLost` where the call has been answered meanwhile. */
export function settleInterrupted(ctx: Context, { claim, debitId }: ChargedClaim): Promise<void> {
  return atomically(ctx, async (ctx) => {
    const { failure, body } = problem.interrupted()
    await storeAnswer(ctx, claim, { status: failure.status, body })
    if (debitId !== null) await refund(ctx, debitId, 'The work was interrupted')
  })
}

export async function settleAbandoned(ctx: Context): Promise<void> {
  await endAbandoned(ctx, await findAbandoned(ctx), (charged) => settleInterrupted(ctx, charged))
}
