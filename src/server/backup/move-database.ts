/**
 * Moves the embedded database to an empty one on a server, in one transaction there. The migrations create
 * the schema. Rows are copied as text, which is exact for every type. At the end both sides hash all rows,
 * and a difference rolls everything back.
 */
import type { Client } from 'pg'
import type { DatabaseHandle, Scripts } from '../database/database.ts'
import { scriptsOn } from '../database/server.ts'
import { StartError } from '../platform/start-error.ts'

export type MovedTable = { readonly name: string; readonly rows: number }

const rowsAtOnce = 500
const migrationTable = 'public.schema_migrations'

/** Moves all rows. Both sides must have the same migrations and queues, and no other process may use them. */
export async function moveRows(source: DatabaseHandle, target: Client): Promise<MovedTable[]> {
  return source.runScripts(async (from) => {
    await from.run(sameText)
    await target.query('begin')
    try {
      await target.query(sameText)
      const moved = await moveAll(from, target)
      await target.query('commit')
      return moved
    } catch (error) {
      await target.query('rollback')
      throw error
    }
  })
}

/** Settings that affect the text form of values. */
const sameText = `set local timezone = 'UTC'; set local datestyle = 'ISO, YMD';
  set local intervalstyle = 'postgres'; set local bytea_output = 'hex';
  set local extra_float_digits = 1`

async function moveAll(from: Scripts, target: Client): Promise<MovedTable[]> {
  const tables = await tablesOf(from)
  const known = new Set((await tablesOf(scriptsOn(target))).map(({ name }) => name))
  const unknown = tables.find(({ name }) => !known.has(name))
  if (unknown) throw new StartError(`the server's database has no table ${unknown.name}`)
  // Foreign keys may be circular, so they are dropped and added again. Adding one checks every row.
  const references = await referencesOf(target)
  for (const { table, name } of references)
    await target.query(`alter table ${table} drop constraint ${name}`)
  // A migration may have inserted rows, which are copied from the source too.
  await target.query(`truncate ${tables.map(({ name }) => name).join(', ')}`)
  const moved: MovedTable[] = []
  for (const table of tables) {
    await target.query(`alter table ${table.name} disable trigger user`)
    await copyTable(from, target, table)
    await target.query(`alter table ${table.name} enable trigger user`)
    moved.push({ name: table.name, rows: await compare(from, target, table) })
  }
  await moveSequences(from, target)
  for (const { table, name, definition } of references)
    await target.query(`alter table ${table} add constraint ${name} ${definition}`)
  return moved
}

type Column = { readonly name: string; readonly type: string }
type Table = { readonly name: string; readonly columns: readonly Column[] }

/** Returns the tables and columns, without partitions (read through their table) and generated columns. */
async function tablesOf(scripts: Scripts): Promise<Table[]> {
  const rows = await scripts.read<{ name: string; columns: Column[] }>(`
    select format('%I.%I', nspname, relname) as name, columns
    from pg_class join pg_namespace on pg_namespace.oid = relnamespace
    cross join lateral (
      select json_agg(json_build_object('name', format('%I', attname),
        'type', format_type(atttypid, atttypmod)) order by attname) as columns
      from pg_attribute
      where attrelid = pg_class.oid and attnum > 0 and not attisdropped and attgenerated = ''
    ) as present
    where relkind in ('r', 'p') and not relispartition and nspname in ('public', 'pgboss')
    order by 1`)
  return rows.filter(({ name }) => name !== migrationTable)
}

async function copyTable(from: Scripts, target: Client, { name, columns }: Table): Promise<void> {
  const names = columns.map((column) => column.name)
  const texts = names.map((column) => `${column}::text`).join(', ')
  const insert = `insert into ${name} (${names.join(', ')}) overriding system value
    select ${columns.map(({ type }, at) => `c${at}::${type}`).join(', ')}
    from unnest(${columns.map((_, at) => `$${at + 1}::text[]`).join(', ')})
      as rows (${columns.map((_, at) => `c${at}`).join(', ')})`
  await from.run(`declare moving no scroll cursor for
    select array[${texts}] as row from ${name}`)
  for (;;) {
    const rows = await from.read<{ row: (string | null)[] }>(`fetch ${rowsAtOnce} from moving`)
    if (rows.length === 0) break
    await target.query(
      insert,
      columns.map((_, at) => rows.map(({ row }) => row[at] ?? null)),
    )
  }
  await from.run('close moving')
}

/** Compares the rows of both sides in any order. Returns their number. */
async function compare(from: Scripts, target: Client, { name, columns }: Table): Promise<number> {
  const texts = columns.map((column) => `${column.name}::text`).join(', ')
  const query = `
    select count(*)::int as rows,
      coalesce(sum(('x' || left(hash, 16))::bit(64)::bigint::numeric), 0)::text as first,
      coalesce(sum(('x' || right(hash, 16))::bit(64)::bigint::numeric), 0)::text as second
    from (select md5(row(${texts})::text) as hash from ${name}) as hashes`
  type Sums = { rows: number; first: string; second: string }
  const [ours] = await from.read<Sums>(query)
  const [theirs] = (await target.query<Sums>(query)).rows
  if (!ours || JSON.stringify(ours) !== JSON.stringify(theirs))
    throw new Error(`the rows of ${name} differ between the two databases; nothing was moved`)
  return ours.rows
}

async function moveSequences(from: Scripts, target: Client): Promise<void> {
  const sequences = await from.read<{ name: string }>(`
    select format('%I.%I', schemaname, sequencename) as name
    from pg_sequences where schemaname in ('public', 'pgboss')`)
  for (const { name } of sequences) {
    const [at] = await from.read<{ value: string; called: boolean }>(
      `select last_value::text as value, is_called as called from ${name}`,
    )
    if (at) await target.query('select setval($1, $2::bigint, $3)', [name, at.value, at.called])
  }
}

async function referencesOf(target: Client) {
  const { rows } = await target.query<{ table: string; name: string; definition: string }>(`
    select conrelid::regclass::text as table, format('%I', conname) as name,
      pg_get_constraintdef(pg_constraint.oid) as definition
    from pg_constraint join pg_namespace on pg_namespace.oid = connamespace
    where contype = 'f' and conparentid = 0 and nspname in ('public', 'pgboss')`)
  return rows
}
