/** The SQL of renditions. Each is taken for a try, and only that try can finish it or give it up. */
import { sql } from 'kysely'
import type { Context } from '../../context.ts'
import type { Lease, LeaseKind } from '../../leases/lease.ts'
import { leaseHasEnded, heldCondition } from '../../leases/lease.ts'
import type { Focus } from '../../media/picture-sizes.ts'
import type { Bucket, FileAddress } from '../../platform/storage/storage.ts'

/** A file that is taken for a try. `number` identifies the try. */
export type Rendition = FileAddress & {
  readonly userId: string
  readonly number: number
  /** Keys of existing thumbnails by width. */
  readonly thumbnails: Readonly<Record<string, string>>
  readonly lengthMs: number | null
}

/** The lease of a try. It is longer than the job's time limit, so it needs no renewal. */
const tryLease: LeaseKind = {
  table: 'media_renditions',
  holder: 'tries',
  time: { renewedAt: 'started_at' },
  durationMs: 5 * 60 * 1000,
  unfinished: sql`media_renditions.status = 'processing'`,
}

function leaseOf({ bucket, key, number }: Rendition): Lease {
  return { kind: tryLease, key: { bucket, key }, holder: number }
}

/**
 * Takes a pending rendition, or one whose worker has died. Returns nothing if the file was deleted or
 * its rendition is finished.
 */
export async function beginRendition(
  ctx: Context,
  { bucket, key }: FileAddress,
): Promise<Rendition | undefined> {
  const { rows } = await sql<Rendition>`
    update media_renditions set status = 'processing', tries = tries + 1, started_at = ${ctx.now()}
    where bucket = ${bucket} and key = ${key}
      and (status = 'pending' or ${leaseHasEnded(ctx, tryLease)})
    returning bucket, key, user_id as "userId", tries as number, thumbnails,
      length_ms as "lengthMs"`.execute(ctx.db)
  return rows[0]
}

export type Made = {
  /** Addresses by width. Null without sizes. */
  readonly sizes: Readonly<Record<string, string>> | null
  readonly focus: Focus | null
  readonly lengthMs: number | null
  readonly files: readonly { readonly file: FileAddress; readonly isBorrowed: boolean }[]
}

/** Returns false if the file was deleted, or another try has taken it. */
export async function finishRendition(
  ctx: Context,
  rendition: Rendition,
  { sizes, focus, lengthMs, files }: Made,
): Promise<boolean> {
  const { rows } = await sql`
    update media_renditions set status = 'done', length_ms = ${lengthMs},
      sizes = ${sizes && JSON.stringify(sizes)}::json,
      focus = ${focus && JSON.stringify(focus)}::json
    where ${heldCondition(leaseOf(rendition))} returning key`.execute(ctx.db)
  if (rows.length === 0) return false
  await sql`
    insert into rendition_files (bucket, key, of_bucket, of_key, is_borrowed)
    select made.bucket, made.key, ${rendition.bucket}, ${rendition.key}, made.is_borrowed
    from unnest(${files.map(({ file }) => file.bucket)}::text[],
      ${files.map(({ file }) => file.key)}::text[],
      ${files.map(({ isBorrowed }) => isBorrowed)}::boolean[]) made (bucket, key, is_borrowed)`.execute(
    ctx.db,
  )
  return true
}

/**
 * Ends a try. If it does not count, its number is used again by the next try. Returns false if the file
 * was deleted, or another try has taken it.
 */
export async function endTry(
  ctx: Context,
  rendition: Rendition,
  end: { readonly status: 'pending' | 'failed'; readonly counts: boolean },
): Promise<boolean> {
  const { rows } = await sql`
    update media_renditions set status = ${end.status},
      tries = ${end.counts ? rendition.number : rendition.number - 1}
    where ${heldCondition(leaseOf(rendition))} returning key`.execute(ctx.db)
  return rows.length > 0
}

/** Ends the tries of dead workers. Returns the files to try again. */
export async function releaseDeadTries(
  ctx: Context,
  { maxTries, max }: { readonly maxTries: number; readonly max: number },
): Promise<(FileAddress & { readonly userId: string })[]> {
  // Skip locked rows: a transaction that deletes files may hold one rendition and wait for another.
  const { rows } = await sql<FileAddress & { userId: string; status: string }>`
    update media_renditions set
      status = case when tries >= ${maxTries}::int then 'failed' else 'pending' end
    where (bucket, key) in (
      select media_renditions.bucket, media_renditions.key from media_renditions
      where ${leaseHasEnded(ctx, tryLease)}
      order by media_renditions.started_at limit ${max} for update skip locked)
    returning bucket, key, user_id as "userId", status`.execute(ctx.db)
  return rows.filter(({ status }) => status === 'pending')
}

/** SQL: joins the rendition of the file with this key as `r`, if there is one. */
export function renditionOf(bucket: Bucket, key: string): string {
  return `left join media_renditions r on r.bucket = '${bucket}' and r.key = ${key}`
}

/** SQL: the fields by their names on the wire. They are stored as JSON and returned unchanged. */
export const renditionFields = {
  lengthMs: 'r.length_ms',
  sizes: 'r.sizes',
  // The author's focus is better than one computed from pixels. `m` is a row of slides.
  focus: 'coalesce(m.author_focus::json, r.focus)',
} as const
