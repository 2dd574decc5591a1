/**
 * Calls that carry an Idempotency-Key. The running call holds a claim under a lease; the answer
 * is kept in the same transaction as the effect, and only while the claim still is the caller's, so
 * that a call happens once however often it is sent and whoever dies in between.
 */
import { sql } from 'kysely'
import type { Context } from '../../../context.ts'
import type { Lease } from '../../../leases/lease.ts'
import { acquireLease, leaseHasEnded, LeaseLost, whereHeld } from '../../../leases/lease.ts'

declare module '../../../context.ts' {
  interface Context {
    /** The Idempotency-Key that the running call holds. */
    readonly claim: Claim | null
  }
}

export type Claim = { readonly userId: string; readonly key: string; readonly id: string }

/** A claim whose credits have been taken; null where they were free. */
export type ChargedClaim = { readonly claim: Claim; readonly debitId: number | null }

export type StoredAnswer = { readonly status: number; readonly body: unknown }

export type Standing =
  | { readonly kind: 'ours'; readonly claim: Claim }
  | { readonly kind: 'answered'; readonly answer: StoredAnswer }
  | { readonly kind: 'other request' }
  | { readonly kind: 'running' }
  /** Charged, and its node died before it could answer. */
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

/** From the debit on a failure of the call is final. Part of the debit's transaction. */
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

/** Keeps the answer for the next call with this key. Part of the effect's transaction. */
export async function storeAnswer(ctx: Context, claim: Claim, answer: StoredAnswer): Promise<void> {
  const { numUpdatedRows } = await updateHeld(ctx, claim)
    .set({ status: answer.status, body: JSON.stringify(answer.body) })
    .executeTakeFirst()
  if (numUpdatedRows === 0n) throw new LeaseLost()
}

/**
 * Frees the key of a call that failed before anything was charged; a charged one keeps its failure.
 * Null where it was freed.
 */
export async function endFailedClaim(
  ctx: Context,
  claim: Claim,
  answer: StoredAnswer,
): Promise<ChargedClaim | null> {
  // A debit whose COMMIT has lost its reply may still be on its way, and holds the row. The deletion
  // waits for it and then spares a charged row; an update first would look past it.
  await ctx.db
    .deleteFrom('idempotency_keys')
    .where(whereHeld(leaseOf(claim)))
    .where('charged', '=', false)
    .execute()
  const kept = await updateHeld(ctx, claim)
    .set({ status: answer.status, body: JSON.stringify(answer.body) })
    .returning('debit_id as debitId')
    .executeTakeFirst()
  return kept ? { claim, debitId: kept.debitId } : null
}

/** Charged calls whose node died, and whose caller never came back. */
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
  // Freed between the two statements: the call that held it has just failed.
  if (!kept) return { kind: 'running' }
  if (Buffer.compare(kept.request_hash, requestHash) !== 0) return { kind: 'other request' }
  if (kept.status !== null)
    return { kind: 'answered', answer: { status: kept.status, body: kept.body } }
  if (!kept.charged || kept.lease_until > ctx.now()) return { kind: 'running' }
  const charged = { claim: { userId, key, id: kept.claim }, debitId: kept.debit_id }
  return { kind: 'interrupted', charged }
}

function updateHeld(ctx: Context, claim: Claim) {
  return ctx.db.updateTable('idempotency_keys').where(whereHeld(leaseOf(claim)))
}

function keyOf({ userId, key }: { userId: string; key: string }) {
  return { user_id: userId, key }
}
