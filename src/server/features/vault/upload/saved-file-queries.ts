/** The SQL of files that the picture tools save in the vault. */
import { sql } from 'kysely'
import type { Context } from '../../../context.ts'
import type { RecordSource } from '../media-files.ts'

export type NewSavedFile = {
  readonly userId: string
  readonly source: RecordSource
  readonly name: string
  readonly fileName: string
  readonly file: { readonly key: string }
  readonly fileSize: number
  readonly mimeType: string
  readonly width: number
  readonly height: number
  readonly durationMs?: number | null
  readonly metadata: Record<string, unknown>
}

export type SavedComposition = {
  readonly layout: 'side-by-side' | 'top-bottom'
  readonly seam: number
}

export async function insertSavedFile(ctx: Context, kept: NewSavedFile): Promise<number> {
  const { id } = await ctx.db
    .insertInto('vault_media')
    .values({
      user_id: kept.userId,
      name: kept.name,
      original_name: kept.name,
      file_name: kept.fileName,
      file_path: kept.file.key,
      file_size: kept.fileSize,
      mime_type: kept.mimeType,
      source: kept.source,
      width: kept.width,
      height: kept.height,
      duration_ms: kept.durationMs ?? null,
      metadata: JSON.stringify(kept.metadata),
      created_at: ctx.now(),
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  return id
}

export async function findComposition(
  ctx: Context,
  userId: string,
  filePath: string,
): Promise<SavedComposition | null> {
  const { rows } = await sql<SavedComposition>`
    select metadata ->> 'layout' as layout, (metadata ->> 'seam')::int as seam
    from live_media
    where file_path = ${filePath} and user_id = ${userId} and metadata ->> 'tool' = 'composition'`.execute(
    ctx.db,
  )
  return rows[0] ?? null
}
