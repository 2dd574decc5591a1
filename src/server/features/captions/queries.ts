/** The SQL of captions that were written once. */
import { sql } from 'kysely'
import type { Context } from '../../context.ts'

const leaseMs = 10_000

export const leaseRenewalMs = 3_000

/** The caption, where it has been written. */
export async function findCaption(ctx: Context, key: Uint8Array): Promise<string | null> {
  const row = await ctx.db
    .selectFrom('caption_cache')
    .select('caption')
    .where('key', '=', key)
    .executeTakeFirst()
  return row?.caption ?? null
}

/** True where it is now ours to write: nobody does, or whoever did has not renewed their lease. */
export async function claimCaption(ctx: Context, key: Uint8Array, claim: string): Promise<boolean> {
  const now = ctx.now()
  const { rows } = await sql`
    insert into caption_cache as kept (key, claim, lease_until, created_at)
    values (${key}, ${claim}, ${leaseFrom(now)}, ${now})
    on conflict (key) do update set claim = excluded.claim, lease_until = excluded.lease_until
    where kept.caption is null and kept.lease_until <= ${now}
    returning kept.claim`.execute(ctx.db)
  return rows.length > 0
}

export async function renewClaim(ctx: Context, key: Uint8Array, claim: string): Promise<void> {
  await ctx.db
    .updateTable('caption_cache')
    .set({ lease_until: leaseFrom(ctx.now()) })
    .where('key', '=', key)
    .where('claim', '=', claim)
    .execute()
}

export async function keepCaption(
  ctx: Context,
  key: Uint8Array,
  claim: string,
  caption: string,
): Promise<void> {
  await ctx.db
    .updateTable('caption_cache')
    .set({ caption, created_at: ctx.now() })
    .where('key', '=', key)
    .where('claim', '=', claim)
    .execute()
}

export async function dropClaim(ctx: Context, key: Uint8Array, claim: string): Promise<void> {
  await ctx.db
    .deleteFrom('caption_cache')
    .where('key', '=', key)
    .where('claim', '=', claim)
    .where('caption', 'is', null)
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

function leaseFrom(now: Date): Date {
  return new Date(now.getTime() + leaseMs)
}
