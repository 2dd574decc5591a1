/** The SQL of slides. */
import { sql } from 'kysely'
import type { TimedSlide } from '../../../../contract/slide-time.ts'
import type { Context } from '../../../context.ts'
import { runStatement } from '../../../database/statement.ts'
import { isMediaAddress } from '../../../http/media/media-url.ts'
import type { SlideView } from '../queries.ts'
import { slideJson, slideRendition } from '../session-json.ts'
import type { NewSlide, Slide } from './slide-columns.ts'
import { columnNames, rowsJson, selectList, slideColumns } from './slide-columns.ts'

export async function findPreviewSlides(
  ctx: Context,
  sessionId: number,
  max: number,
): Promise<SlideView[]> {
  const { rows } = await sql<{ json: SlideView }>`
    select ${sql.raw(slideJson)} as json from session_media m
    where m.session_id = ${sessionId} and not m.nsfw
    order by m.position limit ${max}`.execute(ctx.db)
  return rows.map(({ json }) => json)
}

export async function findSlides(ctx: Context, sessionId: number): Promise<SlideView[]> {
  const { rows } = await sql<{ json: SlideView }>`
    select ${sql.raw(slideJson)} as json from session_media m
    where m.session_id = ${sessionId} order by m.position`.execute(ctx.db)
  return rows.map(({ json }) => json)
}

const storedStatement = `
  select ${selectList(slideColumns)} from session_media m
  where m.session_id = $1 and not m.in_trash order by m.position`

/** Returns all columns that a copy of the slides needs. Leaves out slides whose file is in the trash. */
export function findStoredSlides(ctx: Context, sessionId: number): Promise<Slide[]> {
  return runStatement<Slide>(ctx, storedStatement, [sessionId])
}

const timesStatement = `
  select m.id, m.type, m.duration_ms as "durationMs", r.length_ms as "lengthMs"
  from session_media m ${slideRendition} where m.session_id = $1 and not m.in_trash
  order by m.position`

/** Returns the data that decides how long each slide is shown, in slide order. */
export function findSlideTimes(ctx: Context, sessionId: number): Promise<TimedSlide[]> {
  return runStatement<TimedSlide>(ctx, timesStatement, [sessionId])
}

/** Inserts slides from a position on. Returns their ids. */
export function insertSlides(
  ctx: Context,
  sessionId: number,
  slides: readonly NewSlide[],
  firstPosition = 0,
): Promise<number[]> {
  const positioned = slides.map((slide, index) => ({ ...slide, position: firstPosition + index }))
  return insertSlidesAt(ctx, sessionId, positioned)
}

const { nsfw: _, ...copiedColumns } = slideColumns

const insertStatement = `
  insert into session_media (session_id, position, nsfw, ${columnNames(copiedColumns)})
  select $1::int, position,
    nsfw or coalesce((select v.nsfw from live_media v where v.id = s.vault_media_id), false),
    ${columnNames(copiedColumns)}
  from jsonb_populate_recordset(null::session_media, $2::jsonb) s
  returning id`

/**
 * Inserts slides at the given positions in one statement, and returns their ids. A slide is adult if
 * its vault file is.
 */
export async function insertSlidesAt(
  ctx: Context,
  sessionId: number,
  slides: readonly (NewSlide & { readonly position: number })[],
): Promise<number[]> {
  if (slides.length === 0) return []
  const safe = slides.map((slide) => withSafeAddresses(ctx, slide))
  const parameters = [sessionId, rowsJson(slideColumns, safe)]
  const made = await runStatement<{ id: number }>(ctx, insertStatement, parameters)
  return made.map(({ id }) => id)
}

/** Removes addresses that other people's browsers must not load or follow, whatever their source. */
function withSafeAddresses<S extends NewSlide>(ctx: Context, slide: S): S {
  const { thumbnail, feedPostUrl, credit } = slide
  const safe = (address: string) => (isMediaAddress(ctx, address) ? address : null)
  const link = (address: string | null) => address && safe(address)
  return {
    ...slide,
    ...(thumbnail && { thumbnail: safe(thumbnail) }),
    ...(feedPostUrl && { feedPostUrl: safe(feedPostUrl) }),
    ...(credit && {
      credit: {
        ...credit,
        url: link(credit.url),
        licence: credit.licence && { ...credit.licence, url: link(credit.licence.url) },
      },
    }),
  }
}

export async function deleteSlide(
  ctx: Context,
  slide: { sessionId: number; slideId: number },
): Promise<void> {
  await ctx.db
    .deleteFrom('session_media')
    .where('id', '=', slide.slideId)
    .where('session_id', '=', slide.sessionId)
    .execute()
}

export async function deleteSlidesExcept(
  ctx: Context,
  sessionId: number,
  kept: readonly number[],
): Promise<void> {
  await sql`delete from session_media
    where session_id = ${sessionId} and not (id = any(${[...kept]}::int[]))`.execute(ctx.db)
}

/**
 * Deletes the slides that a refill replaces: feed slides without a caption, a duration or a file of
 * their own.
 */
export async function deleteUntouchedFeedSlides(ctx: Context, sessionId: number): Promise<void> {
  await sql`delete from session_media
    where session_id = ${sessionId} and feed_post_id is not null and caption is null
      and duration_ms is null and own_file_key is null`.execute(ctx.db)
}

/** A change of a slide. Fields that are left out stay as they are. */
export type SlideChange = {
  readonly caption?: string | null | undefined
  readonly durationMs?: number | null | undefined
}

/** Updates many slides of a session at once, each with its new position. */
export async function updateSlides(
  ctx: Context,
  sessionId: number,
  changes: readonly (SlideChange & { readonly id: number; readonly position: number })[],
): Promise<void> {
  if (changes.length === 0) return
  const rows = changes.map(({ id, position, caption, durationMs }) => ({
    id,
    position,
    caption: caption ?? null,
    captioned: caption !== undefined,
    duration_ms: durationMs ?? null,
    timed: durationMs !== undefined,
  }))
  await sql`
    update session_media m set
      position = c.position,
      caption = case when c.captioned then c.caption else m.caption end,
      caption_is_ai = m.caption_is_ai and not c.captioned,
      duration_ms = case when c.timed then c.duration_ms else m.duration_ms end
    from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as c (
      id int, position int, caption text, captioned boolean, duration_ms int, timed boolean)
    where m.id = c.id and m.session_id = ${sessionId}`.execute(ctx.db)
}

export async function updateSlide(
  ctx: Context,
  slide: { id: number; sessionId: number },
  change: SlideChange,
): Promise<SlideView | null> {
  const sets = [
    ...(change.caption === undefined ? [] : [sql`caption = ${change.caption}`]),
    ...(change.caption === undefined ? [] : [sql`caption_is_ai = false`]),
    ...(change.durationMs === undefined ? [] : [sql`duration_ms = ${change.durationMs}`]),
    sql`session_id = session_id`,
  ]
  const { rows } = await sql<{ json: SlideView }>`
    with m as (
      update session_media set ${sql.join(sets)}
      where id = ${slide.id} and session_id = ${slide.sessionId} returning *
    )
    select ${sql.raw(slideJson)} as json from m`.execute(ctx.db)
  return rows[0]?.json ?? null
}

/**
 * Updates the session's counts after its slides have changed. `isEdit` tells whether this counts as an
 * edit.
 */
export async function recountSlides(
  ctx: Context,
  sessionId: number,
  { isEdit = true }: { isEdit?: boolean } = {},
): Promise<void> {
  await sql`
    update sessions set
      media_count = slides.count, nsfw_media = slides.nsfw, broken_count = slides.broken,
      updated_at = case when ${isEdit}::boolean then ${ctx.now()} else updated_at end,
      thumbnail = case when thumbnail_given or slides.first is null then thumbnail
        else slides.first end
    from (
      select count(*)::int as count, coalesce(bool_or(nsfw), false) as nsfw,
        (count(*) filter (where is_broken))::int as broken,
        (array_agg(coalesce(thumbnail, media_url) order by position)
          filter (where not nsfw and not in_trash and (type <> 'video' or thumbnail is not null)))[1] as first
      from session_media where session_id = ${sessionId}
    ) slides
    where id = ${sessionId}`.execute(ctx.db)
}

/** Returns the file keys of slides that are not kept. If `kept` is null, also those of the session itself. */
export async function findOwnFileKeys(
  ctx: Context,
  sessionId: number,
  kept: readonly number[] | null,
): Promise<string[]> {
  const { rows } = await sql<{ key: string }>`
    select key from (
      select unnest(array[own_file_key, own_thumbnail_key]) as key from session_media
      where session_id = ${sessionId} and not (id = any(${[...(kept ?? [])]}::int[]))
      union all
      select own_thumbnail_key from sessions where id = ${sessionId} and ${kept === null}::boolean
    ) own
    where key is not null`.execute(ctx.db)
  return rows.map(({ key }) => key)
}
