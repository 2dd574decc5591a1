/**
 * At most so many of a kind at once for one account, whatever nodes they run on: a semaphore of leases
 * in the database. A node that dies gives its places back when their leases end.
 */
import type { SlotPlace } from './account-slot-queries.ts'
import { deleteSlot, insertSlot, renewSlot } from './account-slot-queries.ts'
import type { Context } from '../context.ts'

export type AccountSlot = {
  /** Gives the place back; a second time does nothing. */
  readonly release: () => Promise<void>
}

export const slotLeaseMs = 60_000
const renewEveryMs = 20_000
// Two who come at once choose the same free place; whoever loses looks for another.
const mostTries = 3

/** Null where the account has as many as it may. Not inside a transaction. */
export async function acquireSlot(
  ctx: Context,
  { kind, userId, atMost }: { kind: string; userId: string; atMost: number },
): Promise<AccountSlot | null> {
  const place = { kind, userId, holder: ctx.newId() }
  for (let tries = 0; tries < mostTries; tries += 1)
    if (await insertSlot(ctx, place, { atMost, leaseUntil: leaseEnd(ctx) })) return hold(ctx, place)
  return null
}

function hold(ctx: Context, place: SlotPlace): AccountSlot {
  const renewal = setInterval(() => {
    renewSlot(ctx, place, leaseEnd(ctx)).catch((error: unknown) =>
      ctx.log.warn({ err: error, kind: place.kind }, 'an account slot was not renewed'),
    )
  }, renewEveryMs)
  renewal.unref()
  let isHeld = true
  return {
    async release() {
      if (!isHeld) return
      isHeld = false
      clearInterval(renewal)
      // Where the database is away, the lease ends by itself.
      await deleteSlot(ctx, place).catch((error: unknown) =>
        ctx.log.warn({ err: error, kind: place.kind }, 'an account slot was not given back'),
      )
    },
  }
}

function leaseEnd(ctx: Context): Date {
  return new Date(ctx.now().getTime() + slotLeaseMs)
}
