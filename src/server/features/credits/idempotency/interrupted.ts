/** Paid calls whose node died after the debit: their answer is that, and their credits go back. */
import { atomically } from '../../../database/atomically.ts'
import type { Context } from '../../../context.ts'
import type { ChargedClaim } from './claims.ts'
import { ClaimLost, findAbandoned, keepAnswer } from './claims.ts'
import { problem } from '../../../http/problem.ts'
import { refund } from '../ledger/spending.ts'

/** Rejects with `ClaimLost` where the call has been answered meanwhile. */
export function settleInterrupted(ctx: Context, { claim, debitId }: ChargedClaim): Promise<void> {
  return atomically(ctx, async (ctx) => {
    const { failure, body } = problem.interrupted()
    await keepAnswer(ctx, claim, { status: failure.status, body })
    if (debitId !== null) await refund(ctx, debitId, 'The work was interrupted')
  })
}

export async function settleAbandoned(ctx: Context): Promise<void> {
  for (const charged of await findAbandoned(ctx)) {
    try {
      await settleInterrupted(ctx, charged)
    } catch (error) {
      if (!(error instanceof ClaimLost)) throw error
    }
  }
}
