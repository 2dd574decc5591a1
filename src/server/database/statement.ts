/**
 * Statements as plain text, for the hottest queries: building them with the query builder on each request
 * costs more than running them.
 */
import { CompiledQuery } from 'kysely'
import type { Context } from '../context.ts'
import type { Database } from './database.ts'

/** Runs in the context's transaction if there is one. `Row` is the type of the selected rows. */
export async function runStatement<Row>(
  ctx: Pick<Context, 'db' | 'query'>,
  text: string,
  parameters: readonly unknown[] = [],
): Promise<Row[]> {
  if (!ctx.db.isTransaction) return ctx.query<Row>(text, parameters)
  const { rows } = await ctx.db.executeQuery(CompiledQuery.raw(text, [...parameters]))
  return rows as Row[]
}

const unread = new WeakSet<readonly unknown[]>()

/**
 * Runs a fire-and-forget statement. In a transaction it is sent with the next statement or the commit,
 * and if it fails, they fail.
 */
export async function runFireAndForget(
  db: Database,
  text: string,
  parameters: readonly unknown[],
): Promise<void> {
  const own = [...parameters]
  unread.add(own)
  await db.executeQuery(CompiledQuery.raw(text, own))
}

/** Recognises the statement by the identity of its parameter list. */
export const isUnread = (parameters: readonly unknown[]) => unread.has(parameters)

/** SQL: ISO 8601 in UTC, with milliseconds as in JavaScript, or with the column's microseconds. */
export const isoTime = (column: string, fraction: 'MS' | 'US' = 'MS') =>
  `to_char(${column} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.${fraction}"Z"')`

/** `cursor` is the column that the statement orders by; a page begins after the last one. */
export type PagedRow = { readonly cursor: number }

/**
 * Reads page by page, so no transaction waits for a slow reader. The statement takes the user as its first
 * parameter and the last `cursor` as its second.
 */
export async function* pagedRows<Row extends PagedRow>(
  ctx: Context,
  statement: string,
  userId: string,
): AsyncGenerator<Row> {
  for (let after: number | undefined = 0; after !== undefined;) {
    const rows: Row[] = await runStatement<Row>(ctx, statement, [userId, after])
    yield* rows
    after = rows.at(-1)?.cursor
  }
}
