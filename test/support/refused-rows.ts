/** A database that does not take a row, for tests of what is told and left behind then. */
import { sql } from 'kysely'
import type { Context } from '../../src/server/context.ts'

/** No row of the table can be written for as long as the work takes. */
export async function refusingRows(
  { db }: Pick<Context, 'db'>,
  table: string,
  work: () => Promise<void>,
): Promise<void> {
  await sql`create function refuse_row() returns trigger language plpgsql as
    $$ begin raise exception 'refused'; end $$`.execute(db)
  await sql`create trigger refuse before insert on ${sql.table(table)}
    for each row execute function refuse_row()`.execute(db)
  try {
    await work()
  } finally {
    await sql`drop trigger refuse on ${sql.table(table)}`.execute(db)
    await sql`drop function refuse_row()`.execute(db)
  }
}
