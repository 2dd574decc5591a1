/** Inserts community items as rows, for tests that need many of them but no files. */
import type { Insertable } from 'kysely'
import type { Context } from '../../src/server/context.ts'
import type { Tables } from '../../src/server/database/tables.ts'

/** Inserts a published session without slides. Returns its id as a path needs it. */
export async function insertCommunitySession(
  ctx: Context,
  ownerId: string,
  change: Partial<Insertable<Tables['community_sessions']>> = {},
): Promise<string> {
  const { id: category } = await ctx.db
    .selectFrom('categories')
    .select('id')
    .where('is_default', '=', true)
    .executeTakeFirstOrThrow()
  const { id } = await ctx.db
    .insertInto('community_sessions')
    .values({
      owner_id: ownerId,
      status: 'published',
      title: 'A session',
      nsfw: false,
      transition: 'fade',
      interval_min: 3,
      interval_max: 10,
      is_manual_mode: false,
      category_id: category,
      category_source: 'default',
      published_at: ctx.now(),
      ...change,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  return String(id)
}

let fileNumber = 0

export async function insertCommunityMedia(
  ctx: Context,
  ownerId: string,
  change: Partial<Insertable<Tables['community_media']>> = {},
): Promise<string> {
  const { id } = await ctx.db
    .insertInto('community_media')
    .values({
      owner_id: ownerId,
      file_key: `community/test/${(fileNumber += 1)}.jpg`,
      type: 'image',
      width: 1200,
      height: 800,
      nsfw: false,
      published_at: ctx.now(),
      ...change,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  return String(id)
}
