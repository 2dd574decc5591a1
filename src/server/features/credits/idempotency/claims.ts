/**
 * Calls that carry an Idempotency-Key. Whoever runs the call holds a claim under a lease; the answer
 * is kept in the same transaction as the effect, and only while the claim still is the caller's, so
 * that a call happens once however often it is sent and whoever dies in between.
 */
import { sql } from 'kysely'
import type { Context } from '../../../context.ts'

declare module '../../../context.ts' {
  interface Context {
    /** The Idempotency-Key that the running call holds. */
    readonly claim: Claim | null
  }
}

export type Claim = { readonly userId: string; readonly key: string; readonly id: string }

/** A claim whose credits have been taken; null where they were free. */
export type ChargedClaim = { readonly claim: Claim; readonly debitId: number | null }

export type KeptAnswer = { readonly status: number; readonly body: unknown }

export type Standing =
  | { readonly kind: 'ours'; readonly claim: Claim }
  | { readonly kind: 'answered'; readonly answer: KeptAnswer }
  | { readonly kind: 'other request' }
  | { readonly kind: 'running' }
  /** Charged, and its node died before it could answer. */
  | { readonly kind: 'interrupted'; readonly charged: ChargedClaim }

const keptMs = 24 * 3600 * 1000
const leaseMs = 15_000

export const leaseRenewalMs = 5_000

export async function claimKey(
  ctx: Context,
  call: { userId: string; key: string; requestHash: Uint8Array },
): Promise<Standing> {
  const claim: Claim = { userId: call.userId, key: call.key, id: ctx.newId() }
  const now = ctx.now()
  const { rows: ours } = await sql`
    insert into idempotency_keys as kept
      (user_id, key, request_hash, claim, lease_until, created_at)
    values (${call.userId}, ${call.key}, ${call.requestHash}, ${claim.id}, ${leaseFrom(now)}, ${now})
    on conflict (user_id, key) do update
    set request_hash = excluded.request_hash, claim = excluded.claim,
      lease_until = excluded.lease_until, created_at = excluded.created_at, charged = false,
      debit_id = null,
      status = null, body = null
    where kept.created_at <= ${new Date(now.getTime() - keptMs)}
      or (kept.status is null and not kept.charged and kept.lease_until <= ${now})
    returning claim`.execute(ctx.db)
  if (ours.length > 0) return { kind: 'ours', claim }
  return standingOf(ctx, claim, call.requestHash)
}

export async function renewLease(ctx: Context, claim: Claim): Promise<void> {
  await whereOurs(ctx, claim)
    .set({ lease_until: leaseFrom(ctx.now()) })
    .execute()
}

/** From the debit on a failure of the call is final. Part of the debit's transaction. */
export async function markCharged(
  ctx: Context,
  claim: Claim,
  debitId: number | null,
): Promise<void> {
  const { numUpdatedRows } = await whereOurs(ctx, claim)
    .set({ charged: true, debit_id: debitId })
    .executeTakeFirst()
  if (numUpdatedRows === 0n) throw new ClaimLost()
}

/** Keeps the answer for the next call with this key. Part of the effect's transaction. */
export async function keepAnswer(ctx: Context, claim: Claim, answer: KeptAnswer): Promise<void> {
  const { numUpdatedRows } = await whereOurs(ctx, claim)
    .set({ status: answer.status, body: JSON.stringify(answer.body) })
    .executeTakeFirst()
  if (numUpdatedRows === 0n) throw new ClaimLost()
}

/**
 * Frees the key of a call that failed before anything was charged; a charged one keeps its failure.
 * Null where it was freed.
 */
export async function endFailedClaim(
  ctx: Context,
  claim: Claim,
  answer: KeptAnswer,
): Promise<ChargedClaim | null> {
  // A debit whose COMMIT has lost its reply may still be on its way, and holds the row. The deletion
  // waits for it and then spares a charged row; an update first would look past it.
  await ctx.db
    .deleteFrom('idempotency_keys')
    .where('user_id', '=', claim.userId)
    .where('key', '=', claim.key)
    .where('claim', '=', claim.id)
    .where('status', 'is', null)
    .where('charged', '=', false)
    .execute()
  const kept = await whereOurs(ctx, claim)
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
    .where('status', 'is', null)
    .where('lease_until', '<=', ctx.now())
    .limit(500)
    .execute()
  return rows.map(({ debitId, ...claim }) => ({ claim, debitId }))
}

export async function deleteOldKeys(ctx: Context): Promise<void> {
  const oldest = new Date(ctx.now().getTime() - keptMs)
  await ctx.db.deleteFrom('idempotency_keys').where('created_at', '<=', oldest).execute()
}

/** Another node has taken the call over, because ours was too slow to renew its lease. */
export class ClaimLost extends Error {}

async function standingOf(ctx: Context, claim: Claim, requestHash: Uint8Array): Promise<Standing> {
  const kept = await ctx.db
    .selectFrom('idempotency_keys')
    .select(['request_hash', 'claim', 'lease_until', 'charged', 'debit_id', 'status', 'body'])
    .where('user_id', '=', claim.userId)
    .where('key', '=', claim.key)
    .executeTakeFirst()
  // Freed between the two statements: the call that held it has just failed.
  if (!kept) return { kind: 'running' }
  if (Buffer.compare(kept.request_hash, requestHash) !== 0) return { kind: 'other request' }
  if (kept.status !== null)
    return { kind: 'answered', answer: { status: kept.status, body: kept.body } }
  if (!kept.charged || kept.lease_until > ctx.now()) return { kind: 'running' }
  const charged = { claim: { ...claim, id: kept.claim }, debitId: kept.debit_id }
  return { kind: 'interrupted', charged }
}

function whereOurs(ctx: Context, claim: Claim) {
  return ctx.db
    .updateTable('idempotency_keys')
    .where('user_id', '=', claim.userId)
    .where('key', '=', claim.key)
    .where('claim', '=', claim.id)
    .where('status', 'is', null)
}

function leaseFrom(now: Date): Date {
  return new Date(now.getTime() + leaseMs)
}
