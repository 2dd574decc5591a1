/** Holds the tables as TypeScript sees them against the database as the migrations made it. */
import { globSync, readFileSync } from 'node:fs'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { openTestDatabase } from '../support/test-database.ts'

const server = new URL('../../src/server/', import.meta.url)
const source = globSync('**/tables.ts', { cwd: server })
  .map((file) => readFileSync(new URL(file, server), 'utf8'))
  .join('\n')

test('the tables.ts of all features name every table and column, and which may be null', async () => {
  const database = await openTestDatabase()
  const { rows } = await sql<{ column: string }>`
    select table_name || '.' || column_name || case is_nullable when 'YES' then '?' else '' end as "column"
    from information_schema.columns
    where table_schema = 'public' and table_name <> 'schema_migrations'`.execute(database.db)
  await database.close()
  expect(declaredColumns().toSorted()).toEqual(rows.map(({ column }) => column).toSorted())
})

function declaredColumns(): string[] {
  const lists = [...source.matchAll(/ {2}interface Tables \{\n(.*?)\n {2}\}/gs)]
  return [
    ...lists
      .map(([, list]) => list)
      .join('\n')
      .matchAll(/^ {4}(\w+): (\w+)$/gm),
  ].flatMap(([, table, type]) => {
    const [, body = ''] = new RegExp(`type ${type} = \\{\\n(.*?)\\n\\}`, 's').exec(source) ?? []
    return [...body.matchAll(/^ {2}(\w+): (.*)$/gm)].map(
      ([, column, columnType]) => `${table}.${column}${columnType?.includes('| null') ? '?' : ''}`,
    )
  })
}
