/** The SQL of published single media. */
import type { Context } from '../../context.ts'
import type { MediaType } from '../vault/vault.ts'

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

/** Returns the tags and the rating of a published file. */
export function findPublished(
  ctx: Context,
  mediaId: number,
): Promise<{ tags: string[]; nsfw: boolean } | undefined> {
  return ctx.db
    .selectFrom('community_media')
    .select(['tags', 'nsfw'])
    .where('media_id', '=', mediaId)
    .executeTakeFirst()
}

/** Changes the tags and the rating. The published file stays. */
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

/** Returns the keys of its files. */
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
