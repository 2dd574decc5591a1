/** The SQL that compares the records with the files in the storage. */
import { sql } from 'kysely'
import type { Context } from '../../../context.ts'
import { runStatement } from '../../../database/statement.ts'
import type { RecordSource } from '../media-files.ts'

export type FolderSeen = {
  readonly folder: string
  readonly fingerprint: string | null
  readonly listedAt: Date
}

export type FoundFile = {
  readonly fileName: string
  readonly filePath: string
  readonly fileSize: number
  readonly mimeType: string
  readonly createdAt: Date
}

export function findFolders(ctx: Context, userId: string): Promise<FolderSeen[]> {
  return runStatement<FolderSeen>(
    ctx,
    `select folder, fingerprint, listed_at as "listedAt" from vault_folders where user_id = $1`,
    [userId],
  )
}

/** Stores the folder's fingerprint from before the listing, and the time of the listing. */
export async function storeFolder(ctx: Context, userId: string, seen: FolderSeen): Promise<void> {
  const { folder, fingerprint, listedAt } = seen
  await ctx.db
    .insertInto('vault_folders')
    .values({ user_id: userId, folder, fingerprint, listed_at: listedAt })
    .onConflict((row) =>
      row.columns(['user_id', 'folder']).doUpdateSet({ fingerprint, listed_at: listedAt }),
    )
    .execute()
}

/** Returns the paths that have no record and that no process is writing or removing. */
export async function findUnknown(ctx: Context, paths: readonly string[]): Promise<Set<string>> {
  const rows = await runStatement<{ path: string }>(
    ctx,
    `select path from unnest($1::text[]) path
    where not exists (select from vault_media m where m.file_path = path)
      and not exists (select from unclaimed_files u where u.bucket = 'user-media' and u.key = path)`,
    [paths],
  )
  return new Set(rows.map(({ path }) => path))
}

/**
 * Inserts the missing records in path order, so that two concurrent inserts wait for each other but
 * never deadlock.
 */
export async function insertFound(
  ctx: Context,
  userId: string,
  { source, metadata }: { source: RecordSource; metadata: Record<string, unknown> },
  files: readonly FoundFile[],
): Promise<{ id: number; filePath: string }[]> {
  const rows = files.map((file) => ({
    file_name: file.fileName,
    file_path: file.filePath,
    file_size: file.fileSize,
    mime_type: file.mimeType,
    created_at: file.createdAt,
  }))
  const made = await sql<{ id: number; filePath: string }>`
    insert into vault_media (user_id, name, original_name, file_name, file_path, file_size,
      mime_type, source, metadata, created_at)
    select ${userId}, f.file_name, f.file_name, f.file_name, f.file_path, f.file_size,
      f.mime_type, ${source}, ${JSON.stringify(metadata)}::jsonb, f.created_at
    from jsonb_populate_recordset(null::vault_media, ${JSON.stringify(rows)}::jsonb) f
    where not exists (select from vault_media m where m.file_path = f.file_path)
      and not exists (
        select from unclaimed_files u where u.bucket = 'user-media' and u.key = f.file_path)
    order by f.file_path
    on conflict (file_path) do nothing
    returning id, file_path as "filePath"`.execute(ctx.db)
  return made.rows
}

export async function deleteRecords(ctx: Context, ids: readonly number[]): Promise<void> {
  await sql`delete from vault_media where id = any(${[...ids]}::int[])`.execute(ctx.db)
}
