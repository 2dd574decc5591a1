/** The SQL of the trash: listing, restoring and ending items. */
import { sql } from 'kysely'
import type { Context } from '../../context.ts'
import { isoTime, runStatement } from '../../database/statement.ts'
import type { FileAddress } from '../../platform/storage/storage.ts'
import type { MediaRecord } from '../vault/vault.ts'
import { fileIsQuarantined, sessionIsQuarantined } from '../visibility/visibility.ts'

export type TrashKind = 'media' | 'session'
export type TrashItem = { readonly kind: TrashKind; readonly id: number }

/** The table of each kind, its name column, and the SQL that tells whether it is quarantined. */
const kinds = {
  media: {
    table: 'vault_media',
    name: 't.name',
    isQuarantined: fileIsQuarantined('user-media', 't.file_path'),
  },
  session: {
    table: 'sessions',
    name: 't.title',
    isQuarantined: sessionIsQuarantined('t.id'),
  },
} as const

const kindNames = ['media', 'session'] as const

export type ListedItem = TrashItem & { readonly name: string; readonly trashedAt: string }
/** A position in the list. The items after it were deleted earlier. */
export type TrashPosition = TrashItem & { readonly trashedAt: string }

const listStatement = `
  select * from (${kindNames
    .map(
      (kind) => `(
        select '${kind}' as kind, t.id, ${kinds[kind].name} as name,
          ${isoTime('t.trashed_at', 'US')} as "trashedAt"
        from ${kinds[kind].table} t
        where t.user_id = $1 and t.trashed_at is not null and not ${kinds[kind].isQuarantined}
          and ($3::timestamptz is null or (t.trashed_at, '${kind}', t.id) < ($3, $4::text, $5::int))
        order by t.trashed_at desc, t.id desc limit $2::int)`,
    )
    .join(' union all ')}) listed
  order by "trashedAt" desc, kind desc, id desc limit $2::int`

/** Lists items, latest first. The times are text of equal length, so they sort as text. */
export function listItems(
  ctx: Context,
  userId: string,
  limit: number,
  after: TrashPosition | null,
): Promise<ListedItem[]> {
  const parameters = [userId, limit, after?.trashedAt, after?.kind, after?.id]
  return runStatement<ListedItem>(
    ctx,
    listStatement,
    parameters.map((value) => value ?? null),
  )
}

/** Returns the files of these files' renditions. */
export async function findSizes(ctx: Context, keys: readonly string[]): Promise<FileAddress[]> {
  const { rows } = await sql<FileAddress>`
    select bucket, key from rendition_files
    where of_bucket = 'user-media' and of_key = any(${[...keys]}::text[])`.execute(ctx.db)
  return rows
}

export async function insertTrashedFiles(
  ctx: Context,
  { kind, id }: TrashItem,
  files: readonly FileAddress[],
): Promise<void> {
  const column = kind === 'media' ? 'media_id' : 'session_id'
  await sql`
    insert into trashed_files (bucket, key, ${sql.ref(column)})
    select bucket, key, ${id}::int
    from unnest(${files.map(({ bucket }) => bucket)}::text[], ${files.map(({ key }) => key)}::text[])
      as file (bucket, key)
    on conflict do nothing`.execute(ctx.db)
}

export async function deleteTrashedFiles(ctx: Context, { kind, id }: TrashItem): Promise<void> {
  await ctx.db
    .deleteFrom('trashed_files')
    .where(kind === 'media' ? 'media_id' : 'session_id', '=', id)
    .execute()
}

/** Clears the upload key, so that the same file can be uploaded again. */
export async function setMediaTrashed(ctx: Context, id: number): Promise<void> {
  await sql`
    update vault_media set trashed_at = ${ctx.now()}, share_to_community = false,
      upload_key = null
    where id = ${id}`.execute(ctx.db)
}

/** Keeps `updated_at`, so that a restored session is unchanged. */
export async function setSessionTrashed(
  ctx: Context,
  id: number,
  updatedAt: string,
): Promise<void> {
  await sql`
    update sessions set trashed_at = ${ctx.now()}, share_to_community = false,
      updated_at = ${updatedAt}::timestamptz
    where id = ${id}`.execute(ctx.db)
}

export type TrashedMedia = {
  readonly filePath: string
  readonly perceptualHashes: readonly string[]
}

/** Locks an item in the user's own trash. */
export async function lockTrashedMedia(
  ctx: Context,
  userId: string,
  id: number,
): Promise<TrashedMedia | undefined> {
  const { rows } = await sql<TrashedMedia>`
    select file_path as "filePath", perceptual_hashes as "perceptualHashes" from vault_media
    where id = ${id} and user_id = ${userId} and trashed_at is not null for update`.execute(ctx.db)
  return rows[0]
}

export async function lockTrashedSession(
  ctx: Context,
  userId: string,
  id: number,
): Promise<boolean> {
  const { rows } = await sql`
    select id from sessions
    where id = ${id} and user_id = ${userId} and trashed_at is not null for update`.execute(ctx.db)
  return rows.length > 0
}

export async function setLive(ctx: Context, { kind, id }: TrashItem): Promise<void> {
  await sql`
    update ${sql.table(kinds[kind].table)} set trashed_at = null where id = ${id}`.execute(ctx.db)
}

/** The items to end: of one user, or all that were deleted before a time. */
export type Ending =
  | { readonly userId: string; readonly ids: readonly number[] | null }
  | { readonly before: Date }

/** Returns the first items that can be ended now. Quarantined items stay until the decision. */
export async function findEnding(
  ctx: Context,
  kind: TrashKind,
  ending: Ending,
  limit: number,
): Promise<number[]> {
  const { table, isQuarantined } = kinds[kind]
  const which =
    'before' in ending
      ? sql`t.trashed_at <= ${ending.before}`
      : ending.ids === null
        ? sql`t.user_id = ${ending.userId} and t.trashed_at is not null`
        : sql`t.user_id = ${ending.userId} and t.trashed_at is not null
            and t.id = any(${[...ending.ids]}::int[])`
  const { rows } = await sql<{ id: number }>`
    select t.id from ${sql.table(table)} t
    where ${which} and not ${sql.raw(isQuarantined)}
    order by t.trashed_at limit ${limit}`.execute(ctx.db)
  return rows.map(({ id }) => id)
}

/** Returns the items that are still in the trash, locked until the transaction ends. */
export async function lockEnding(
  ctx: Context,
  kind: TrashKind,
  ids: readonly number[],
): Promise<number[]> {
  const { table, isQuarantined } = kinds[kind]
  const { rows } = await sql<{ id: number }>`
    select t.id from ${sql.table(table)} t
    where t.id = any(${[...ids]}::int[]) and t.trashed_at is not null
      and not ${sql.raw(isQuarantined)}
    order by t.id for update`.execute(ctx.db)
  return rows.map(({ id }) => id)
}

export async function findEndedRecords(
  ctx: Context,
  ids: readonly number[],
): Promise<MediaRecord[]> {
  const { rows } = await sql<MediaRecord>`
    select id, user_id as "userId", file_name as "fileName", file_path as "filePath",
      display_path as "displayPath", thumbnail_widths as "thumbnailWidths"
    from vault_media where id = any(${[...ids]}::int[])`.execute(ctx.db)
  return rows
}

/** Returns the keys of the sessions' own files. */
export async function findOwnKeys(ctx: Context, ids: readonly number[]): Promise<string[]> {
  const { rows } = await sql<{ key: string }>`
    select key from (
      select unnest(array[own_file_key, own_thumbnail_key]) as key from session_media
      where session_id = any(${[...ids]}::int[])
      union all
      select own_thumbnail_key from sessions where id = any(${[...ids]}::int[])
    ) own
    where key is not null`.execute(ctx.db)
  return rows.map(({ key }) => key)
}

export async function deleteEnded(
  ctx: Context,
  kind: TrashKind,
  ids: readonly number[],
): Promise<void> {
  await sql`
    delete from ${sql.table(kinds[kind].table)} where id = any(${[...ids]}::int[])`.execute(ctx.db)
}
