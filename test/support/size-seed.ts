/**
 * Fills a migrated, empty database with a site of any size by COPY. Foreign keys and triggers are off
 * meanwhile, because the rows are known to be valid, and indexes without a constraint are dropped.
 */
import { Client } from 'pg'
import { copyRows } from './copy-rows.ts'
import type { SiteSize } from './size-rows.ts'
import { tablesOf } from './size-rows.ts'

export async function seedSite(
  databaseUrl: string,
  size: SiteSize,
  progress: (text: string) => void = () => {},
): Promise<void> {
  const client = new Client({ connectionString: databaseUrl })
  await client.connect()
  try {
    await client.query(`set session_replication_role = replica; set synchronous_commit = off;
      set maintenance_work_mem = '512MB'`)
    const tables = tablesOf(size, Date.now())
    const names = [...new Set(tables.map(({ table }) => table))]
    // One transaction: a failure leaves the database unchanged.
    await client.query('begin')
    await truncateEmpty(client, names)
    const indexes = await setIndexesAside(client, names)
    const inParts = await findTablesInParts(client)
    for (const { table, columns, rows } of tables) {
      const startedMs = performance.now()
      const isFrozen = !inParts.has(table)
      const sent = await copyRows(client, { table, columns, isFrozen }, rows())
      progress(`${table}: ${sent} rows in ${secondsSince(startedMs)} s\n`)
    }
    for (const definition of indexes) {
      const startedMs = performance.now()
      await client.query(definition)
      progress(`${definition.split(' ON ')[0]}: ${secondsSince(startedMs)} s\n`)
    }
    await moveSequences(client, names)
    await client.query('commit')
    const startedMs = performance.now()
    await client.query(`vacuum (analyze) ${names.join(', ')}`)
    progress(`vacuum and analyze: ${secondsSince(startedMs)} s\n`)
    await refuseTornRows(client)
    progress(await describeSizes(client))
  } finally {
    await client.end()
  }
}

/**
 * Truncates the tables, which must be empty. Rows of a table that was truncated in the same transaction can
 * be written frozen, and on a server with wal_level=minimal they are not logged.
 */
async function truncateEmpty(client: Client, tables: readonly string[]): Promise<void> {
  const { rows } = await client.query<{ name: string }>(
    `with recursive referring as (
       select unnest($1::text[]::regclass[])::oid as id
       union
       select conrelid from pg_constraint join referring on confrelid = referring.id
       where contype = 'f' and conparentid = 0
     )
     select id::regclass::text as name from referring`,
    [tables],
  )
  for (const { name } of rows) {
    const { rowCount } = await client.query(`select from ${name} limit 1`)
    if (rowCount !== 0) throw new Error(`the database is not empty: ${name} has rows`)
  }
  await client.query(`truncate ${rows.map(({ name }) => name).join(', ')}`)
}

/** Returns the partitioned tables, into which COPY cannot write frozen rows. */
async function findTablesInParts(client: Client): Promise<Set<string>> {
  const { rows } = await client.query<{ name: string }>(
    `select relname as name from pg_class where relkind = 'p'`,
  )
  return new Set(rows.map(({ name }) => name))
}

/** Drops the indexes and returns the statements that create them again. */
async function setIndexesAside(client: Client, tables: readonly string[]): Promise<string[]> {
  const { rows } = await client.query<{ name: string; definition: string }>(
    `select indexrelid::regclass::text as name, pg_get_indexdef(indexrelid) as definition
     from pg_index
     where indrelid = any($1::text[]::regclass[]) and not indisunique
       and not exists (select from pg_inherits where inhrelid = indexrelid)`,
    [tables],
  )
  for (const { name } of rows) await client.query(`drop index ${name}`)
  // For a partitioned table, create it on the partitions too.
  return rows.map(({ definition }) => definition.replace(' ON ONLY ', ' ON '))
}

async function moveSequences(client: Client, tables: readonly string[]): Promise<void> {
  const { rows } = await client.query<{ table: string; column: string }>(
    `select attrelid::regclass::text as table, attname as column from pg_attribute
     where attrelid = any($1::text[]::regclass[]) and attnum > 0 and not attisdropped
       and pg_get_serial_sequence(attrelid::regclass::text, attname) is not null`,
    [tables],
  )
  for (const { table, column } of rows)
    await client.query(
      `select setval(pg_get_serial_sequence('${table}', '${column}'),
        (select coalesce(max(${column}), 1) from ${table}))`,
    )
}

/** Describes the sizes on the disk, with indexes. */
async function describeSizes(client: Client): Promise<string> {
  const { rows } = await client.query<{ name: string; mb: string }>(
    `select 'all of it' as name, round(pg_database_size(current_database()) / 1e6) as mb
     union all (
       select relname, round(pg_total_relation_size(oid) / 1e6) from pg_class
       where relkind = 'r' and relnamespace = 'public'::regnamespace
       order by pg_total_relation_size(oid) desc limit 5)`,
  )
  return `${rows.map(({ name, mb }) => `${name} ${mb} MB`).join(', ')}\n`
}

/** Throws if data that the service stores in two places differ. */
async function refuseTornRows(client: Client): Promise<void> {
  for (const [what, query] of laws) {
    const { rows } = await client.query<{ broken: number }>(query)
    if (rows[0]?.broken !== 0) throw new Error(`${rows[0]?.broken} seeded ${what}`)
  }
}

const laws: readonly (readonly [what: string, query: string])[] = [
  [
    'accounts have another balance than their transactions say',
    `select count(*)::int as broken from credit_accounts account
     join (select user_id, sum(amount) as sum, min(balance_after) as last
       from credit_transactions group by user_id) moved using (user_id)
     where account.balance <> moved.sum or account.balance <> moved.last`,
  ],
  [
    'sessions count other slides than they have',
    `select count(*)::int as broken from sessions
     left join (select session_id, count(*) as slides from session_media group by session_id) has
       on has.session_id = sessions.id
     where media_count <> coalesce(slides, 0)`,
  ],
  [
    'vaults count other files than they have',
    `select count(*)::int as broken from vault_counts counted
     join (select user_id, category, count(*) as files, sum(file_size) as bytes
       from vault_media group by user_id, category) has using (user_id, category)
     join (select user_id, sum(size) as bytes from stored_files group by user_id) stored
       using (user_id)
     where counted.files <> has.files or stored.bytes <> has.bytes`,
  ],
  [
    'publications count other saves than they have',
    `select count(*)::int as broken from community_sessions
     left join (select community_session_id, count(*) as saves from community_saves group by 1) has
       on has.community_session_id = community_sessions.id
     where saved_count <> coalesce(saves, 0)`,
  ],
]

function secondsSince(startedMs: number): string {
  return ((performance.now() - startedMs) / 1000).toFixed(1)
}
