/**
 * Claims of Idempotency-Keys. A running call holds a claim with a lease. The response is stored in the
 * transaction of the effect, and only while the caller holds the claim. So a call has its effect once,
 * however often it is sent, even when a node dies.
 */
import { sql } from 'kysely'
import type { Context } from '../../../context.ts'
import type { Lease } from '../../../leases/lease.ts'
import { acquireLease, leaseHasEnded, LeaseLost, heldCondition } from '../../../leases/lease.ts'

declare module '../../../context.ts' {
  interface Context {
    /** The claim of the Idempotency-Key that the running call holds. */
    readonly claim: Claim | null
  }
}

export type Claim = { readonly userId: string; readonly key: string; readonly id: string }

/** A claim whose credits were charged. `debitId` is null if it was free. */
export type ChargedClaim = { readonly claim: Claim; readonly debitId: number | null }

export type StoredAnswer = { readonly status: number; readonly body: unknown }

export type Standing =
  | { readonly kind: 'ours'; readonly claim: Claim }
  | { readonly kind: 'answered'; readonly answer: StoredAnswer }
  | { readonly kind: 'other request' }
  | { readonly kind: 'running' }
  /** Charged, but its node died before it responded. */
  | { readonly kind: 'interrupted'; readonly charged: ChargedClaim }

const keptMs = 24 * 3600 * 1000

const keyLease = {
  table: 'idempotency_keys',
  holder: 'claim',
  time: { endsAt: 'lease_until' },
  durationMs: 15_000,
  unfinished: sql<boolean>`idempotency_keys.status is null`,
} as const

export async function claimKey(
  ctx: Context,
  call: { userId: string; key: string; requestHash: Uint8Array },
): Promise<Standing> {
  const { userId, key, requestHash } = call
  const now = ctx.now()
  const forgottenBy = new Date(now.getTime() - keptMs)
  const lease = await acquireLease(ctx, keyLease, keyOf(call), {
    values: {
      request_hash: requestHash,
      created_at: now,
      charged: false,
      debit_id: null,
      status: null,
      body: null,
    },
    mayTakeOver: sql`idempotency_keys.created_at <= ${forgottenBy}
      or (not idempotency_keys.charged and ${leaseHasEnded(ctx, keyLease)})`,
  })
  if (lease) return { kind: 'ours', claim: { userId, key, id: lease.holder } }
  return standingOf(ctx, call, requestHash)
}

export function leaseOf(claim: Claim): Lease {
  return { kind: keyLease, key: keyOf(claim), holder: claim.id }
}

/** Marks the call as charged; a failure is final from then on. Call it in the debit's transaction. */
export async function markCharged(
  ctx: Context,
  claim: Claim,
  debitId: number | null,
): Promise<void> {
  const { numUpdatedRows } = await updateHeld(ctx, claim)
    .set({ charged: true, debit_id: debitId })
    .executeTakeFirst()
  if (numUpdatedRows === 0n) throw new LeaseLost()
}

/** Stores the response for the next call with this key. Call it in the effect's transaction. */
export async function storeAnswer(ctx: Context, claim: Claim, answer: StoredAnswer): Promise<void> {
  const { numUpdatedRows } = await updateHeld(ctx, claim)
    .set({ status: answer.status, body: JSON.stringify(answer.body) })
    .executeTakeFirst()
  if (numUpdatedRows === 0n) throw new LeaseLost()
}

/**
 * Releases the key of a call that failed before it was charged, and returns null. A charged call keeps
 * its failure as the response.
 */
export async function endFailedClaim(
  ctx: Context,
  claim: Claim,
  answer: StoredAnswer,
): Promise<ChargedClaim | null> {
  // When a COMMIT lost its reply, the debit may still be running and lock the row. The delete waits for
  // it and then spares the charged row; an update first would not see it.
  await ctx.db
    .deleteFrom('idempotency_keys')
    .where(heldCondition(leaseOf(claim)))
    .where('charged', '=', false)
    .execute()
  const kept = await updateHeld(ctx, claim)
    .set({ status: answer.status, body: JSON.stringify(answer.body) })
    .returning('debit_id as debitId')
    .executeTakeFirst()
  return kept ? { claim, debitId: kept.debitId } : null
}

/** Returns charged calls whose node died and whose caller did not retry. */
export async function findAbandoned(ctx: Context): Promise<ChargedClaim[]> {
  const rows = await ctx.db
    .selectFrom('idempotency_keys')
    .select(['user_id as userId', 'key', 'claim as id', 'debit_id as debitId'])
    .where('charged', '=', true)
    .where(leaseHasEnded(ctx, keyLease))
    .limit(500)
    .execute()
  return rows.map(({ debitId, ...claim }) => ({ claim, debitId }))
}

export async function deleteOldKeys(ctx: Context): Promise<void> {
  const oldest = new Date(ctx.now().getTime() - keptMs)
  await ctx.db.deleteFrom('idempotency_keys').where('created_at', '<=', oldest).execute()
}

async function standingOf(
  ctx: Context,
  { userId, key }: Omit<Claim, 'id'>,
  requestHash: Uint8Array,
): Promise<Standing> {
  const kept = await ctx.db
    .selectFrom('idempotency_keys')
    .select(['request_hash', 'claim', 'lease_until', 'charged', 'debit_id', 'status', 'body'])
    .where('user_id', '=', userId)
    .where('key', '=', key)
    .executeTakeFirst()
  // The key was released between the two statements: its call has just failed.
  if (!kept) return { kind: 'running' }
  if (Buffer.compare(kept.request_hash, requestHash) !== 0) return { kind: 'other request' }
  if (kept.status !== null)
    return { kind: 'answered', answer: { status: kept.status, body: kept.body } }
  if (!kept.charged || kept.lease_until > ctx.now()) return { kind: 'running' }
  const charged = { claim: { userId, key, id: kept.claim }, debitId: kept.debit_id }
  return { kind: 'interrupted', charged }
}

function updateHeld(ctx: Context, claim: Claim) {
  return ctx.db.updateTable('idempotency_keys').where(heldCondition(leaseOf(claim)))
}

function keyOf({ userId, key }: { userId: string; key: string }) {
  return { user_id: userId, key }
}
