/** The SQL of links to single media and of what is published of them. */
import { sql } from 'kysely'
import type { Context } from '../../context.ts'
import type { MediaType } from '../vault/media-files.ts'

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

/** Holds the caller's own item until the transaction ends. */
export async function lockOwnMedia(ctx: Context, userId: string, id: number): Promise<boolean> {
  const row = await ctx.db
    .selectFrom('vault_media')
    .select('id')
    .where('id', '=', id)
    .where('user_id', '=', userId)
    .forUpdate()
    .executeTakeFirst()
  return row !== undefined
}

/** How many of the items are still the caller's; those cannot be deleted until the transaction ends. */
export async function countHeldMedia(
  ctx: Context,
  userId: string,
  ids: readonly number[],
): Promise<number> {
  const { rows } = await sql`
    select id from vault_media where id = any(${[...ids]}::int[]) and user_id = ${userId}
    order by id for key share`.execute(ctx.db)
  return rows.length
}

/** Without `nsfw`: what was published as adult stays so when it is withdrawn. */
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

export type CommunityRecord = { readonly id: number; readonly fileKey: string }

const recordColumns = ['id', 'file_key as fileKey'] as const

export function findCommunityRecord(
  ctx: Context,
  mediaId: number,
): Promise<CommunityRecord | undefined> {
  return ctx.db
    .selectFrom('community_media')
    .select(recordColumns)
    .where('media_id', '=', mediaId)
    .executeTakeFirst()
}

/** What was published stays; only what is said of it changes. */
export function updateCommunityRecord(
  ctx: Context,
  mediaId: number,
  { tags, nsfw }: { readonly tags: readonly string[]; readonly nsfw: boolean },
): Promise<CommunityRecord | undefined> {
  return ctx.db
    .updateTable('community_media')
    .set({ tags: [...tags], nsfw })
    .where('media_id', '=', mediaId)
    .returning(recordColumns)
    .executeTakeFirst()
}

export function insertCommunityRecord(
  ctx: Context,
  record: {
    readonly mediaId: number
    readonly ownerId: string
    readonly fileKey: string
    readonly thumbnailKey: string | null
    readonly type: MediaType
    readonly width: number
    readonly height: number
    readonly tags: readonly string[]
    readonly nsfw: boolean
  },
): Promise<CommunityRecord> {
  return ctx.db
    .insertInto('community_media')
    .values({
      media_id: record.mediaId,
      owner_id: record.ownerId,
      file_key: record.fileKey,
      thumbnail_key: record.thumbnailKey,
      type: record.type,
      width: record.width,
      height: record.height,
      tags: [...record.tags],
      nsfw: record.nsfw,
      published_at: ctx.now(),
    })
    .returning(recordColumns)
    .executeTakeFirstOrThrow()
}

/** The keys of the files that it named. */
export async function deleteCommunityRecord(ctx: Context, mediaId: number): Promise<string[]> {
  const gone = await ctx.db
    .deleteFrom('community_media')
    .where('media_id', '=', mediaId)
    .returning(['file_key', 'thumbnail_key'])
    .execute()
  return gone.flatMap(({ file_key, thumbnail_key }) =>
    [file_key, thumbnail_key].filter((key) => key !== null),
  )
}

/** The item behind a link, and whether it was ever published as adult. */
export function findSharedMedia(ctx: Context, code: string) {
  return ctx.db
    .selectFrom('media_shares as s')
    .innerJoin('vault_media as m', 'm.id', 's.media_id')
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
      'm.created_at as createdAt',
      'm.nsfw',
      's.grant_id as grantId',
    ])
    .where('s.code', '=', code)
    .executeTakeFirst()
}
