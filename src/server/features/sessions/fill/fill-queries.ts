/** The SQL of fills. */
import { sql } from 'kysely'
import type { Context } from '../../../context.ts'
import { hasNoPendingJob } from '../../../jobs/unfinished-jobs.ts'
import type { Lease, LeaseKind } from '../../../leases/lease.ts'
import { leaseHasEnded, heldCondition } from '../../../leases/lease.ts'

export type Fill = { readonly sessionId: number; readonly fillNumber: number }

export const fillQueue = 'fill-session'

/** The lease of the newest fill, identified by its number. It ends with the fill. */
const fillLease: LeaseKind = {
  table: 'sessions',
  holder: 'fill_number',
  time: { renewedAt: 'updated_at' },
  durationMs: 5 * 60 * 1000,
  unfinished: sql`sessions.fill_status in ('pending', 'filling')`,
}

function leaseOf({ sessionId, fillNumber }: Fill): Lease {
  return { kind: fillLease, key: { id: sessionId }, holder: fillNumber }
}

/** Increments the fill number and sets the session to pending. */
export async function beginFillNumber(ctx: Context, sessionId: number): Promise<number> {
  const { rows } = await sql<{ number: number }>`
    update sessions set fill_number = fill_number + 1, fill_status = 'pending', fill_error = null,
      replaced_count = 0, updated_at = ${ctx.now()}
    where id = ${sessionId} returning fill_number as number`.execute(ctx.db)
  return rows[0]?.number ?? 0
}

/**
 * Returns the data that a fill needs. Returns nothing if the fill has ended, was overtaken or lost its
 * session.
 */
export function findFill(ctx: Context, fill: Fill) {
  return ctx.db
    .selectFrom('sessions')
    .innerJoin('users', 'users.id', 'sessions.user_id')
    .select(['users.id as userId', 'sessions.subfeeds', 'users.age_verified as ageVerified'])
    .where(heldCondition(leaseOf(fill)))
    .executeTakeFirst()
}

/** Returns false if the fill has ended or was overtaken. Locks the session until the transaction ends. */
export async function setFillStatus(
  ctx: Context,
  fill: Fill,
  status: 'filling' | 'ready' | 'failed',
  error: string | null = null,
): Promise<boolean> {
  const { numUpdatedRows } = await ctx.db
    .updateTable('sessions')
    .set({ fill_status: status, fill_error: error, updated_at: ctx.now() })
    .where(heldCondition(leaseOf(fill)))
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

/** Tells whether the fill is paid. The result is reliable only in a transaction that holds the session. */
export async function isFillPaid(ctx: Context, sessionId: number): Promise<boolean> {
  const row = await ctx.db
    .selectFrom('sessions')
    .select('fill_is_paid as isPaid')
    .where('id', '=', sessionId)
    .executeTakeFirst()
  return row?.isPaid ?? false
}

/** Marks the fill as paid. The debit is null if it was free. */
export async function setFillPaid(
  ctx: Context,
  sessionId: number,
  debitId: number | null,
): Promise<void> {
  await ctx.db
    .updateTable('sessions')
    .set({ fill_is_paid: true, fill_debit_id: debitId })
    .where('id', '=', sessionId)
    .execute()
}

/** Drops the debit after a successful fill, so that it is no longer refunded. */
export async function setFillEarned(ctx: Context, sessionId: number): Promise<void> {
  await ctx.db
    .updateTable('sessions')
    .set({ fill_debit_id: null })
    .where('id', '=', sessionId)
    .execute()
}

/** Returns the debit to refund for a fill without a result, at most once. The next fill is charged again. */
export async function takeFillDebit(ctx: Context, sessionId: number): Promise<number | null> {
  const { rows } = await sql<{ debit: number }>`
    with before as (
      select id, fill_debit_id from sessions
      where id = ${sessionId} and fill_debit_id is not null for no key update
    )
    update sessions set fill_debit_id = null, fill_is_paid = false from before
    where sessions.id = before.id returning before.fill_debit_id as debit`.execute(ctx.db)
  return rows[0]?.debit ?? null
}

/** Finds fills whose job was given up or lost. A fill whose job still waits is not stuck. */
export function findStuckFills(ctx: Context): Promise<Fill[]> {
  return ctx.db
    .selectFrom('sessions')
    .select(['id as sessionId', 'fill_number as fillNumber'])
    .where(leaseHasEnded(ctx, fillLease))
    .where(
      hasNoPendingJob(fillQueue, { sessionId: 'sessions.id', fillNumber: 'sessions.fill_number' }),
    )
    .limit(500)
    .execute()
}
