/**
 * Runs a statement that is kept as text. The hottest ones are: putting them together anew on each
 * request, and walking them through the query builder, costs more than the database takes.
 */
import { CompiledQuery } from 'kysely'
import type { Context } from '../context.ts'

/** Part of the context's transaction where it is in one. `Row` is what the text selects. */
export async function runStatement<Row>(
  ctx: Context,
  text: string,
  parameters: readonly unknown[] = [],
): Promise<Row[]> {
  if (!ctx.db.isTransaction) return ctx.query<Row>(text, parameters)
  const { rows } = await ctx.db.executeQuery(CompiledQuery.raw(text, [...parameters]))
  return rows as Row[]
}
