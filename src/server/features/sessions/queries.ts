/** The SQL of sessions. */
import { sql } from 'kysely'
import type { z } from 'zod'
import type { session, slide } from '../../../contract/session-records.ts'
import type { Context } from '../../context.ts'
import { runStatement } from '../../database/statement.ts'
import type { Part } from '../../database/statement-parts.ts'
import { runParts } from '../../database/statement-parts.ts'
import { takenDebit } from '../credits/credits.ts'
import { sessionIsAdult, sessionIsQuarantined } from '../visibility/visibility.ts'
import { sessionColumns, sessionJson, slideFields, slideRendition } from './session-json.ts'

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

/** Returns the caller's sessions as one JSON text. */
export async function listSessionsJson(
  ctx: Context,
  userId: string,
  filter: ListFilter,
): Promise<string> {
  const parameters: unknown[] = [userId]
  const given = (value: unknown) => `$${parameters.push(value)}`
  const { categoryId, categorySlug, favorite, q, limit, before } = filter
  const tags = filter.tags?.length ? given([...filter.tags]) : null
  const conditions = ['s.user_id = $1']
  if (categoryId !== undefined) conditions.push(`s.category_id = ${given(categoryId)}`)
  if (categorySlug)
    conditions.push(
      `s.category_id = (select id from categories where slug = ${given(categorySlug)})`,
    )
  if (tags) conditions.push(`s.tags ${filter.tagMode === 'and' ? '@>' : '&&'} ${tags}::text[]`)
  if (favorite !== undefined) conditions.push(`s.is_favorite = ${given(favorite)}`)
  if (q) conditions.push(`position(lower(${given(q)}) in lower(s.title)) > 0`)
  if (before !== undefined) conditions.push(`s.id < ${given(before)}`)
  const matches = `cardinality(array(select unnest(s.tags) intersect select unnest(${tags}::text[])))`
  const order = filter.sort === 'relevance' && tags ? `${matches} desc, s.id desc` : 's.id desc'
  const text = `
    select coalesce(json_agg(listed), '[]')::text as json from (
      select ${sessionColumns} from live_sessions s
      where ${conditions.join(' and ')} order by ${order}
      ${limit === undefined ? '' : `limit ${given(limit)}`}
    ) listed`
  const [row] = await runStatement<{ json: string }>(ctx, text, parameters)
  return row?.json ?? '[]'
}

export type ReadableSession = {
  readonly userId: string
  readonly isPublic: boolean
  /** True when the session as a whole is adult. */
  readonly isAdult: boolean
  /** True when hidden even from its owner. It is looked up only for the owner, and false for others. */
  readonly isQuarantined: boolean
  /** The session with its slides. */
  readonly json: string
}

const readStatement = `
  select s.user_id as "userId", s.is_public as "isPublic", ${sessionIsAdult('s')} as "isAdult",
    s.user_id = $2 and ${sessionIsQuarantined('s.id')} as "isQuarantined",
    json_build_object('session', ${sessionJson}, 'media', coalesce((
      select json_agg(slides) from (
        select ${slideFields} from session_media m ${slideRendition}
        where m.session_id = s.id and ($3::boolean or s.user_id = $2 or not m.nsfw)
        order by m.position
      ) slides
    ), '[]'), 'skipped',
      case when s.user_id = $2 then s.skipped_media else '[]' end, 'isCopying',
      exists (select from session_imports i where i.session_id = s.id))::text as json
  from live_sessions s where s.id = $1`

/** Returns the session as the reader sees it. Other people see adult slides only if their age is verified. */
export async function readSessionJson(
  ctx: Context,
  id: number,
  reader: { id: string; ageVerified: boolean },
): Promise<ReadableSession | undefined> {
  const parameters = [id, reader.id, reader.ageVerified]
  const [found] = await runStatement<ReadableSession>(ctx, readStatement, parameters)
  return found
}

const findStatement = `
  select ${sessionJson} as session, ${sessionIsAdult('s')} as "isAdult"
  from live_sessions s where s.id = $1`

/** Returns the session, and whether all of it is adult. Its `nsfw` is also true for single adult slides. */
export async function findJudgedSession(
  ctx: Context,
  id: number,
): Promise<{ readonly session: SessionView; readonly isAdult: boolean } | undefined> {
  type Row = { session: SessionView; isAdult: boolean }
  const [found] = await runStatement<Row>(ctx, findStatement, [id])
  return found
}

export async function findSession(ctx: Context, id: number): Promise<SessionView | null> {
  return (await findJudgedSession(ctx, id))?.session ?? null
}

export type NewSession = {
  userId: string
  title: string
  subfeeds: readonly string[]
  /** Null means the default category. */
  categoryId: number | null
  categorySource: 'manual' | 'default'
  intervalMin: number
  intervalMax: number
  transition: SessionView['transition']
  thumbnail: string | null
  thumbnailGiven: boolean
  aiPrompt: string | null
  captionTheme: SessionView['captionTheme']
  isPublic: boolean
  shareToCommunity: boolean
  isFavorite: boolean
  isManualMode: boolean
  tags: readonly string[]
  nsfw: boolean
  fillStatus: 'pending' | 'ready'
}

const newSessionText = `
  s as (
    insert into sessions (user_id, title, subfeeds, category_id, category_source, interval_min,
      interval_max, transition, thumbnail, thumbnail_given, ai_prompt, caption_theme, is_public,
      is_favorite, is_manual_mode, tags, nsfw_given, fill_status, fill_debit_id, fill_number,
      event_seq, created_at, updated_at, fill_is_paid, share_to_community)
    select $1, $2, $3::text[],
      coalesce($4::int, (select id from categories where is_default)), $5, $6, $7, $8, $9, $10, $11,
      $12, $13, $14, $15, $16::text[], $17, $18, debit.id, $19::int, $19, $20, $20, $19 > 0, $22
    from debit
    returning *
  ),
  announced as (
    insert into session_events (session_id, seq, type, data, created_at)
    select id, event_seq, 'fill', $21::jsonb, created_at from s where event_seq > 0
  )`

/**
 * Builds a statement part `s` that inserts a session. It reads the `debit` of an earlier part. If a
 * fill is promised, the session starts with that fill number and with an event that announces the fill.
 */
export function newSession(
  ctx: Context,
  session: NewSession,
  promised: { fillNumber: 1; event: object } | null = null,
): Part {
  return {
    text: newSessionText,
    parameters: [
      session.userId,
      session.title,
      session.subfeeds,
      session.categoryId,
      session.categorySource,
      session.intervalMin,
      session.intervalMax,
      session.transition,
      session.thumbnail,
      session.thumbnailGiven,
      session.aiPrompt,
      session.captionTheme,
      session.isPublic,
      session.isFavorite,
      session.isManualMode,
      session.tags,
      session.nsfw,
      session.fillStatus,
      promised?.fillNumber ?? 0,
      ctx.now(),
      promised && JSON.stringify(promised.event),
      session.shareToCommunity,
    ],
  }
}

/** Inserts a session without a debit and without a fill. */
export async function insertSession(ctx: Context, session: NewSession): Promise<number> {
  const parts = [takenDebit(null), newSession(ctx, session)]
  const [made] = await runParts<{ id: number }>(ctx, parts, 'select id from s')
  if (!made) throw new Error('the session was not inserted')
  return made.id
}

export type MadeSession = { readonly session: SessionView; readonly debitId: number | null }

/** The payload of the first fill's job. */
const firstFill: Part = {
  text: `asked as (
    select jsonb_build_object('sessionId', id, 'fillNumber', fill_number) as data from s)`,
  parameters: [],
}

const madeStatement = `
  select ${sessionJson} as session, debit.id as "debitId"
  from s cross join debit cross join workers_notified`

/** Returns null if the debit part has no row. */
export async function insertPromised(
  ctx: Context,
  parts: { readonly debit: Part; readonly session: Part; readonly promise: Part },
): Promise<MadeSession | null> {
  const all = [parts.debit, parts.session, firstFill, parts.promise]
  const [made] = await runParts<MadeSession>(ctx, all, madeStatement)
  return made ?? null
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
  share_to_community: boolean
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
    select ${sql.raw(sessionJson)} as json from s`.execute(ctx.db)
  return rows[0]?.json ?? null
}

export async function deleteSession(ctx: Context, id: number): Promise<void> {
  await ctx.db.deleteFrom('sessions').where('id', '=', id).execute()
}

const lockStatement = `
  with s as (select * from live_sessions where id = $1 for no key update)
  select ${sessionJson} as json from s`

/**
 * Locks the session until the transaction ends. Inserting a row that references the session does not
 * wait for this lock. Otherwise a deadlock is possible: the inserting transaction may hold the account,
 * and the transaction that holds the session may wait for that account.
 */
export async function lockSession(ctx: Context, id: number): Promise<SessionView | null> {
  const [row] = await runStatement<{ json: SessionView }>(ctx, lockStatement, [id])
  return row?.json ?? null
}

/** Returns the settings of a session that its readers do not see. */
export function findOwnSettings(ctx: Context, id: number) {
  return ctx.db
    .selectFrom('live_sessions')
    .select([
      'thumbnail_given as thumbnailGiven',
      'nsfw_given as nsfw',
      'own_thumbnail_key as ownThumbnailKey',
    ])
    .where('id', '=', id)
    .executeTakeFirstOrThrow()
}

/** Tells whether the user has or had sessions. Sessions in the trash count. */
export async function hasSessions(ctx: Context, userId: string): Promise<boolean> {
  const found = await ctx.db
    .selectFrom('sessions')
    .select('id')
    .where('user_id', '=', userId)
    .limit(1)
    .executeTakeFirst()
  return found !== undefined
}
