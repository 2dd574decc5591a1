/**
 * Tables partitioned by day or month. Partitions are created ahead of time and dropped when they are too
 * old. Rows without a partition (older than the first one, or written by a clock that is far off) go to
 * the default partition `partitions.<table>_rest` and move when their own partition is created.
 */
import { sql } from 'kysely'
import type { Context } from '../context.ts'
import { atomically } from './atomically.ts'
import { limitLockWaits, retryWhileLocked } from './table-locks.ts'

export type PartitionedTable = {
  readonly table: 'session_events' | 'activity_log'
  readonly step: 'day' | 'month'
  /** How many partitions are created ahead of the current one. */
  readonly ahead: number
}

type Period = { readonly name: string; readonly from: Date; readonly to: Date }

// The parent, the partition, the default partition, and the tables that their foreign keys reference.
const lockWaits = 4
// The next sweep does what is left by then.
const patienceMs = 30_000
const rowsAtOnce = 10_000

export async function makePartitions(ctx: Context, parts: PartitionedTable): Promise<void> {
  for (let steps = 0; steps <= parts.ahead; steps += 1) {
    const period = periodOf(parts, ctx.now(), steps)
    if (!(await isThere(ctx, period))) await makePartition(ctx, parts, period)
  }
}

/** Drops the partitions that end before the time. One that reaches beyond it stays whole. */
export async function dropPartitionsBefore(
  ctx: Context,
  parts: PartitionedTable,
  time: Date,
): Promise<void> {
  const { rows } = await sql<{ name: string }>`
    select relname as name from pg_inherits join pg_class on pg_class.oid = inhrelid
    where inhparent = ${`public.${parts.table}`}::regclass`.execute(ctx.db)
  for (const { name } of rows) {
    const begin = beginningOf(name)
    if (begin && periodOf(parts, begin, 0).to <= time)
      await alone(ctx, (ctx) => sql`drop table if exists ${part(name)}`.execute(ctx.db))
  }
  const rest = part(`${parts.table}_rest`)
  for (let deleted = rowsAtOnce; deleted === rowsAtOnce;) {
    const { numAffectedRows } = await sql`
      delete from ${rest} where ctid = any(array(
        select ctid from ${rest} where created_at < ${time} limit ${rowsAtOnce}))`.execute(ctx.db)
    deleted = Number(numAffectedRows ?? 0n)
  }
}

async function makePartition(
  ctx: Context,
  { table }: PartitionedTable,
  { name, from, to }: Period,
): Promise<void> {
  const whole = sql.table(`public.${table}`)
  const rest = part(`${table}_rest`)
  // This statement takes no parameters, so the bounds are part of its text.
  const bounds = sql.raw(`from ('${from.toISOString()}') to ('${to.toISOString()}')`)
  await alone(ctx, async (ctx) => {
    if (await isThere(ctx, { name })) return
    await sql`lock table ${rest} in access exclusive mode`.execute(ctx.db)
    await sql`create table ${part(name)} (like ${whole} including all)`.execute(ctx.db)
    await sql`
      with moved as (
        delete from ${rest} where created_at >= ${from} and created_at < ${to} returning *
      )
      insert into ${part(name)} select * from moved`.execute(ctx.db)
    await sql`alter table ${whole} attach partition ${part(name)} for values ${bounds}`.execute(
      ctx.db,
    )
  })
}

/** Runs on one node at a time, and gives way to requests. */
function alone(ctx: Context, work: (ctx: Context) => Promise<unknown>): Promise<unknown> {
  const change = async (ctx: Context) => {
    await sql`select pg_advisory_xact_lock(hashtext('partitions'))`.execute(ctx.db)
    await sql.raw(limitLockWaits(lockWaits)).execute(ctx.db)
    return work(ctx)
  }
  return retryWhileLocked(patienceMs, () => atomically(ctx, change))
}

async function isThere(ctx: Context, { name }: Pick<Period, 'name'>): Promise<boolean> {
  // Not to_regclass: a connection's cache of names can be older than the statement.
  const { rows } = await sql<{ there: boolean }>`
    select exists (
      select from pg_class join pg_namespace on pg_namespace.oid = relnamespace
      where nspname = 'partitions' and relname = ${name}
    ) as there`.execute(ctx.db)
  return rows[0]?.there ?? false
}

function part(name: string) {
  return sql.table(`partitions.${name}`)
}

/** The period that contains the time, or the one `steps` later. */
function periodOf({ table, step }: PartitionedTable, time: Date, steps: number): Period {
  const [year, month, day] = [time.getUTCFullYear(), time.getUTCMonth(), time.getUTCDate()]
  const at = (offset: number) =>
    new Date(step === 'day' ? Date.UTC(year, month, day + offset) : Date.UTC(year, month + offset))
  const from = at(steps)
  const digits = from.toISOString().slice(0, 10).replaceAll('-', '')
  return { name: `${table}_${digits}`, from, to: at(steps + 1) }
}

function beginningOf(name: string): Date | null {
  const [, year, month, day] = /_(\d{4})(\d{2})(\d{2})$/.exec(name) ?? []
  return year && month && day ? new Date(`${year}-${month}-${day}T00:00:00Z`) : null
}
