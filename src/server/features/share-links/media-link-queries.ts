/** The SQL of links to single media. */
import { sql } from 'kysely'
import type { Context } from '../../context.ts'

/** The code of the link, made where there is none. */
export async function ensureShareCode(ctx: Context, mediaId: number): Promise<string> {
  await ctx.db
    .insertInto('media_shares')
    .values({ code: ctx.newId(), media_id: mediaId, created_at: ctx.now() })
    .onConflict((row) => row.column('media_id').doNothing())
    .execute()
  const { code } = await ctx.db
    .selectFrom('media_shares')
    .select('code')
    .where('media_id', '=', mediaId)
    .executeTakeFirstOrThrow()
  return code
}

export async function deleteShareCode(ctx: Context, mediaId: number): Promise<void> {
  await ctx.db.deleteFrom('media_shares').where('media_id', '=', mediaId).execute()
}

/** The item behind a link, and whether it was ever published as adult. */
export function findSharedMedia(ctx: Context, code: string) {
  return ctx.db
    .selectFrom('media_shares as s')
    .innerJoin('live_media as m', 'm.id', 's.media_id')
    .select([
      'm.id',
      'm.user_id as userId',
      'm.name',
      'm.file_name as fileName',
      'm.file_path as filePath',
      'm.mime_type as mimeType',
      'm.width',
      'm.height',
      'm.display_path as displayPath',
      sql<string | null>`m.metadata ->> 'enrichmentError'`.as('enrichmentError'),
      'm.created_at as createdAt',
      'm.nsfw',
      's.grant_id as grantId',
    ])
    .where('s.code', '=', code)
    .executeTakeFirst()
}
