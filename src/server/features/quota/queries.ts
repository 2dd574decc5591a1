/** The SQL of the storage that each account uses. */
import { sql } from 'kysely'
import type { Context } from '../../context.ts'

export type StoredFile = { readonly key: string; readonly size: number }

/** Locks the account's storage until the transaction ends, so that no other transaction counts its files. */
export async function lockStorage(ctx: Context, userId: string): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${`storage/${userId}`}, 0))`.execute(
    ctx.db,
  )
}

/** Returns the bytes that the account uses, except for files that will be overwritten. */
export async function sumStored(
  ctx: Context,
  userId: string,
  exceptKeys: readonly string[] = [],
): Promise<number> {
  const { rows } = await sql<{ bytes: number }>`
    select coalesce(sum(size), 0)::bigint as bytes from stored_files
    where user_id = ${userId} and not (key = any(${[...exceptKeys]}::text[]))`.execute(ctx.db)
  return rows[0]?.bytes ?? 0
}

export async function putStored(
  ctx: Context,
  userId: string,
  files: readonly StoredFile[],
): Promise<void> {
  // In a fixed order, so that two transactions with the same rows cannot deadlock.
  await sql`
    insert into stored_files (key, user_id, size)
    select key, ${userId}, size
    from unnest(${files.map(({ key }) => key)}::text[], ${files.map(({ size }) => size)}::bigint[])
      as file (key, size)
    order by key
    on conflict (key) do update set size = excluded.size`.execute(ctx.db)
}

export async function deleteStored(ctx: Context, keys: readonly string[]): Promise<void> {
  await sql`delete from stored_files where key = any(${[...keys]}::text[])`.execute(ctx.db)
}

export type StorageUse = {
  readonly usedBytes: number
  readonly files: number
  readonly trashBytes: number
}

export async function findStorageUse(ctx: Context, userId: string): Promise<StorageUse> {
  const { rows } = await sql<StorageUse>`
    select coalesce(sum(f.size), 0)::bigint as "usedBytes",
      count(*) filter (where t.key is null) as files,
      coalesce(sum(f.size) filter (where t.key is not null), 0)::bigint as "trashBytes"
    from stored_files f
    left join trashed_files t on t.bucket = 'user-media' and t.key = f.key
    where f.user_id = ${userId}`.execute(ctx.db)
  const [use] = rows
  if (!use) throw new Error('counting gives one row')
  return use
}

export async function findUnmeasured(ctx: Context, limit: number): Promise<string[]> {
  const { rows } = await sql<{ key: string }>`
    select key from stored_files where size is null order by key limit ${limit}`.execute(ctx.db)
  return rows.map(({ key }) => key)
}

export async function setMeasured(ctx: Context, { key, size }: StoredFile): Promise<void> {
  await sql`
    update stored_files set size = ${size} where key = ${key} and size is null`.execute(ctx.db)
}
