/** The SQL of file addresses in rows of other features. */
import type { Context } from '../../context.ts'
import { runStatement } from '../../database/statement.ts'

type StoredAddress = {
  readonly table: string
  /** Its primary key. */
  readonly key: readonly string[]
  readonly column: string
  readonly type: 'text' | 'json' | 'jsonb'
}

/**
 * Every column that stores signed addresses for longer than a few days. Pictures of a missing column
 * break when the secret that signed them is removed. `secret-change.test.ts` searches all columns for
 * such addresses.
 */
export const storedAddresses: readonly StoredAddress[] = [
  { table: 'sessions', key: ['id'], column: 'thumbnail', type: 'text' },
  { table: 'session_media', key: ['id'], column: 'media_url', type: 'text' },
  { table: 'session_media', key: ['id'], column: 'thumbnail', type: 'text' },
  { table: 'trashed_covers', key: ['session_id'], column: 'thumbnail', type: 'text' },
  { table: 'media_renditions', key: ['bucket', 'key'], column: 'sizes', type: 'json' },
  { table: 'community_publications', key: ['id'], column: 'snapshot', type: 'jsonb' },
  { table: 'reports', key: ['id'], column: 'evidence', type: 'jsonb' },
]

const rowsAtOnce = 1000

type RowKey = readonly unknown[]

export async function* findStoredAddresses(
  ctx: Context,
  { table, key, column }: StoredAddress,
): AsyncGenerator<{ rowKey: RowKey; text: string }> {
  const keys = key.join(', ')
  const isAfter = `(${keys}) > (${key.map((_, index) => `$${index + 1}`).join(', ')})`
  for (let after: RowKey | undefined, isDone = false; !isDone;) {
    const rows = await runStatement<{ rowKey: RowKey; text: string }>(
      ctx,
      `select json_build_array(${keys}) as "rowKey", ${column}::text as text from ${table}
       where ${column}::text like '%/media/%s=%' ${after ? `and ${isAfter}` : ''}
       order by ${keys} limit ${rowsAtOnce}`,
      after,
    )
    yield* rows
    after = rows.at(-1)?.rowKey
    isDone = rows.length < rowsAtOnce
  }
}

/** Returns false if the value has changed meanwhile. */
export async function replaceStoredAddress(
  ctx: Context,
  { table, key, column, type }: StoredAddress,
  rowKey: RowKey,
  { text, after }: { readonly text: string; readonly after: string },
): Promise<boolean> {
  const isRow = key.map((name, index) => `${name} = $${index + 3}`).join(' and ')
  const rows = await runStatement(
    ctx,
    `update ${table} set ${column} = $2::${type}
     where ${isRow} and ${column}::text = $1 returning 1`,
    [text, after, ...rowKey],
  )
  return rows.length > 0
}
