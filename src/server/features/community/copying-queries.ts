/** The SQL of copying a publication's media and showing the copies. */
import { sql } from 'kysely'
import type { Context } from '../../context.ts'
import { runStatement } from '../../database/statement.ts'
import { hasNoPendingJob } from '../../jobs/unfinished-jobs.ts'
import type { Lease, LeaseKind } from '../../leases/lease.ts'
import { leaseHasEnded } from '../../leases/lease.ts'
import type { ValuesOf } from '../sessions/sessions.ts'
import { columnNames, publishedSlideColumns, rowsJson } from '../sessions/sessions.ts'
import { publishedIsAdult } from '../visibility/visibility.ts'
import type { FrozenSession } from './publication-queries.ts'

export type Copying = {
  readonly publicationId: number
  readonly communityId: number
  readonly sessionId: number
  /**
   * The number of the run. A run that was overtaken by another one, even of the same job, finishes
   * nothing.
   */
  readonly number: number
}

export const copyingQueue = 'copy-publication'

/**
 * The lease of a run, identified by its number. It is renewed after each slide and longer than any
 * slide takes.
 */
const copyingLease: LeaseKind = {
  table: 'community_publications',
  holder: 'copying',
  time: { renewedAt: 'touched_at' },
  durationMs: 15 * 60 * 1000,
  unfinished: sql`community_publications.snapshot is not null`,
}

export function leaseOf({ publicationId, number }: Copying): Lease {
  return { kind: copyingLease, key: { id: publicationId }, holder: number }
}

/** Starts a run. Returns nothing if the publication was withdrawn, replaced or finished. */
export async function beginCopying(
  ctx: Context,
  publicationId: number,
): Promise<(Copying & { readonly frozen: FrozenSession }) | undefined> {
  const { rows } = await sql<Copying & { frozen: FrozenSession }>`
    with counted as (
      update community_sessions c set publication = c.publication + 1
      from community_publications p
      where p.id = ${publicationId} and p.snapshot is not null and c.id = p.community_session_id
      returning c.id, c.session_id, c.publication
    )
    update community_publications p
    set copying = counted.publication, touched_at = ${ctx.now()}
    from counted where p.id = ${publicationId}
    returning p.id as "publicationId", counted.id as "communityId",
      counted.session_id as "sessionId", counted.publication as number,
      p.snapshot as frozen`.execute(ctx.db)
  return rows[0]
}

/**
 * Ends the publication and returns the status of the community session. Returns null if another run has
 * ended or will end it. Locks the community session until the commit.
 */
export async function endPublication(
  ctx: Context,
  { publicationId, communityId }: Pick<Copying, 'publicationId' | 'communityId'>,
  copyingNumber: number | null,
): Promise<{ readonly status: 'copying' | 'published' | 'withdrawn' } | null> {
  const held = await ctx.db
    .selectFrom('community_sessions')
    .select('status')
    .where('id', '=', communityId)
    .forUpdate()
    .executeTakeFirst()
  if (!held) return null
  const { numDeletedRows } = await ctx.db
    .deleteFrom('community_publications')
    .where('id', '=', publicationId)
    .where('copying', copyingNumber === null ? 'is' : '=', copyingNumber)
    .executeTakeFirst()
  return numDeletedRows > 0n ? held : null
}

export type PublishedSlide = ValuesOf<typeof publishedSlideColumns>

const slideNames = columnNames(publishedSlideColumns)

const insertSlidesStatement = `
  insert into community_session_media (community_session_id, position, ${slideNames})
  select $1::int, position, ${slideNames}
  from jsonb_populate_recordset(null::community_session_media, $2::jsonb)
  returning id`

/**
 * Shows the copies and returns the ids of the slides. The owner may have rated the session as adult
 * since it was frozen.
 */
export async function showPublished(
  ctx: Context,
  communityId: number,
  { session, nsfw }: FrozenSession,
  shown: { thumbnailKey: string | null; coverKey: string | null; cover: string | null },
  slides: readonly PublishedSlide[],
): Promise<number[]> {
  await sql`
    update community_sessions set status = 'published', title = ${session.title},
      nsfw = ${nsfw} or ${sql.raw(publishedIsAdult('community_sessions'))},
      thumbnail = ${shown.cover}, thumbnail_key = ${shown.thumbnailKey},
      cover_key = ${shown.coverKey}, media_count = ${slides.length},
      transition = ${session.transition}, interval_min = ${session.intervalMin},
      interval_max = ${session.intervalMax}, caption_theme = ${session.captionTheme},
      ai_prompt = ${session.aiPrompt}, is_manual_mode = ${session.isManualMode},
      subfeeds = ${session.subfeeds}::text[], tags = ${session.tags}::text[],
      category_id = ${session.categoryId}, category_source = ${session.categorySource},
      published_at = ${ctx.now()}
    where id = ${communityId}`.execute(ctx.db)
  const rows = rowsJson(publishedSlideColumns, slides)
  const made = await runStatement<{ id: number }>(ctx, insertSlidesStatement, [communityId, rows])
  return made.map(({ id }) => id)
}

/** Returns publications that no job copies any more. */
export async function findStuckCopyings(
  ctx: Context,
): Promise<(Omit<Copying, 'number'> & { readonly number: number | null })[]> {
  const { rows } = await sql<Copying>`
    select community_publications.id as "publicationId", c.id as "communityId",
      c.session_id as "sessionId", copying as number
    from community_publications join community_sessions c on c.id = community_session_id
    where ${leaseHasEnded(ctx, copyingLease)}
      and ${hasNoPendingJob(copyingQueue, { publicationId: 'community_publications.id' })}
    limit 100`.execute(ctx.db)
  return rows
}
