/**
 * Leases for work whose node may die: a row names the holder and a time. The holder renews the lease. After
 * the lease ends, another holder may take the row, and the old one can no longer write.
 */
import type { RawBuilder } from 'kysely'
import { sql } from 'kysely'
import type { Context } from '../context.ts'
import type { Tables } from '../database/tables.ts'

export type LeaseKind = {
  readonly table: keyof Tables
  /** The column with the holder: an id, or the number of a run. Null if rows are never taken over. */
  readonly holder: string | null
  /** The column with the time: the end, or the last renewal. */
  readonly time: { readonly endsAt: string } | { readonly renewedAt: string }
  readonly durationMs: number
  /** A condition for rows that can be held. It names columns with their table, like all SQL fragments. */
  readonly unfinished: RawBuilder<boolean>
}

type Key = Readonly<Record<string, string | number | Uint8Array>>

/** One row and its holder. */
export type Lease = {
  readonly kind: LeaseKind
  readonly key: Key
  readonly holder: string | number | null
}

/** Another holder continues the work, or it was cancelled. */
export class LeaseLost extends Error {
  override name = 'LeaseLost'
}

/** Inserts the row, or takes it over if its lease has ended. Returns null if another holds it. */
export async function acquireLease(
  ctx: Context,
  kind: LeaseKind & { readonly holder: string },
  key: Key,
  {
    values = {},
    mayTakeOver = leaseHasEnded(ctx, kind),
  }: { values?: Readonly<Record<string, unknown>>; mayTakeOver?: RawBuilder<boolean> } = {},
): Promise<(Lease & { readonly holder: string }) | null> {
  const holder = ctx.newId()
  const held = { ...values, [kind.holder]: holder, [timeColumn(kind)]: leaseTime(ctx, kind) }
  const row = { ...key, ...held }
  const set = Object.keys(held).map((name) => sql`${sql.ref(name)} = excluded.${sql.ref(name)}`)
  const { rows } = await sql`
    insert into ${sql.table(kind.table)} (${columns(row)})
    values (${sql.join(Object.values(row))})
    on conflict (${columns(key)}) do update set ${sql.join(set)}
    where ${mayTakeOver}
    returning ${sql.ref(kind.holder)}`.execute(ctx.db)
  return rows.length > 0 ? { kind, key, holder } : null
}

/** Renews the lease. Returns false if it is lost. Locks the row until the transaction ends. */
export async function renewLease(ctx: Context, lease: Lease): Promise<boolean> {
  const { kind } = lease
  const time = sql.ref(timeColumn(kind))
  const { rows } = await sql`
    update ${sql.table(kind.table)} set ${time} = ${leaseTime(ctx, kind)}
    where ${heldCondition(lease)} returning ${time}`.execute(ctx.db)
  return rows.length > 0
}

/** Deletes the row. Returns false if it is finished or another holds it. */
export async function releaseLease(ctx: Context, lease: Lease): Promise<boolean> {
  const { rows } = await sql`
    delete from ${sql.table(lease.kind.table)} where ${heldCondition(lease)}
    returning ${sql.ref(timeColumn(lease.kind))}`.execute(ctx.db)
  return rows.length > 0
}

/** Renews the lease while the work runs. */
export async function withLease<T>(ctx: Context, lease: Lease, work: () => Promise<T>): Promise<T> {
  const stopRenewing = keepRenewed(ctx, lease)
  try {
    return await work()
  } finally {
    stopRenewing()
  }
}

export function keepRenewed(ctx: Context, lease: Lease): () => void {
  const { table, durationMs } = lease.kind
  const renewal = setInterval(() => {
    renewLease(ctx, lease).catch((error: unknown) =>
      ctx.log.warn({ event: 'lease_not_renewed', err: error, table }, 'failed to renew a lease'),
    )
  }, durationMs / 3)
  renewal.unref()
  return () => clearInterval(renewal)
}

/** Returns the fence: a condition that is true while the row belongs to this holder. */
export function heldCondition({ kind, key, holder }: Lease): RawBuilder<boolean> {
  const values = kind.holder === null ? key : { ...key, [kind.holder]: holder }
  const equal = Object.entries(values).map(([name, value]) => sql`${column(kind, name)} = ${value}`)
  return sql<boolean>`(${sql.join([...equal, kind.unfinished], sql` and `)})`
}

/**
 * Ends abandoned work, one item at a time. If ending an item fails, the next sweep retries it and the
 * others continue. Returns the results of the others.
 */
export async function endAbandoned<Found, Ended>(
  ctx: Context,
  found: readonly Found[],
  end: (found: Found) => Promise<Ended>,
): Promise<Ended[]> {
  const ended: Ended[] = []
  for (const each of found) {
    try {
      ended.push(await end(each))
    } catch (error) {
      if (!(error instanceof LeaseLost))
        ctx.log.error(
          { event: 'sweep_failed', err: error, found: each },
          'failed to end work whose lease expired',
        )
    }
  }
  return ended
}

/** Returns a condition that is true for rows whose holder is gone. */
export function leaseHasEnded(ctx: Context, kind: LeaseKind): RawBuilder<boolean> {
  const nowMs = ctx.now().getTime()
  const limit = new Date('endsAt' in kind.time ? nowMs : nowMs - kind.durationMs)
  return sql<boolean>`(${kind.unfinished} and ${column(kind, timeColumn(kind))} <= ${limit})`
}

/** Returns the value of the time column for a lease that begins now. */
export function leaseTime(ctx: Context, { time, durationMs }: LeaseKind): Date {
  return 'endsAt' in time ? new Date(ctx.now().getTime() + durationMs) : ctx.now()
}

function timeColumn({ time }: LeaseKind): string {
  return 'endsAt' in time ? time.endsAt : time.renewedAt
}

function column({ table }: LeaseKind, name: string) {
  return sql.ref(`${table}.${name}`)
}

function columns(row: object) {
  return sql.join(Object.keys(row).map((name) => sql.ref(name)))
}
