/** The SQL of links to single media. */
import { sql } from 'kysely'
import type { Context } from '../../context.ts'
import { endedLinksShownSince } from './queries.ts'

/** Returns the code of the link, and makes it if there is none. */
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

/** Ends the link. Its code is remembered to tell later visitors that the link was stopped. */
export async function stopShareCode(ctx: Context, mediaId: number): Promise<void> {
  await sql`
    with ended as (delete from media_shares where media_id = ${mediaId} returning code, media_id)
    insert into stopped_media_shares (code, media_id, stopped_at)
    select code, media_id, ${ctx.now()}::timestamptz from ended`.execute(ctx.db)
}

/** Returns the file of a stopped code. */
export function findStoppedMedia(ctx: Context, code: string) {
  return ctx.db
    .selectFrom('stopped_media_shares as s')
    .innerJoin('live_media as m', 'm.id', 's.media_id')
    .select(['m.file_path as filePath'])
    .where('s.code', '=', code)
    .where('s.stopped_at', '>', endedLinksShownSince(ctx))
    .executeTakeFirst()
}

export async function deleteForgottenCodes(ctx: Context): Promise<void> {
  await ctx.db
    .deleteFrom('stopped_media_shares')
    .where('stopped_at', '<=', endedLinksShownSince(ctx))
    .execute()
}

/** Returns the item behind a link, and whether it was ever published as adult. */
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
