/** Reads a database that no process uses, and checks its invariants. */
import assert from 'node:assert/strict'
import { sql } from 'kysely'
import { openDatabase } from '../../src/server/database/database.ts'
import { readMigrations } from '../../src/server/database/migrations.ts'

export type DatabaseState = {
  /** Each migration with its time. */
  readonly migrations: { name: string; appliedAt: string }[]
  /** First names by email address. */
  readonly names: Map<string, string | null>
}

export async function readDatabaseState(place: {
  databaseUrl: string | undefined
  dataDir: string
}): Promise<DatabaseState> {
  const database = await openDatabase(place)
  try {
    const { rows: migrations } = await sql<{ name: string; appliedAt: string }>`
      select name, applied_at::text as "appliedAt" from schema_migrations order by name
    `.execute(database.db)
    const known = await readMigrations()
    assert.deepEqual(
      migrations.map(({ name }) => name),
      known.map(({ name }) => name),
    )
    const { rows: unbalanced } = await sql`
      select users.id, balance, count(credit_transactions.id), sum(amount)
      from users
      left join credit_accounts on credit_accounts.user_id = users.id
      left join credit_transactions on credit_transactions.user_id = users.id
      group by users.id, balance
      having balance is distinct from sum(amount) or balance is null
        or count(*) filter (where description = 'Welcome credits') <> 1
    `.execute(database.db)
    assert.deepEqual(unbalanced, [], 'a balance is not the sum of its transactions')
    const users = await database.db.selectFrom('users').select(['email', 'first_name']).execute()
    assert.ok(users.length >= 3, 'the development accounts are missing')
    const names = new Map(users.map((user) => [user.email, user.first_name]))
    assert.equal(names.size, users.length)
    return { migrations, names }
  } finally {
    await database.close()
  }
}
