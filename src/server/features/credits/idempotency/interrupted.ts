/** Settles charged calls whose node died: stores that as the response, and refunds the credits. */
import type { Context } from '../../../context.ts'
import { atomically } from '../../../database/atomically.ts'
import { problem } from '../../../http/problem.ts'
import { endAbandoned } from '../../../leases/lease.ts'
import { refund } from '../ledger/spending.ts'
import type { ChargedClaim } from './claims.ts'
import { findAbandoned, storeAnswer } from './claims.ts'

/** Rejects with `LeaseLost` when the call was answered in the meantime. */
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
