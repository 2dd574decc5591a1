/** A database that refuses a row, for tests of the resulting message and state. */
import { sql } from 'kysely'
import type { Context } from '../../src/server/context.ts'

/** Refuses inserts into the table while the work runs. */
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
