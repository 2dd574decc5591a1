/** SQL queries of completed generations. */
import type { Context } from '../../context.ts'

/** Returns the user's own generation with its result. */
export async function findCompleted(ctx: Context, userId: string, id: number) {
  const found = await selectCompleted(ctx, userId, id).executeTakeFirst()
  return found && withResult(found)
}

/** Returns the generation and locks it until the transaction ends. */
export async function lockCompleted(ctx: Context, userId: string, id: number) {
  const found = await selectCompleted(ctx, userId, id).forUpdate().executeTakeFirst()
  return found && withResult(found)
}

/** Returns the user's newest generations with any status. */
export function listGenerations(ctx: Context, userId: string, limit: number) {
  return ctx.db
    .selectFrom('enhancement_generations')
    .select(['id', 'status', 'quality', 'result_path as path', 'media_id as mediaId'])
    .select(['result_width as width', 'result_height as height'])
    .select(['processing_time_ms as processingTimeMs'])
    .select(['refunded_at as refundedAt', 'created_at as createdAt'])
    .where('user_id', '=', userId)
    .orderBy('id', 'desc')
    .limit(limit)
    .execute()
}

export async function setSaved(ctx: Context, id: number, mediaId: number): Promise<void> {
  await ctx.db
    .updateTable('enhancement_generations')
    .set({ media_id: mediaId, updated_at: ctx.now() })
    .where('id', '=', id)
    .execute()
}

function selectCompleted(ctx: Context, userId: string, id: number) {
  return ctx.db
    .selectFrom('enhancement_generations')
    .select(['id', 'quality', 'result_path as path', 'media_id as mediaId'])
    .select(['result_width as width', 'result_height as height'])
    .where('id', '=', id)
    .where('user_id', '=', userId)
    .where('status', '=', 'completed')
}

/** Removes the nulls: a completed generation always has these values, but the columns are nullable. */
function withResult<
  Row extends { path: string | null; width: number | null; height: number | null },
>(row: Row) {
  return { ...row, path: row.path ?? '', width: row.width ?? 0, height: row.height ?? 0 }
}
