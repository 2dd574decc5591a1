/**
 * The endpoints of the sessions benchmark. Each read is one statement in addition to the sign-in's. A new
 * session is one transaction: one statement for the debit, its entry, the session and its first event, and
 * another for the job, as with any queue.
 */
import type { IncomingMessage } from 'node:http'
import type { Pool } from 'pg'
import { coverUrl } from '../../../src/server/features/sessions/covers.ts'
import type { Answer, Handler } from '../raw.ts'
import { signedInUserId } from './sign-in.ts'

const session = `
  s.id, s.title, s.user_id as "userId", s.subfeeds, s.category_id as "categoryId",
  s.category_source as "categorySource", s.interval_min as "intervalMin",
  s.interval_max as "intervalMax", s.transition, s.thumbnail, s.ai_prompt as "aiPrompt",
  s.caption_theme as "captionTheme", s.is_public as "isPublic",
  s.share_to_community as "shareToCommunity", s.is_favorite as "isFavorite",
  s.is_manual_mode as "isManualMode", s.is_imported as "isImported",
  s.import_source as "importSource", s.import_url as "importUrl", s.tags,
  s.nsfw_given or s.nsfw_media or coalesce(s.caption_theme <> 'custom', false) as nsfw,
  s.media_count as "mediaCount", s.fill_status as "fillStatus", s.fill_error as "fillError",
  case when s.links_checked_at is not null then (select row_to_json(h) from (
    select ${isoTime('s.links_checked_at')} as "checkedAt", s.broken_count as "brokenCount",
      s.replaced_count as "replacedCount") h) end as "linkHealth",
  s.refresh_due_at is not null as "refreshDaily",
  ${isoTime('s.created_at')} as "createdAt", ${isoTime('s.updated_at')} as "updatedAt"`

const slide = `
  m.id, m.session_id as "sessionId", m.media_url as "mediaUrl", m.thumbnail, m.caption, m.type,
  m.feed_post_id as "feedPostId", m.feed_post_url as "feedPostUrl", m.subfeed, m.alt, m.credit,
  m.position as "order", m.width, m.height, m.duration_ms as "durationMs", m.nsfw,
  r.length_ms as "lengthMs", r.sizes, coalesce(m.author_focus::json, r.focus) as focus, m.is_broken as "isBroken"`

const sessionJson = `(select row_to_json(v) from (select ${session}) v)`

const listSessions = {
  name: 'list-sessions',
  text: `select coalesce(json_agg(v), '[]')::text as json
    from (select ${session} from sessions s where s.user_id = $1 order by s.id desc) v`,
}

const readSession = {
  name: 'read-session',
  text: `select json_build_object('session', ${sessionJson}, 'media', coalesce((
      select json_agg(v) from (
        select ${slide} from session_media m
        left join vault_media f on f.id = m.vault_media_id
        left join media_renditions r on r.bucket = 'user-media'
          and r.key = coalesce(m.own_file_key, f.display_path)
        where m.session_id = s.id and (not m.nsfw or s.user_id = $2
          or (select age_verified from users where users.id = $2))
        order by m.position
      ) v
    ), '[]'), 'skipped', case when s.user_id = $2 then s.skipped_media else '[]' end, 'isCopying',
      exists (select from session_imports i where i.session_id = s.id))::text as json
    from sessions s where s.id = $1 and (s.user_id = $2 or s.is_public)`,
}

const createSession = {
  name: 'create-session',
  text: `with price as (
      select credits_required from feature_pricing where feature_key = 'session_create' and is_active
    ), account as (
      update credit_accounts set balance = balance - credits_required from price
      where user_id = $1 and balance >= credits_required
      returning balance, credits_required
    ), entry as (
      insert into credit_transactions
        (user_id, amount, type, description, feature_key, balance_after, created_at)
      select $1, -credits_required, 'spend', $2, 'session_create', balance, $9 from account
      returning id
    ), s as (
      insert into sessions (user_id, title, subfeeds, category_id, category_source, interval_min,
        interval_max, transition, thumbnail, fill_status, fill_number, fill_debit_id, event_seq,
        created_at, updated_at)
      select $1, $3, $4, (select id from categories where is_default), 'default', $5, $6, $7, $8,
        'pending', 1, entry.id, 1, $9, $9
      from entry
      returning *
    ), event as (
      insert into session_events (session_id, seq, type, data, created_at)
      select id, 1, 'fill', '{"status": "pending", "done": 0, "total": 25}', $9 from s
    )
    select s.id, ${sessionJson}::text as json from s`,
}

const promiseFill = {
  name: 'promise-fill',
  text: `with job as (
      insert into bench_jobs (name, payload, created_at) values ('fill-session', $1, $2) returning id
    )
    select pg_notify('bench_jobs', 'fill-session') from job`,
}

const unauthorized: Answer = { status: 401, json: '{"message":"Authentication required"}' }

export const sessionRoutes: Readonly<Record<string, Handler>> = {
  'GET /api/sessions': async (pool, request) => {
    const userId = await signedInUserId(pool, request)
    if (userId === null) return unauthorized
    const { rows } = await pool.query<{ json: string }>({ ...listSessions, values: [userId] })
    return { status: 200, json: rows[0]?.json ?? '[]' }
  },
  'GET /api/sessions/:id': async (pool, request) => {
    const userId = await signedInUserId(pool, request)
    if (userId === null) return unauthorized
    const id = Number(request.url?.slice('/api/sessions/'.length))
    const { rows } = await pool.query<{ json: string }>({ ...readSession, values: [id, userId] })
    return rows[0]
      ? { status: 200, json: rows[0].json }
      : { status: 404, json: '{"message":"Session not found"}' }
  },
  'POST /api/sessions': async (pool, request) => {
    const [userId, body] = await Promise.all([signedInUserId(pool, request), textOf(request)])
    if (userId === null) return unauthorized
    const made = await create(pool, userId, JSON.parse(body) as NewSession)
    return made === null
      ? { status: 402, json: '{"error":"Insufficient credits"}' }
      : { status: 201, json: made }
  },
}

type NewSession = {
  title: string
  subfeeds: string
  intervalMin?: number
  intervalMax?: number
  transition?: string
}

async function create(pool: Pool, userId: string, body: NewSession): Promise<string | null> {
  const { title, intervalMin = 3, intervalMax = 10, transition = 'fade' } = body
  const subfeeds = body.subfeeds.split(',')
  const now = new Date()
  const client = await pool.connect()
  try {
    await client.query('begin')
    const { rows } = await client.query<{ id: number; json: string }>({
      ...createSession,
      values: [
        userId,
        `Session “${title}”`,
        title,
        subfeeds,
        intervalMin,
        intervalMax,
        transition,
        coverUrl(subfeeds),
        now,
      ],
    })
    const [made] = rows
    if (made) {
      const payload = JSON.stringify({ sessionId: made.id, fillNumber: 1 })
      await client.query({ ...promiseFill, values: [payload, now] })
    }
    await client.query('commit')
    client.release()
    return made?.json ?? null
  } catch (error) {
    // Closed instead of returned to the pool: it may still be in its transaction.
    client.release(true)
    throw error
  }
}

function textOf(request: IncomingMessage): Promise<string> {
  return new Promise((resolve, reject) => {
    let text = ''
    request.setEncoding('utf8')
    request.on('data', (chunk: string) => (text += chunk))
    request.on('end', () => resolve(text))
    request.on('error', reject)
  })
}

function isoTime(column: string): string {
  return `to_char(${column} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`
}
