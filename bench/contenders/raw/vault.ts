/**
 * The vault's list: PostgreSQL builds the files' JSON, and this code inserts the signed URLs. It does not
 * check for files that were stored without a row.
 */
import { createHmac, createSecretKey } from 'node:crypto'
import type { Handler } from '../raw.ts'
import { signedInUserId } from './sign-in.ts'

const urlKey = createSecretKey(
  createHmac('sha256', process.env['SESSION_SECRET'] ?? '')
    .update('lanternist/media-url/1')
    .digest(),
)

/** The columns of `vault_media m` and `media_shares s`. */
export const fileColumns = `left(json_build_object('id', m.id, 'name', m.name,
      'originalName', m.original_name, 'category', m.category, 'size', m.file_size,
      'lastModified', ${isoTime('m.created_at')}, 'created_at', ${isoTime('m.created_at')},
      'path', m.file_path, 'subfeed', m.subfeed, 'width', m.width, 'height', m.height,
      'isShared', s.code is not null, 'shareCode', s.code, 'characterName', m.character_name,
      'enrichmentStatus', m.enrichment_status, 'enrichedAt', ${isoTime('m.enriched_at')},
      'type', case when m.mime_type = 'image/gif' then 'gif'
        when m.mime_type like 'video/%' then 'video' else 'image' end,
      'shareToCommunity', m.share_to_community, 'durationMs', m.duration_ms, 'tags', m.tags,
      'isFavorite', m.is_favorite)::text, -1) as json,
      m.id, m.file_path, array_to_string(m.thumbnail_widths, ' ') as widths,
      ${isoTime('m.created_at', 'US')} as created_at`

const listFiles = {
  name: 'list-files',
  text: `select ${fileColumns}
    from vault_media m left join media_shares s on s.media_id = m.id
    where m.user_id = $1 order by m.created_at desc, m.id desc limit $2`,
}

const countFiles = {
  name: 'count-files',
  text: `select json_build_object('totalCount', coalesce(sum(files), 0),
      'categories', json_build_object(${['smart-caption', 'babecock', 'hypnococks', 'upload']
        .map((name) => `'${name}', coalesce(sum(files) filter (where category = '${name}'), 0)`)
        .join(', ')}))::text as json
    from vault_counts where user_id = $1`,
}

export type FileRow = {
  json: string
  id: number
  file_path: string
  widths: string
  created_at: string
}

export const vaultRoutes: Readonly<Record<string, Handler>> = {
  'GET /api/user/media': async (pool, request) => {
    const userId = await signedInUserId(pool, request)
    if (userId === null) return { status: 401, json: '{"message":"Unauthorized"}' }
    const limit = Number(/[?&]limit=(\d+)/.exec(request.url ?? '')?.[1] ?? 0)
    const [found, counted] = await Promise.all([
      pool.query<FileRow>({ ...listFiles, values: [userId, limit ? limit + 1 : null] }),
      pool.query<{ json: string }>({ ...countFiles, values: [userId] }),
    ])
    const page = limit ? found.rows.slice(0, limit) : found.rows
    const last = found.rows.length > page.length ? page.at(-1) : undefined
    const cursor =
      last && Buffer.from(JSON.stringify([last.created_at, last.id])).toString('base64url')
    const files = page.map((row) => fileJson(userId, row)).join(',')
    const rest = counted.rows[0]?.json.slice(1, -1)
    const nextCursor = JSON.stringify(cursor ?? null)
    return { status: 200, json: `{"files":[${files}],${rest},"nextCursor":${nextCursor}}` }
  },
}

export function fileJson(userId: string, { json, id, file_path, widths }: FileRow): string {
  const made = widths
    .split(' ')
    .filter((width) => width !== '')
    .map((width) => {
      const url = urlOf(`users/${userId}/derived/${id}/${width}.webp`)
      return `{"width":${width},"url":"${url}"}`
    })
  return `${json},"url":"${urlOf(file_path)}","thumbnails":[${made.join(',')}]}`
}

function urlOf(key: string): string {
  const digest = createHmac('sha256', urlKey).update(`user-media/${key}`).digest('base64url')
  return `/media/user-media/${key}?s=${digest.slice(0, 24)}`
}

function isoTime(column: string, fraction = 'MS'): string {
  return `to_char(${column} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.${fraction}"Z"')`
}
