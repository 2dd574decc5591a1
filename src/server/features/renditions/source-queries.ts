/** The SQL of the stored files that slides show, from all tables. */
import { sql } from 'kysely'
import type { Context } from '../../context.ts'
import { runStatement } from '../../database/statement.ts'
import type { FileAddress } from '../../platform/storage/storage.ts'

/**
 * Each query returns a row's id and the owner and address of its file, with known data: its duration,
 * and its thumbnails by width. Slides have a thumbnail of width 640, unless they are narrower.
 */
const sources = {
  /** Vault files. */
  vault: `
    select v.id, v.user_id, 'user-media' as bucket, v.display_path as key, v.duration_ms as length_ms,
      (select jsonb_object_agg(width, 'users/' || v.user_id || '/derived/' || v.id || '/' || width || '.webp')
        from unnest(v.thumbnail_widths) width) as thumbnails
    from vault_media v
    where v.enrichment_status = 'completed' and v.display_path is not null`,
  /** Slides with a file of their own, which were imported, saved or restored. */
  slides: `
    select m.id, s.user_id, 'user-media' as bucket, m.own_file_key as key, null::int as length_ms,
      case when m.width >= 640 and m.own_thumbnail_key is not null
        then jsonb_build_object('640', m.own_thumbnail_key) end as thumbnails
    from session_media m join sessions s on s.id = m.session_id
    where m.own_file_key is not null`,
  /** Copies in the community. */
  published: `
    select m.id, c.owner_id as user_id, 'general' as bucket, m.file_key as key,
      null::int as length_ms,
      case when m.width >= 640 and m.thumbnail_key is not null
        then jsonb_build_object('640', m.thumbnail_key) end as thumbnails
    from community_session_media m
    join community_sessions c on c.id = m.community_session_id`,
} as const

export type RenditionSource = keyof typeof sources

export type PromisedFile = FileAddress & { readonly userId: string }

const insert = (source: RenditionSource) => `
  insert into media_renditions (bucket, key, user_id, length_ms, thumbnails)
  select shown.bucket, shown.key, shown.user_id, shown.length_ms, coalesce(shown.thumbnails, '{}')
  from (${sources[source]}) shown where shown.id = any($1::int[])
  order by shown.bucket, shown.key
  on conflict do nothing
  returning bucket, key, user_id as "userId"`

/** Inserts the renditions of the rows' files. Returns those that did not exist yet. */
export function insertRenditions(
  ctx: Context,
  source: RenditionSource,
  ids: readonly number[],
): Promise<PromisedFile[]> {
  return runStatement<PromisedFile>(ctx, insert(source), [ids])
}

export type Backfill = { readonly source: RenditionSource; readonly afterId: number }

/**
 * Returns the unfinished backfills and locks them until the transaction ends, so that only one sweep at
 * a time continues them.
 */
export async function lockBackfills(ctx: Context): Promise<Backfill[]> {
  const { rows } = await sql<Backfill>`
    select source, after_id as "afterId" from rendition_backfills
    order by source for update skip locked`.execute(ctx.db)
  return rows
}

export async function findNextIds(
  ctx: Context,
  { source, afterId }: Backfill,
  max: number,
): Promise<number[]> {
  const rows = await runStatement<{ id: number }>(
    ctx,
    `select shown.id from (${sources[source]}) shown where shown.id > $1 order by shown.id limit $2`,
    [afterId, max],
  )
  return rows.map(({ id }) => id)
}

/** Stores the progress. Null ends the backfill. */
export async function moveBackfill(
  ctx: Context,
  { source }: Backfill,
  afterId: number | null,
): Promise<void> {
  if (afterId === null)
    await ctx.db.deleteFrom('rendition_backfills').where('source', '=', source).execute()
  else
    await ctx.db
      .updateTable('rendition_backfills')
      .set({ after_id: afterId })
      .where('source', '=', source)
      .execute()
}

/** Counts waiting renditions, up to `max`. */
export async function countWaiting(ctx: Context, max: number): Promise<number> {
  const [row] = await runStatement<{ count: number }>(
    ctx,
    `select count(*)::int as count from (
      select from media_renditions where status = 'pending' limit $1) waiting`,
    [max],
  )
  return row?.count ?? 0
}
