/** The SQL of sessions. */
import type { RawBuilder } from 'kysely'
import { sql } from 'kysely'
import type { z } from 'zod'
import type { session, slide } from '../../../contract/session-records.ts'
import type { Context } from '../../context.ts'
import { sessionJson, slideJson } from './session-json.ts'

export type SessionView = z.output<typeof session>
export type SlideView = z.output<typeof slide>

export type ListFilter = {
  categoryId?: number | undefined
  categorySlug?: string | undefined
  tags?: readonly string[] | undefined
  tagMode: 'and' | 'or'
  sort: 'recent' | 'relevance'
  favorite?: boolean | undefined
  q?: string | undefined
  limit?: number | undefined
  before?: number | undefined
}

/** The caller's sessions as one JSON text. */
export async function listSessionsJson(
  ctx: Context,
  userId: string,
  filter: ListFilter,
): Promise<string> {
  const tags = filter.tags && filter.tags.length > 0 ? [...filter.tags] : null
  const conditions = [
    sql`s.user_id = ${userId}`,
    ...when(filter.categoryId, (id) => sql`s.category_id = ${id}`),
    ...when(
      filter.categorySlug,
      (slug) => sql`s.category_id = (select id from categories where slug = ${slug})`,
    ),
    ...when(tags, (list) =>
      filter.tagMode === 'and' ? sql`s.tags @> ${list}::text[]` : sql`s.tags && ${list}::text[]`,
    ),
    ...when(filter.favorite, (favorite) => sql`s.is_favorite = ${favorite}`),
    ...when(filter.q, (words) => sql`position(lower(${words}) in lower(s.title)) > 0`),
    ...when(filter.before, (id) => sql`s.id < ${id}`),
  ]
  const matches = sql`cardinality(array(select unnest(s.tags) intersect select unnest(${tags}::text[])))`
  const order =
    filter.sort === 'relevance' && tags ? sql`${matches} desc, s.id desc` : sql`s.id desc`
  const limit = filter.limit === undefined ? sql`` : sql`limit ${filter.limit}`
  const { rows } = await sql<{ json: string }>`
    select coalesce(json_agg(row.json), '[]')::text as json from (
      select ${sessionJson} as json from sessions s
      where ${sql.join(conditions, sql` and `)} order by ${order} ${limit}
    ) row`.execute(ctx.db)
  return rows[0]?.json ?? '[]'
}

/** A session with its slides as one JSON text; without adult slides for those who may not see them. */
export async function readSessionJson(
  ctx: Context,
  id: number,
  options: { withNsfw: boolean },
): Promise<string | null> {
  const { rows } = await sql<{ json: string }>`
    select json_build_object('session', ${sessionJson}, 'media', coalesce((
      select json_agg(${slideJson} order by m.position) from session_media m
      where m.session_id = s.id and (${options.withNsfw}::boolean or not m.nsfw)
    ), '[]'))::text as json
    from sessions s where s.id = ${id}`.execute(ctx.db)
  return rows[0]?.json ?? null
}

export async function findSession(ctx: Context, id: number): Promise<SessionView | null> {
  const { rows } = await sql<{ json: SessionView }>`
    select ${sessionJson} as json from sessions s where s.id = ${id}`.execute(ctx.db)
  return rows[0]?.json ?? null
}

export type NewSession = {
  userId: string
  title: string
  subfeeds: readonly string[]
  categoryId: number
  categorySource: 'manual' | 'default'
  intervalMin: number
  intervalMax: number
  transition: SessionView['transition']
  thumbnail: string | null
  thumbnailGiven: boolean
  aiPrompt: string | null
  captionTheme: SessionView['captionTheme']
  isPublic: boolean
  isFavorite: boolean
  isManualMode: boolean
  tags: readonly string[]
  nsfw: boolean
  fillStatus: 'pending' | 'ready'
  fillDebitId: number | null
}

export async function insertSession(ctx: Context, session: NewSession): Promise<SessionView> {
  const { rows } = await sql<{ json: SessionView }>`
    with s as (
      insert into sessions (user_id, title, subfeeds, category_id, category_source, interval_min,
        interval_max, transition, thumbnail, thumbnail_given, ai_prompt, caption_theme, is_public,
        is_favorite, is_manual_mode, tags, nsfw_given, fill_status, fill_debit_id, created_at,
        updated_at)
      values (${session.userId}, ${session.title}, ${[...session.subfeeds]}::text[],
        ${session.categoryId}, ${session.categorySource}, ${session.intervalMin},
        ${session.intervalMax}, ${session.transition}, ${session.thumbnail},
        ${session.thumbnailGiven}, ${session.aiPrompt}, ${session.captionTheme},
        ${session.isPublic}, ${session.isFavorite}, ${session.isManualMode},
        ${[...session.tags]}::text[], ${session.nsfw}, ${session.fillStatus},
        ${session.fillDebitId}, ${ctx.now()}, ${ctx.now()})
      returning *
    )
    select ${sessionJson} as json from s`.execute(ctx.db)
  const [row] = rows
  if (!row) throw new Error('the session was not inserted')
  return row.json
}

export type SessionChange = Partial<{
  title: string
  subfeeds: readonly string[]
  category_id: number
  category_source: 'manual' | 'default'
  interval_min: number
  interval_max: number
  transition: SessionView['transition']
  ai_prompt: string | null
  caption_theme: SessionView['captionTheme']
  thumbnail: string | null
  thumbnail_given: boolean
  is_public: boolean
  is_favorite: boolean
  is_manual_mode: boolean
  tags: readonly string[]
  nsfw_given: boolean
}>

export async function updateSession(
  ctx: Context,
  id: number,
  change: SessionChange,
): Promise<SessionView | null> {
  const columns = Object.entries(change).filter(([, value]) => value !== undefined)
  const sets = [
    ...columns.map(([column, value]) => sql`${sql.ref(column)} = ${value}`),
    sql`updated_at = ${ctx.now()}`,
  ]
  const { rows } = await sql<{ json: SessionView }>`
    with s as (update sessions set ${sql.join(sets)} where id = ${id} returning *)
    select ${sessionJson} as json from s`.execute(ctx.db)
  return rows[0]?.json ?? null
}

export async function deleteSession(ctx: Context, id: number): Promise<void> {
  await ctx.db.deleteFrom('sessions').where('id', '=', id).execute()
}

/** Holds the session until the transaction ends. */
export async function lockSession(ctx: Context, id: number): Promise<SessionView | null> {
  const { rows } = await sql<{ json: SessionView }>`
    with s as (select * from sessions where id = ${id} for update)
    select ${sessionJson} as json from s`.execute(ctx.db)
  return rows[0]?.json ?? null
}

function when<T>(
  value: T | null | undefined,
  condition: (value: T) => RawBuilder<unknown>,
): RawBuilder<unknown>[] {
  return value === undefined || value === null || value === '' ? [] : [condition(value)]
}
