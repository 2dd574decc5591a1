/** The SQL of unclaimed files and of file origins. */
import { sql } from 'kysely'
import type { Context } from '../../context.ts'
import { runStatement } from '../../database/statement.ts'
import type { Bucket, FileAddress } from '../../platform/storage/storage.ts'
import { addressIsQuarantined } from '../visibility/visibility.ts'

export async function insertUnclaimed(
  ctx: Context,
  files: readonly FileAddress[],
  removeAfter: Date,
): Promise<void> {
  if (files.length === 0) return
  // In a fixed order, so that two transactions with the same rows cannot deadlock.
  await sql`
    insert into unclaimed_files (bucket, key, remove_after)
    select bucket, key, ${removeAfter}
    from unnest(${files.map(({ bucket }) => bucket)}::text[], ${files.map(({ key }) => key)}::text[])
      as file (bucket, key)
    group by bucket, key order by bucket, key
    on conflict (bucket, key) do update set remove_after = excluded.remove_after`.execute(ctx.db)
}

/**
 * Deletes the renditions of the files. A trigger abandons the renditions' own files, which are
 * returned. Runs in the transaction that abandons the files.
 */
export async function deleteRenditions(
  ctx: Context,
  files: readonly FileAddress[],
): Promise<FileAddress[]> {
  if (files.length === 0) return []
  const { rows } = await sql<FileAddress>`
    with gone as (
      delete from media_renditions
      where (bucket, key) in (
        select * from unnest(${files.map(({ bucket }) => bucket)}::text[], ${files.map(({ key }) => key)}::text[]))
      returning bucket, key
    )
    select made.bucket, made.key from gone
    join rendition_files made on made.of_bucket = gone.bucket and made.of_key = gone.key
    where not made.is_borrowed`.execute(ctx.db)
  return rows
}

/** Returns false if the address is already in the file ledger. */
export async function insertUnclaimedOnce(
  ctx: Context,
  { bucket, key }: FileAddress,
  removeAfter: Date,
): Promise<boolean> {
  const row = await ctx.db
    .insertInto('unclaimed_files')
    .values({ bucket, key, remove_after: removeAfter })
    .onConflict((row) => row.doNothing())
    .returning('key')
    .executeTakeFirst()
  return row !== undefined
}

/**
 * Makes all but the newest `max` waiting files of a folder due for removal. Files that are still being
 * written have an earlier time, so they are not affected.
 */
export async function endOldestWaiting(
  ctx: Context,
  { bucket, folder, waitingAfter, max }: WaitingFolder,
): Promise<FileAddress[]> {
  const { rows } = await sql<FileAddress>`
    update unclaimed_files set remove_after = ${ctx.now()}
    where (bucket, key) in (
      select bucket, key from unclaimed_files
      where bucket = ${bucket} and key >= ${folder} and starts_with(key, ${folder})
        and key < ${folder} || chr(127) and remove_after > ${waitingAfter}
      order by remove_after desc, key desc offset ${max})
    returning bucket, key`.execute(ctx.db)
  return rows
}

type WaitingFolder = {
  readonly bucket: FileAddress['bucket']
  readonly folder: string
  readonly waitingAfter: Date
  readonly max: number
}

export async function deleteUnclaimed(
  ctx: Context,
  files: readonly FileAddress[],
): Promise<number> {
  if (files.length === 0) return 0
  const { rows } = await sql`
    delete from unclaimed_files
    where removing_until is null and (bucket, key) in (
      select * from unnest(${files.map(({ bucket }) => bucket)}::text[], ${files.map(({ key }) => key)}::text[]))
    returning key`.execute(ctx.db)
  return rows.length
}

/** Returns false if another process removes the file, or its row no longer exists. */
export async function beginRemoval(
  ctx: Context,
  { bucket, key }: FileAddress,
  until: Date,
): Promise<boolean> {
  const row = await ctx.db
    .updateTable('unclaimed_files')
    .set({ removing_until: until })
    .where('bucket', '=', bucket)
    .where('key', '=', key)
    .where(isNobodysToRemove(ctx.now()))
    .returning('key')
    .executeTakeFirst()
  return row !== undefined
}

/**
 * Lets others try the removal at once. The file still cannot be claimed, because it may already be
 * removed.
 */
export async function endRemoval(ctx: Context, file: FileAddress, until: Date): Promise<void> {
  await whereRemoving(ctx, file, until).set({ removing_until: ctx.now() }).execute()
}

/** Deletes the ledger row after the file was removed. */
export async function deleteRemoved(ctx: Context, file: FileAddress): Promise<void> {
  await ctx.db
    .deleteFrom('unclaimed_files')
    .where('bucket', '=', file.bucket)
    .where('key', '=', file.key)
    .where('removing_until', 'is not', null)
    .execute()
}

function whereRemoving(ctx: Context, { bucket, key }: FileAddress, until: Date) {
  return ctx.db
    .updateTable('unclaimed_files')
    .where('bucket', '=', bucket)
    .where('key', '=', key)
    .where('removing_until', '=', until)
}

/**
 * Excludes files that another process is removing, and quarantined files: evidence is kept for as long
 * as the quarantine lasts, even if its owner deleted it.
 */
function isNobodysToRemove(now: Date) {
  return sql<boolean>`(removing_until is null or removing_until <= ${now})
    and not ${sql.raw(addressIsQuarantined('unclaimed_files.bucket', 'unclaimed_files.key'))}`
}

/**
 * Locks the rows in a transaction that will abandon these files, so that no other process claims or
 * removes them. Fails immediately if they are locked (`isContended`) instead of waiting.
 */
export async function lockUnclaimed(ctx: Context, files: readonly FileAddress[]): Promise<void> {
  if (files.length === 0) return
  await sql`
    select from unclaimed_files
    where (bucket, key) in (
      select * from unnest(${files.map(({ bucket }) => bucket)}::text[], ${files.map(({ key }) => key)}::text[]))
    for update nowait`.execute(ctx.db)
}

/**
 * SQL: true when the file is in the trash, or deleted but not removed yet. `key` is a column with its
 * table.
 */
export const fileIsForgotten = (bucket: Bucket, key: `${string}.${string}`, now: string) =>
  `(exists (select from unclaimed_files forgotten where forgotten.bucket = '${bucket}'
    and forgotten.key = ${key} and forgotten.remove_after <= ${now})
  or exists (select from trashed_files trashed where trashed.bucket = '${bucket}'
    and trashed.key = ${key}))`

const forgottenStatement = `
  select from unclaimed_files where bucket = $1 and key = $2 and remove_after <= $3
  union all
  select from trashed_files where bucket = $1 and key = $2`

/** True when the file is in the trash, or deleted but not removed yet. It may still be in the storage. */
export async function isForgotten(ctx: Context, { bucket, key }: FileAddress): Promise<boolean> {
  return (await runStatement(ctx, forgottenStatement, [bucket, key, ctx.now()])).length > 0
}

export function findDueFiles(ctx: Context, now: Date, limit: number): Promise<FileAddress[]> {
  return ctx.db
    .selectFrom('unclaimed_files')
    .select(['bucket', 'key'])
    .where('remove_after', '<=', now)
    .where(isNobodysToRemove(now))
    .orderBy('remove_after')
    .limit(limit)
    .execute()
}

export async function insertOrigins(
  ctx: Context,
  pairs: readonly { readonly made: FileAddress; readonly origin: FileAddress }[],
): Promise<void> {
  if (pairs.length === 0) return
  await sql`
    insert into file_origins (bucket, key, origin_bucket, origin_key)
    select * from unnest(
      ${pairs.map(({ made }) => made.bucket)}::text[], ${pairs.map(({ made }) => made.key)}::text[],
      ${pairs.map(({ origin }) => origin.bucket)}::text[],
      ${pairs.map(({ origin }) => origin.key)}::text[])
    on conflict do nothing`.execute(ctx.db)
}

/** Links the derivatives of the file to the file's own origins instead. */
export async function forgetOrigins(ctx: Context, { bucket, key }: FileAddress): Promise<void> {
  await sql`
    insert into file_origins (bucket, key, origin_bucket, origin_key)
    select made.bucket, made.key, origin.origin_bucket, origin.origin_key
    from file_origins made
    join file_origins origin on origin.bucket = made.origin_bucket and origin.key = made.origin_key
    where made.origin_bucket = ${bucket} and made.origin_key = ${key}
    on conflict do nothing`.execute(ctx.db)
  await sql`
    delete from file_origins
    where (bucket = ${bucket} and key = ${key})
      or (origin_bucket = ${bucket} and origin_key = ${key})`.execute(ctx.db)
}
