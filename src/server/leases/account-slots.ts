/**
 * Limits how many tasks of a kind an account runs at once over all nodes: a semaphore of leases in the
 * database. The slots of a node that dies become free when their leases end.
 */
import { sql } from 'kysely'
import type { Context } from '../context.ts'
import type { Lease } from './lease.ts'
import { acquireLease, keepRenewed, releaseLease } from './lease.ts'

export type AccountSlot = {
  /** Releases the slot. A second call does nothing. */
  readonly release: () => Promise<void>
}

export const slotLeaseMs = 60_000

const slotLease = {
  table: 'account_slots',
  holder: 'holder',
  time: { endsAt: 'lease_until' },
  durationMs: slotLeaseMs,
  unfinished: sql<boolean>`true`,
} as const

/** Returns null if the account has used all its slots. Must not be called in a transaction. */
export async function acquireSlot(
  ctx: Context,
  { kind, userId, atMost }: { kind: string; userId: string; atMost: number },
): Promise<AccountSlot | null> {
  for (let slot = 1; slot <= atMost; slot += 1) {
    const lease = await acquireLease(ctx, slotLease, { kind, user_id: userId, slot })
    if (lease) return hold(ctx, lease)
  }
  return null
}

function hold(ctx: Context, lease: Lease): AccountSlot {
  const stopRenewing = keepRenewed(ctx, lease)
  return {
    async release() {
      stopRenewing()
      // If the database is unavailable, the lease ends by itself.
      await releaseLease(ctx, lease).catch((error: unknown) =>
        ctx.log.warn(
          { event: 'slot_not_released', err: error },
          'failed to release an account slot',
        ),
      )
    },
  }
}
