/** The SQL of single files in the vault. */
import { sql } from 'kysely'
import type { Context } from '../../context.ts'
import type { RecordSource } from './media-files.ts'

/** The data of a file that deleting and sharing need. */
export type MediaRecord = {
  readonly id: number
  readonly userId: string
  readonly fileName: string
  readonly filePath: string
  readonly displayPath: string | null
  readonly thumbnailWidths: readonly number[]
}

const recordColumns = [
  'id',
  'user_id as userId',
  'file_name as fileName',
  'file_path as filePath',
  'display_path as displayPath',
  'thumbnail_widths as thumbnailWidths',
] as const

export type NewUpload = {
  readonly userId: string
  readonly name: string
  readonly originalName: string
  readonly fileName: string
  readonly filePath: string
  readonly fileSize: number
  readonly mimeType: string
  readonly source: RecordSource
  readonly caption?: string | null
  readonly subfeed?: string | null
  /** In hexadecimal. */
  readonly contentSha256?: string
  readonly uploadKey?: string | undefined
}

export async function insertUpload(ctx: Context, upload: NewUpload): Promise<number> {
  const id = await insertUploadOnce(ctx, upload)
  if (id === undefined) throw new Error('A file without a key cannot have come before')
  return id
}

/**
 * Returns undefined if this upload key already has a record. Waits for a concurrent upload with the
 * same key.
 */
export async function insertUploadOnce(
  ctx: Context,
  upload: NewUpload,
): Promise<number | undefined> {
  const made = await ctx.db
    .insertInto('vault_media')
    .values({
      user_id: upload.userId,
      name: upload.name,
      original_name: upload.originalName,
      file_name: upload.fileName,
      file_path: upload.filePath,
      file_size: upload.fileSize,
      mime_type: upload.mimeType,
      source: upload.source,
      caption: upload.caption ?? null,
      subfeed: upload.subfeed ?? null,
      content_sha256:
        upload.contentSha256 === undefined ? null : Buffer.from(upload.contentSha256, 'hex'),
      upload_key: upload.uploadKey ?? null,
      created_at: ctx.now(),
    })
    .onConflict((row) =>
      row.columns(['user_id', 'upload_key']).where('upload_key', 'is not', null).doNothing(),
    )
    .returning('id')
    .executeTakeFirst()
  return made?.id
}

/** Returns the record of an earlier upload with this key. */
export function findUploaded(
  ctx: Context,
  userId: string,
  uploadKey: string,
): Promise<MediaRecord | undefined> {
  return ctx.db
    .selectFrom('live_media')
    .select(recordColumns)
    .where('user_id', '=', userId)
    .where('upload_key', '=', uploadKey)
    .executeTakeFirst()
}

/** Finds files by content hash. Of several with the same content, returns the oldest. */
export async function findContents(
  ctx: Context,
  userId: string,
  hashes: readonly string[],
): Promise<{ hash: string; mediaId: number; name: string }[]> {
  const { rows } = await sql<{ hash: string; mediaId: number; name: string }>`
    select distinct on (content_sha256) encode(content_sha256, 'hex') as hash, id as "mediaId", name
    from live_media
    where user_id = ${userId}
      and content_sha256 in (select decode(hash, 'hex') from unnest(${[...hashes]}::text[]) hash)
    order by content_sha256, id`.execute(ctx.db)
  return rows
}

export async function findOwnById(
  ctx: Context,
  userId: string,
  id: number,
): Promise<MediaRecord | undefined> {
  return ctx.db
    .selectFrom('live_media')
    .select(recordColumns)
    .where('id', '=', id)
    .where('user_id', '=', userId)
    .executeTakeFirst()
}

export async function findByPath(ctx: Context, filePath: string): Promise<MediaRecord | undefined> {
  return ctx.db
    .selectFrom('live_media')
    .select(recordColumns)
    .where('file_path', '=', filePath)
    .executeTakeFirst()
}

/** True if a record uses this path, even one in the trash. */
export async function isPathTaken(ctx: Context, filePath: string): Promise<boolean> {
  const row = await ctx.db
    .selectFrom('vault_media')
    .select('id')
    .where('file_path', '=', filePath)
    .executeTakeFirst()
  return row !== undefined
}

/** Returns the ids of the user's own files among the paths. */
export async function findOwnIdsByPath(
  ctx: Context,
  userId: string,
  filePaths: readonly string[],
): Promise<ReadonlyMap<string, number>> {
  if (filePaths.length === 0) return new Map()
  const rows = await ctx.db
    .selectFrom('live_media')
    .select(['id', 'file_path as filePath'])
    .where('file_path', '=', sql<string>`any(${[...filePaths]}::text[])`)
    .where('user_id', '=', userId)
    .execute()
  return new Map(rows.map(({ id, filePath }) => [filePath, id]))
}

/** Returns the data that only the page of a single file shows. */
export function findOwnDetails(
  ctx: Context,
  userId: string,
  id: number,
): Promise<{ filePath: string; caption: string | null; nsfw: boolean } | undefined> {
  return ctx.db
    .selectFrom('live_media')
    .select(['file_path as filePath', 'caption', 'nsfw'])
    .where('id', '=', id)
    .where('user_id', '=', userId)
    .executeTakeFirst()
}

/** Locks the record until the transaction ends, so that no new slide can show it meanwhile. */
export async function lockRecord(ctx: Context, id: number): Promise<MediaRecord | undefined> {
  return ctx.db
    .selectFrom('live_media')
    .select(recordColumns)
    .where('id', '=', id)
    .forUpdate()
    .executeTakeFirst()
}

export async function deleteRecord(ctx: Context, id: number): Promise<void> {
  await ctx.db.deleteFrom('vault_media').where('id', '=', id).execute()
}

/** Locks the caller's own item until the transaction ends. */
export async function lockOwnMedia(ctx: Context, userId: string, id: number): Promise<boolean> {
  const row = await ctx.db
    .selectFrom('live_media')
    .select('id')
    .where('id', '=', id)
    .where('user_id', '=', userId)
    .forUpdate()
    .executeTakeFirst()
  return row !== undefined
}

/** Returns the items that the caller still has. They cannot be deleted until the transaction ends. */
export async function lockMedia(
  ctx: Context,
  userId: string,
  ids: readonly number[],
): Promise<number[]> {
  const { rows } = await sql<{ id: number }>`
    select id from live_media where id = any(${[...ids]}::int[]) and user_id = ${userId}
    order by id for key share`.execute(ctx.db)
  return rows.map(({ id }) => id)
}

/** Returns false if the caller has no such file. */
export async function updateMarks(
  ctx: Context,
  { userId, id }: { readonly userId: string; readonly id: number },
  { tags, isFavorite }: { tags?: string[] | undefined; isFavorite?: boolean | undefined },
): Promise<boolean> {
  const { numUpdatedRows } = await ctx.db
    .updateTable('vault_media')
    .set({
      ...(tags === undefined ? {} : { tags }),
      ...(isFavorite === undefined ? {} : { is_favorite: isFavorite }),
    })
    .where('id', '=', id)
    .where('user_id', '=', userId)
    .where('trashed_at', 'is', null)
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

/** Updates the mark. Leave out `nsfw` to keep the rating: an adult file stays adult when it is withdrawn. */
export async function setShareToCommunity(
  ctx: Context,
  id: number,
  shareToCommunity: boolean,
  nsfw?: boolean,
): Promise<void> {
  await ctx.db
    .updateTable('vault_media')
    .set({ share_to_community: shareToCommunity, ...(nsfw === undefined ? {} : { nsfw }) })
    .where('id', '=', id)
    .execute()
}
