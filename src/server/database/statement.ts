/**
 * Statements that are kept as text. The hottest ones are: putting them together anew on each request,
 * and walking them through the query builder, costs more than the database takes.
 */
import { CompiledQuery } from 'kysely'
import type { Context } from '../context.ts'
import type { Database } from './database.ts'

/** Part of the context's transaction where it is in one. `Row` is what the text selects. */
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
 * For what nobody reads the answer of: in a transaction it goes out with the next statement or with the
 * commit, and where it fails, those fail.
 */
export async function runUnread(
  db: Database,
  text: string,
  parameters: readonly unknown[],
): Promise<void> {
  const own = [...parameters]
  unread.add(own)
  await db.executeQuery(CompiledQuery.raw(text, own))
}

/** By the very list that the statement was given. */
export const isUnread = (parameters: readonly unknown[]) => unread.has(parameters)

/** SQL: ISO 8601 in UTC, with milliseconds as JavaScript has them, or with all that the column knows. */
export const isoTime = (column: string, fraction: 'MS' | 'US' = 'MS') =>
  `to_char(${column} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.${fraction}"Z"')`

/** `place` is what its statement orders by, and begins after. */
export type PlacedRow = { readonly place: number }

/**
 * The statement takes the user as its first parameter and the last place as its second. No
 * transaction waits for a slow reader.
 */
export async function* pagedRows<Row extends PlacedRow>(
  ctx: Context,
  statement: string,
  userId: string,
): AsyncGenerator<Row> {
  for (let after: number | undefined = 0; after !== undefined;) {
    const rows: Row[] = await runStatement<Row>(ctx, statement, [userId, after])
    yield* rows
    after = rows.at(-1)?.place
  }
}
