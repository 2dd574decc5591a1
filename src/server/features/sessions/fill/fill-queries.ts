/** The SQL of fills. */
import { sql } from 'kysely'
import type { Context } from '../../../context.ts'
import { noJobIsLeft } from '../../../jobs/unfinished-jobs.ts'
import type { Lease, LeaseKind } from '../../../leases/lease.ts'
import { leaseHasEnded, whereHeld } from '../../../leases/lease.ts'

export type Fill = { readonly sessionId: number; readonly fillNumber: number }

export const fillQueue = 'fill-session'

/** Held by the newest fill, known by its number, until it has ended one way or the other. */
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

/** Counts a new fill and waits for it. */
export async function beginFillNumber(ctx: Context, sessionId: number): Promise<number> {
  const { rows } = await sql<{ number: number }>`
    update sessions set fill_number = fill_number + 1, fill_status = 'pending', fill_error = null,
      replaced_count = 0, updated_at = ${ctx.now()}
    where id = ${sessionId} returning fill_number as number`.execute(ctx.db)
  return rows[0]?.number ?? 0
}

/** What a fill needs to know; nothing where it has ended, was overtaken or the session is gone. */
export function findFill(ctx: Context, fill: Fill) {
  return ctx.db
    .selectFrom('sessions')
    .innerJoin('users', 'users.id', 'sessions.user_id')
    .select(['users.id as userId', 'sessions.subfeeds', 'users.age_verified as ageVerified'])
    .where(whereHeld(leaseOf(fill)))
    .executeTakeFirst()
}

/** False where the fill has ended or was overtaken. Holds the session until the transaction ends. */
export async function setFillStatus(
  ctx: Context,
  fill: Fill,
  status: 'filling' | 'ready' | 'failed',
  error: string | null = null,
): Promise<boolean> {
  const { numUpdatedRows } = await ctx.db
    .updateTable('sessions')
    .set({ fill_status: status, fill_error: error, updated_at: ctx.now() })
    .where(whereHeld(leaseOf(fill)))
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

/** Binding only in a transaction that holds the session. */
export async function isFillPaid(ctx: Context, sessionId: number): Promise<boolean> {
  const row = await ctx.db
    .selectFrom('sessions')
    .select('fill_is_paid as isPaid')
    .where('id', '=', sessionId)
    .executeTakeFirst()
  return row?.isPaid ?? false
}

/** The debit is null where it was free. */
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

/** The fill has brought something: its debit is not given back any more. */
export async function setFillEarned(ctx: Context, sessionId: number): Promise<void> {
  await ctx.db
    .updateTable('sessions')
    .set({ fill_debit_id: null })
    .where('id', '=', sessionId)
    .execute()
}

/** The debit that a fill which came to nothing gives back, handed out once; the next one is to pay. */
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

/** Fills whose job was given up or lost. One whose job waits is not stuck, however long it waits. */
export function findStuckFills(ctx: Context): Promise<Fill[]> {
  return ctx.db
    .selectFrom('sessions')
    .select(['id as sessionId', 'fill_number as fillNumber'])
    .where(leaseHasEnded(ctx, fillLease))
    .where(noJobIsLeft(fillQueue, { sessionId: 'sessions.id', fillNumber: 'sessions.fill_number' }))
    .limit(500)
    .execute()
}
