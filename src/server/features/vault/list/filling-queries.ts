/** The SQL of vault files for filling sessions, newest first. */
import type { Context } from '../../../context.ts'
import { runStatement } from '../../../database/statement.ts'
import { fileIsHidden } from '../../visibility/visibility.ts'

export type FillingFile = {
  readonly id: number
  readonly name: string
  readonly fileName: string
  readonly mimeType: string
  readonly filePath: string
  readonly thumbnailWidths: readonly number[]
  readonly width: number
  readonly height: number
  readonly nsfw: boolean
  readonly createdAtUnixS: number
}

type Which = { readonly tag: string | null; readonly onlyFavorites: boolean }

const fillingStatement = `
  select m.id, m.name, m.file_name as "fileName", m.mime_type as "mimeType", m.file_path as "filePath",
    m.thumbnail_widths as "thumbnailWidths", m.width, m.height, m.nsfw,
    extract(epoch from m.created_at)::int as "createdAtUnixS"
  from live_media m
  where m.user_id = $1 and ($2::int is null or m.id < $2)
    and ($3::text is null or m.tags @> array[$3]) and (not $4::boolean or m.is_favorite)
    and m.enrichment_status <> 'failed' and not ${fileIsHidden('user-media', 'm.file_path')}
  order by m.id desc limit $5`

/** Lists files after a page. `after` is the id of the last file on it. */
export function listForFilling(
  ctx: Pick<Context, 'db' | 'query'>,
  userId: string,
  { tag, onlyFavorites }: Which,
  page: { readonly after: number | null; readonly limit: number },
): Promise<FillingFile[]> {
  const parameters = [userId, page.after, tag, onlyFavorites, page.limit]
  return runStatement<FillingFile>(ctx, fillingStatement, parameters)
}

/** Returns the tags of a user's files, sorted. */
export async function listOwnTags(
  ctx: Pick<Context, 'db' | 'query'>,
  userId: string,
): Promise<string[]> {
  const rows = await runStatement<{ tag: string }>(
    ctx,
    `select distinct unnest(tags) as tag from live_media where user_id = $1 order by tag limit 500`,
    [userId],
  )
  return rows.map(({ tag }) => tag)
}
