/** The SQL of sessions' own files. */
import { sql } from 'kysely'
import type { Context } from '../../../context.ts'

/** Of the slides that are not kept; of the session itself too where `kept` is null. */
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
