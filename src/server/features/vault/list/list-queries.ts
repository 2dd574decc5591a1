/** The SQL of the vault's list. PostgreSQL writes each file's JSON, except its signed addresses. */
import type { Context } from '../../../context.ts'
import { isoTime, runStatement } from '../../../database/statement.ts'

export type VaultFilter = {
  readonly category?: string | undefined
  readonly since?: Date | undefined
  readonly search?: string | undefined
}

/** A position in the list. The files after it are older. */
export type VaultPosition = { readonly createdAt: string; readonly id: number }

export type ListedRow = {
  /** The file's JSON object without its closing brace. */
  readonly json: string
  readonly id: number
  readonly filePath: string
  /** Widths such as '320 640', or empty. */
  readonly widths: string
  readonly createdAt: string
}

const columns = `
  left(json_build_object('id', m.id, 'name', m.name, 'originalName', m.original_name,
    'category', m.category, 'size', m.file_size, 'lastModified', ${isoTime('m.created_at')},
    'created_at', ${isoTime('m.created_at')}, 'path', m.file_path, 'subfeed', m.subfeed,
    'width', m.width, 'height', m.height, 'isShared', s.code is not null, 'shareCode', s.code,
    'characterName', m.character_name, 'enrichmentStatus', m.enrichment_status,
    'enrichedAt', ${isoTime('m.enriched_at')},
    'type', case when m.mime_type = 'image/gif' then 'gif'
      when m.mime_type like 'video/%' then 'video' else 'image' end,
    'shareToCommunity', m.share_to_community, 'durationMs', m.duration_ms,
    'tags', m.tags, 'isFavorite', m.is_favorite)::text, -1) as json,
  m.id, m.file_path as "filePath", array_to_string(m.thumbnail_widths, ' ') as widths,
  ${isoTime('m.created_at', 'US')} as "createdAt"`

const select = `select ${columns} from live_media m left join media_shares s on s.media_id = m.id`

/** Lists files after a position, newest first. */
export function listRows(
  ctx: Context,
  userId: string,
  filter: VaultFilter,
  page: { after: VaultPosition | null; limit: number | null },
): Promise<ListedRow[]> {
  const { conditions, parameters, add } = conditionsOf(userId, filter)
  if (page.after)
    conditions.push(
      `(m.created_at, m.id) < (${add(page.after.createdAt)}::timestamptz, ${add(page.after.id)}::int)`,
    )
  const limit = page.limit === null ? '' : `limit ${add(page.limit)}::int`
  return runStatement<ListedRow>(
    ctx,
    `${select}
    where ${conditions.join(' and ')} order by m.created_at desc, m.id desc ${limit}`,
    parameters,
  )
}

/** Returns the file with this id in the same form as the list. */
export async function findListed(
  ctx: Context,
  userId: string,
  id: number,
): Promise<ListedRow | undefined> {
  const [row] = await runStatement<ListedRow>(ctx, `${select} where m.id = $1 and m.user_id = $2`, [
    id,
    userId,
  ])
  return row
}

export async function countRows(
  ctx: Context,
  userId: string,
  filter: VaultFilter,
): Promise<number> {
  const { conditions, parameters } = conditionsOf(userId, filter)
  const [row] = await runStatement<{ count: number }>(
    ctx,
    `select count(*)::int as count from live_media m where ${conditions.join(' and ')}`,
    parameters,
  )
  return row?.count ?? 0
}

export async function countCategories(
  ctx: Context,
  userId: string,
): Promise<ReadonlyMap<string, number>> {
  const rows = await runStatement<{ category: string; files: number }>(
    ctx,
    'select category, files from vault_counts where user_id = $1',
    [userId],
  )
  return new Map(rows.map(({ category, files }) => [category, files]))
}

/** Searches with `position`, not LIKE: a search for '%' must find the names that contain one. */
function conditionsOf(userId: string, { category, since, search }: VaultFilter) {
  const parameters: unknown[] = [userId]
  const add = (value: unknown) => `$${parameters.push(value)}`
  const conditions = ['m.user_id = $1']
  if (category !== undefined) conditions.push(`m.category = ${add(category)}`)
  if (since) conditions.push(`m.created_at >= ${add(since)}`)
  if (search !== undefined) {
    const words = add(search)
    const columns = ['m.file_name', 'm.original_name', 'm.caption', 'm.character_name']
    const finds = columns.map((column) => `position(lower(${words}) in lower(${column})) > 0`)
    conditions.push(`(${finds.join(' or ')})`)
  }
  return { conditions, parameters, add }
}
