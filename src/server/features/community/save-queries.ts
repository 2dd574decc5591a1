/** The SQL of saving publications. */
import { sql } from 'kysely'
import type { Context } from '../../context.ts'
import { runStatement } from '../../database/statement.ts'
import type { SessionView } from '../sessions/sessions.ts'
import { publishedSlideColumns, selectList } from '../sessions/sessions.ts'
import { publishedIsAdult, sessionIsHidden } from '../visibility/visibility.ts'
import type { PublishedSlide } from './copying-queries.ts'

type Settings = Pick<
  SessionView,
  | 'title'
  | 'nsfw'
  | 'transition'
  | 'intervalMin'
  | 'intervalMax'
  | 'captionTheme'
  | 'aiPrompt'
  | 'isManualMode'
  | 'subfeeds'
  | 'tags'
  | 'categoryId'
  | 'categorySource'
>

export type PublishedSession = Settings & {
  readonly id: number
  readonly status: 'copying' | 'published' | 'withdrawn'
  readonly isHidden: boolean
  /** True when the session as a whole is adult, by its owner's current rating. */
  readonly isAdult: boolean
  readonly coverKey: string | null
  /** A drawn cover. */
  readonly thumbnail: string | null
  readonly slides: readonly PublishedSlide[]
}

const publishedStatement = `
  select json_build_object(
    'id', s.id, 'status', s.status, 'isHidden', ${sessionIsHidden('s.session_id')},
    'isAdult', ${publishedIsAdult('s')}, 'coverKey', s.cover_key, 'thumbnail', s.thumbnail,
    'title', s.title, 'nsfw', s.nsfw, 'transition', s.transition, 'intervalMin', s.interval_min,
    'intervalMax', s.interval_max, 'captionTheme', s.caption_theme, 'aiPrompt', s.ai_prompt,
    'isManualMode', s.is_manual_mode, 'subfeeds', s.subfeeds, 'tags', s.tags,
    'categoryId', s.category_id, 'categorySource', s.category_source,
    'slides', coalesce((
      select json_agg(slide) from (
        select ${selectList(publishedSlideColumns)} from community_session_media m
        where m.community_session_id = s.id order by m.position
      ) slide
    ), '[]')
  ) as published
  from community_sessions s where s.id = $1`

export async function findPublished(ctx: Context, id: number): Promise<PublishedSession | null> {
  type Row = { published: PublishedSession }
  const [row] = await runStatement<Row>(ctx, publishedStatement, [id])
  return row?.published ?? null
}

/** More slides would make a new user wait, and the storage would keep them for every new user. */
const maxOpeningSlides = 50

/**
 * Returns the first session of new accounts: the most saved one of those that administrators have
 * published as safe. The ratings of other users are unchecked.
 */
export async function findOpening(ctx: Context): Promise<number | null> {
  const { rows } = await sql<{ id: number }>`
    select s.id from community_sessions s
    join users u on u.id = s.owner_id
    where s.status = 'published' and not s.nsfw
      and (s.caption_theme is null or s.caption_theme = 'custom')
      and s.media_count between 1 and ${maxOpeningSlides}
      and u.role <> 'user' and u.is_active
      and not ${sql.raw(sessionIsHidden('s.session_id'))}
      and not exists (
        select from community_session_media m where m.community_session_id = s.id and m.nsfw
      )
    order by s.saved_count desc, s.published_at desc, s.id desc
    limit 1`.execute(ctx.db)
  return rows[0]?.id ?? null
}

/**
 * Locks the community session until the transaction ends, so that saves of the same publication run one
 * after the other.
 */
export async function lockPublished(
  ctx: Context,
  id: number,
): Promise<Pick<PublishedSession, 'status' | 'isHidden' | 'nsfw' | 'isAdult'> | undefined> {
  return ctx.db
    .selectFrom('community_sessions')
    .select([
      'status',
      'nsfw',
      sql<boolean>`${sql.raw(sessionIsHidden('community_sessions.session_id'))}`.as('isHidden'),
      sql<boolean>`${sql.raw(publishedIsAdult('community_sessions'))}`.as('isAdult'),
    ])
    .where('id', '=', id)
    .forNoKeyUpdate()
    .executeTakeFirst()
}

/** Returns the user's saved copy, if it is not in the trash. */
export async function findSaved(
  ctx: Context,
  communityId: number,
  userId: string,
): Promise<number | null> {
  const row = await ctx.db
    .selectFrom('community_saves')
    .select('session_id')
    .where('community_session_id', '=', communityId)
    .where('user_id', '=', userId)
    .where('session_id', 'in', (rows) => rows.selectFrom('live_sessions').select('id'))
    .executeTakeFirst()
  return row?.session_id ?? null
}

/** Inserts the save. A trigger counts it. */
export async function insertSave(
  ctx: Context,
  save: { communityId: number; userId: string; sessionId: number },
): Promise<void> {
  await sql`
    insert into community_saves (community_session_id, user_id, session_id, created_at)
    values (${save.communityId}, ${save.userId}, ${save.sessionId}, ${ctx.now()})
    -- The one before is in the trash.
    on conflict (community_session_id, user_id) do update
      set session_id = excluded.session_id, created_at = excluded.created_at`.execute(ctx.db)
}
