/** SQL queries of generations and of the consent to them. */
import { sql } from 'kysely'
import type { ProviderName, Quality } from '../../../contract/enhancement.ts'
import type { Context } from '../../context.ts'
import type { Lease, LeaseKind } from '../../leases/lease.ts'
import { leaseHasEnded, leaseTime, heldCondition } from '../../leases/lease.ts'

/** The lease of the node that runs a generation. No other node takes it over; the sweep only ends it. */
const generationLease: LeaseKind = {
  table: 'enhancement_generations',
  holder: null,
  time: { endsAt: 'lease_until' },
  durationMs: 60_000,
  unfinished: sql`enhancement_generations.status = 'pending'`,
}

export function leaseOf(id: number): Lease {
  return { kind: generationLease, key: { id }, holder: null }
}

export function findConsent(ctx: Context, userId: string, version: number) {
  return ctx.db
    .selectFrom('enhancement_consents')
    .select('accepted_at as acceptedAt')
    .where('user_id', '=', userId)
    .where('version', '=', version)
    .executeTakeFirst()
}

/** Stores the consent. Repeated consents keep the time of the first. */
export async function insertConsent(
  ctx: Context,
  consent: { userId: string; version: number; acceptedAt: Date },
): Promise<Date> {
  const { rows } = await sql<{ acceptedAt: Date }>`
    insert into enhancement_consents (user_id, version, accepted_at)
    values (${consent.userId}, ${consent.version}, ${consent.acceptedAt})
    on conflict (user_id, version) do update set version = excluded.version
    returning accepted_at as "acceptedAt"`.execute(ctx.db)
  return rows[0]?.acceptedAt ?? consent.acceptedAt
}

/** Counts generations for the limits. Failed ones were refunded and do not count. */
export async function countGenerations(
  ctx: Context,
  userId: string,
  since: Date,
): Promise<{ today: number; pending: number }> {
  const { rows } = await sql<{ today: number; pending: number }>`
    select
      (select count(*)::int from enhancement_generations
        where user_id = ${userId} and created_at >= ${since} and status <> 'failed') as today,
      (select count(*)::int from enhancement_generations
        where user_id = ${userId} and status = 'pending') as pending`.execute(ctx.db)
  return rows[0] ?? { today: 0, pending: 0 }
}

export async function insertGeneration(
  ctx: Context,
  generation: {
    userId: string
    quality: Quality
    requestedProvider: ProviderName
    debitId: number | null
  },
): Promise<number> {
  const { id } = await ctx.db
    .insertInto('enhancement_generations')
    .values({
      user_id: generation.userId,
      quality: generation.quality,
      requested_provider: generation.requestedProvider,
      credit_charged: generation.debitId !== null,
      debit_id: generation.debitId,
      lease_until: leaseTime(ctx, generationLease),
      created_at: ctx.now(),
      updated_at: ctx.now(),
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  return id
}

/** Returns false when the generation has ended, or was deleted with its account. */
export async function setInputPaths(
  ctx: Context,
  id: number,
  paths: { original: string; provider: string },
): Promise<boolean> {
  const { numUpdatedRows } = await wherePending(ctx, id)
    .set({ original_path: paths.original, provider_path: paths.provider, updated_at: ctx.now() })
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

/** Returns false when it has already ended. */
export async function setCompleted(
  ctx: Context,
  id: number,
  made: {
    provider: ProviderName
    resultPath: string
    width: number
    height: number
    processingTimeMs: number
  },
): Promise<boolean> {
  const { numUpdatedRows } = await wherePending(ctx, id)
    .set({
      status: 'completed',
      actual_provider: made.provider,
      result_path: made.resultPath,
      result_width: made.width,
      result_height: made.height,
      processing_time_ms: made.processingTimeMs,
      updated_at: ctx.now(),
    })
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

/** Returns undefined when it has already ended or, with `onlyAbandoned`, still has a worker. */
export function setFailed(
  ctx: Context,
  id: number,
  { message, onlyAbandoned }: { message: string; onlyAbandoned: boolean },
) {
  return wherePending(ctx, id)
    .$if(onlyAbandoned, (update) => update.where(leaseHasEnded(ctx, generationLease)))
    .set({ status: 'failed', error_message: message, updated_at: ctx.now() })
    .returning('debit_id as debitId')
    .executeTakeFirst()
}

export async function setRefunded(
  ctx: Context,
  id: number,
  refund: { id: number; at: Date },
): Promise<void> {
  await ctx.db
    .updateTable('enhancement_generations')
    .set({ refunded_at: refund.at, refund_transaction_id: refund.id })
    .where('id', '=', id)
    .execute()
}

/** Returns pending generations without a worker: of all users, or of one. */
export function findAbandonedGenerations(ctx: Context, userId: string | null) {
  return ctx.db
    .selectFrom('enhancement_generations')
    .select(['id', 'user_id as userId'])
    .where(leaseHasEnded(ctx, generationLease))
    .$if(userId !== null, (query) => query.where('user_id', '=', userId ?? ''))
    .orderBy('lease_until')
    .limit(500)
    .execute()
}

export function findFailedBefore(ctx: Context, time: Date) {
  return ctx.db
    .selectFrom('enhancement_generations')
    .select('id')
    .where('status', '=', 'failed')
    .where('updated_at', '<=', time)
    .orderBy('updated_at')
    .limit(500)
    .execute()
}

/** Deletes a failed generation and returns its file keys. */
export async function deleteFailed(ctx: Context, id: number): Promise<string[]> {
  const gone = await ctx.db
    .deleteFrom('enhancement_generations')
    .where('id', '=', id)
    .where('status', '=', 'failed')
    .returning(['original_path', 'provider_path', 'result_path'])
    .executeTakeFirst()
  if (!gone) return []
  return [gone.original_path, gone.provider_path, gone.result_path].filter((path) => path !== null)
}

function wherePending(ctx: Context, id: number) {
  return ctx.db.updateTable('enhancement_generations').where(heldCondition(leaseOf(id)))
}
