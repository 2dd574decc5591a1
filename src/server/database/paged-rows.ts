/** All that somebody has of something, read in pages. */
import type { Context } from '../context.ts'
import { runStatement } from './statement.ts'

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
