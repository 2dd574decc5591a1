/** The SQL of enrichment: the data that is read from a file. */
import { sql } from 'kysely'
import type { Context } from '../../../context.ts'
import type { Lease, LeaseKind } from '../../../leases/lease.ts'
import { leaseHasEnded, heldCondition } from '../../../leases/lease.ts'

/**
 * The lease of a try, identified by its number. It is longer than the job's time limit, so it needs no
 * renewal.
 */
const tryLease: LeaseKind = {
  table: 'vault_media',
  holder: 'enrichment_tries',
  time: { renewedAt: 'enrichment_started_at' },
  durationMs: 5 * 60 * 1000,
  unfinished: sql`vault_media.enrichment_status = 'processing'`,
}

function leaseOf({ id, number }: Try): Lease {
  return { kind: tryLease, key: { id }, holder: number }
}

/** The data of a file that sharing it, or making something from it, needs. */
export type StoredMedia = {
  readonly id: number
  readonly userId: string
  readonly name: string
  readonly originalName: string
  readonly fileName: string
  readonly filePath: string
  readonly mimeType: string
  readonly category: 'smart-caption' | 'babecock' | 'hypnococks' | 'upload'
  readonly caption: string | null
  readonly width: number
  readonly height: number
  readonly displayPath: string | null
  readonly thumbnailWidths: readonly number[]
  readonly perceptualHashes: readonly string[]
  readonly enrichmentStatus: 'pending' | 'processing' | 'completed' | 'failed'
  readonly enrichmentTries: number
  /** The reason why the last failed try failed. */
  readonly enrichmentError: string | null
}

const mediaColumns = [
  'id',
  'user_id as userId',
  'name',
  'original_name as originalName',
  'file_name as fileName',
  'file_path as filePath',
  'mime_type as mimeType',
  'category',
  'caption',
  'width',
  'height',
  'display_path as displayPath',
  'thumbnail_widths as thumbnailWidths',
  'perceptual_hashes as perceptualHashes',
  'enrichment_status as enrichmentStatus',
  'enrichment_tries as enrichmentTries',
  sql<string | null>`metadata ->> 'enrichmentError'`.as('enrichmentError'),
] as const

export function findMedia(ctx: Context, ids: readonly number[]): Promise<StoredMedia[]> {
  if (ids.length === 0) return Promise.resolve([])
  return ctx.db
    .selectFrom('live_media')
    .select(mediaColumns)
    .where('id', '=', sql<number>`any(${[...ids]}::int[])`)
    .execute()
}

/** Returns undefined if the item was deleted. */
export async function findDisplayPath(
  ctx: Context,
  id: number,
): Promise<string | null | undefined> {
  const row = await ctx.db
    .selectFrom('live_media')
    .select('display_path')
    .where('id', '=', id)
    .executeTakeFirst()
  return row?.display_path
}

/** Sets the display file if the item has none yet. */
export async function setDisplayPath(ctx: Context, id: number, key: string): Promise<boolean> {
  const { numUpdatedRows } = await ctx.db
    .updateTable('vault_media')
    .set({ display_path: key })
    .where('id', '=', id)
    .where('display_path', 'is', null)
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

/** Takes an item for one try: a pending item, or one whose worker has died. */
export function beginEnrichment(ctx: Context, id: number): Promise<StoredMedia | undefined> {
  return ctx.db
    .updateTable('vault_media')
    .set((row) => ({
      enrichment_status: 'processing',
      enrichment_tries: row('enrichment_tries', '+', 1),
      enrichment_started_at: ctx.now(),
    }))
    .where('id', '=', id)
    .where((row) =>
      row.or([row('enrichment_status', '=', 'pending'), leaseHasEnded(ctx, tryLease)]),
    )
    .returning(mediaColumns)
    .executeTakeFirst()
}

export type Findings = {
  readonly mimeType: string
  readonly fileSize: number
  readonly width: number
  readonly height: number
  readonly durationMs: number | null
  readonly thumbnailWidths: readonly number[]
  readonly perceptualHashes: readonly string[]
  readonly contentSha256: string | null
  readonly characterName: string | null
  readonly metadata: Readonly<Record<string, unknown>>
}

/** One try, identified by its number. A try that was given up as dead writes nothing any more. */
export type Try = { readonly id: number; readonly number: number }

export async function completeEnrichment(
  ctx: Context,
  attempt: Try,
  found: Findings,
): Promise<boolean> {
  const { numUpdatedRows } = await ctx.db
    .updateTable('vault_media')
    .set({
      mime_type: found.mimeType,
      file_size: found.fileSize,
      width: found.width,
      height: found.height,
      duration_ms: found.durationMs,
      thumbnail_widths: [...found.thumbnailWidths],
      perceptual_hashes: [...found.perceptualHashes],
      content_sha256: sql`coalesce(content_sha256, decode(${found.contentSha256}::text, 'hex'))`,
      character_name: found.characterName,
      metadata: sql`(metadata - 'enrichmentError') || ${JSON.stringify(found.metadata)}::jsonb`,
      enrichment_status: 'completed',
      enriched_at: ctx.now(),
    })
    .where(heldCondition(leaseOf(attempt)))
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

/**
 * Ends a try. If it does not count, its number is used again by the next try. Returns false if the item
 * was deleted or another try has taken it.
 */
export async function endTry(
  ctx: Context,
  attempt: Try,
  end: {
    readonly status: 'pending' | 'failed'
    readonly counts: boolean
    readonly reason: string | null
  },
): Promise<boolean> {
  const { numUpdatedRows } = await ctx.db
    .updateTable('vault_media')
    .set({
      enrichment_status: end.status,
      enrichment_tries: end.counts ? attempt.number : attempt.number - 1,
      ...(end.reason === null
        ? {}
        : { metadata: sql`metadata || ${JSON.stringify({ enrichmentError: end.reason })}::jsonb` }),
    })
    .where(heldCondition(leaseOf(attempt)))
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

/** True if the try still holds the item. The row stays locked until the transaction ends. */
export async function lockTry(ctx: Context, attempt: Try): Promise<boolean> {
  const row = await ctx.db
    .selectFrom('vault_media')
    .select('id')
    .where(heldCondition(leaseOf(attempt)))
    .forUpdate()
    .executeTakeFirst()
  return row !== undefined
}

/** Ends the tries of dead workers. Returns the items to try again. */
export async function releaseDeadTries(
  ctx: Context,
  maxTries: number,
): Promise<{ id: number; userId: string }[]> {
  const { rows } = await sql<{ id: number; userId: string; status: string }>`
    update vault_media set
      enrichment_status = case when enrichment_tries >= ${maxTries}::int then 'failed' else 'pending' end,
      metadata = metadata || '{"enrichmentError": "interrupted"}'
    where ${leaseHasEnded(ctx, tryLease)}
    returning id, user_id as "userId", enrichment_status as status`.execute(ctx.db)
  return rows.filter(({ status }) => status === 'pending')
}
