/**
 * Tables that lie in parts of a day or a month: parts are made before they are needed, and forgetting is
 * dropping them. Rows for which no part was made, from before there were any or by a clock that is far
 * off, lie in the rest (`partitions.<table>_rest`), and move when their part is made.
 */
import { sql } from 'kysely'
import type { Context } from '../context.ts'
import { atomically } from './atomically.ts'

export type PartitionedTable = {
  readonly table: 'session_events' | 'activity_log'
  readonly step: 'day' | 'month'
  /** How many parts are made ahead of the present one. */
  readonly ahead: number
}

type Period = { readonly name: string; readonly from: Date; readonly to: Date }

// Whoever writes to the table waits behind us meanwhile; what was not done now is done by the next sweep.
const lockTimeoutMs = 2000
const rowsAtOnce = 10_000

export async function makePartitions(ctx: Context, parts: PartitionedTable): Promise<void> {
  for (let steps = 0; steps <= parts.ahead; steps += 1) {
    const period = periodOf(parts, ctx.now(), steps)
    if (!(await isThere(ctx, period))) await makePartition(ctx, parts, period)
  }
}

/** Forgets what is older; of a part that is partly so, it forgets nothing yet. */
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
  // Bounds are part of the statement's text: it takes no parameters.
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

/** One node at a time, and none that waits for long. */
function alone(ctx: Context, work: (ctx: Context) => Promise<unknown>): Promise<unknown> {
  return atomically(ctx, async (ctx) => {
    await sql`select set_config('lock_timeout', ${String(lockTimeoutMs)}, true)`.execute(ctx.db)
    await sql`select pg_advisory_xact_lock(hashtext('partitions'))`.execute(ctx.db)
    return work(ctx)
  })
}

async function isThere(ctx: Context, { name }: Pick<Period, 'name'>): Promise<boolean> {
  // Not to_regclass: what a connection remembers of names can be older than the statement.
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

/** The period that the time is in, or one that follows so many steps later. */
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
