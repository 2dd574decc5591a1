/** The SQL of temporary results. */
import type { Context } from '../../context.ts'
import type { FileAddress } from '../../platform/storage/storage.ts'

export type Tool = 'composition' | 'animation' | 'censoring'

export type TemporaryResult = {
  readonly tool: Tool
  readonly width: number
  readonly height: number
  readonly durationMs: number | null
  readonly layout: 'side-by-side' | 'top-bottom' | null
  readonly seam: number | null
}

export type FoundResult = TemporaryResult & {
  /** The vault item that the result was saved as. */
  readonly mediaId: number | null
}

export async function insertResult(
  ctx: Context,
  userId: string,
  { bucket, key }: FileAddress,
  result: TemporaryResult,
): Promise<void> {
  await ctx.db
    .insertInto('temporary_results')
    .values({
      bucket,
      key,
      user_id: userId,
      tool: result.tool,
      width: result.width,
      height: result.height,
      duration_ms: result.durationMs,
      layout: result.layout,
      seam: result.seam,
      created_at: ctx.now(),
    })
    .execute()
}

/** Finds a result of the user. */
export async function findResult(
  ctx: Context,
  userId: string,
  file: FileAddress,
): Promise<FoundResult | undefined> {
  return selectResult(ctx, userId, file).executeTakeFirst()
}

/** Lists the newest results of the user. */
export function listResults(ctx: Context, userId: string, limit: number) {
  return selectFields(ctx)
    .select(['bucket', 'key', 'created_at as createdAt'])
    .where('user_id', '=', userId)
    .orderBy('created_at', 'desc')
    .orderBy('key')
    .limit(limit)
    .execute()
}

export async function deleteResult(ctx: Context, { bucket, key }: FileAddress): Promise<void> {
  await ctx.db
    .deleteFrom('temporary_results')
    .where('bucket', '=', bucket)
    .where('key', '=', key)
    .execute()
}

/** Locks the result until the transaction ends, so that it is saved only once. */
export async function lockResult(
  ctx: Context,
  userId: string,
  file: FileAddress,
): Promise<FoundResult | undefined> {
  return selectResult(ctx, userId, file).forUpdate().executeTakeFirst()
}

export async function markSaved(
  ctx: Context,
  { bucket, key }: FileAddress,
  mediaId: number,
): Promise<void> {
  await ctx.db
    .updateTable('temporary_results')
    .set({ media_id: mediaId })
    .where('bucket', '=', bucket)
    .where('key', '=', key)
    .execute()
}

function selectResult(ctx: Context, userId: string, { bucket, key }: FileAddress) {
  return selectFields(ctx)
    .where('bucket', '=', bucket)
    .where('key', '=', key)
    .where('user_id', '=', userId)
}

function selectFields(ctx: Context) {
  return ctx.db
    .selectFrom('temporary_results')
    .select([
      'tool',
      'width',
      'height',
      'duration_ms as durationMs',
      'layout',
      'seam',
      'media_id as mediaId',
    ])
}
