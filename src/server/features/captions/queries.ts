/** SQL queries of the caption cache. */
import { sql } from 'kysely'
import type { Context } from '../../context.ts'
import type { Lease } from '../../leases/lease.ts'
import { heldCondition } from '../../leases/lease.ts'

/** The lease of the node that writes a caption. */
export const captionLease = {
  table: 'caption_cache',
  holder: 'claim',
  time: { endsAt: 'lease_until' },
  durationMs: 10_000,
  unfinished: sql<boolean>`caption_cache.caption is null`,
} as const

/** Returns the caption, or null if it is not written yet. */
export async function findCaption(ctx: Context, key: Uint8Array): Promise<string | null> {
  const row = await ctx.db
    .selectFrom('caption_cache')
    .select('caption')
    .where('key', '=', key)
    .executeTakeFirst()
  return row?.caption ?? null
}

export async function storeCaption(ctx: Context, lease: Lease, caption: string): Promise<void> {
  await ctx.db
    .updateTable('caption_cache')
    .set({ caption, created_at: ctx.now() })
    .where(heldCondition(lease))
    .execute()
}

export async function deleteCaptionsBefore(ctx: Context, time: Date): Promise<void> {
  await ctx.db.deleteFrom('caption_cache').where('created_at', '<', time).execute()
}

export async function isRefusedPicture(ctx: Context, pictureHash: Uint8Array): Promise<boolean> {
  const row = await ctx.db
    .selectFrom('refused_pictures')
    .select('picture_hash')
    .where('picture_hash', '=', pictureHash)
    .executeTakeFirst()
  return row !== undefined
}

export async function insertRefusedPicture(ctx: Context, pictureHash: Uint8Array): Promise<void> {
  await ctx.db
    .insertInto('refused_pictures')
    .values({ picture_hash: pictureHash, created_at: ctx.now() })
    .onConflict((row) => row.doNothing())
    .execute()
}
