/** Compares the TypeScript types of the tables with the database that the migrations make. */
import { globSync, readFileSync } from 'node:fs'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import {
  publishedSlideColumns,
  slideColumns,
} from '../../src/server/features/sessions/slides/slide-columns.ts'
import { openTestDatabase } from '../support/test-database.ts'

const server = new URL('../../src/server/', import.meta.url)
const source = globSync('**/tables.ts', { cwd: server })
  .map((file) => readFileSync(new URL(file, server), 'utf8'))
  .join('\n')

/** Column types that tables.ts derives from a list. */
const columnLists: Readonly<Record<string, Record<string, { name: string; unknown: unknown }>>> = {
  publishedSlideColumns,
  slideColumns,
}

test('the tables.ts of all features name every table and column, and which may be null', async () => {
  const database = await openTestDatabase()
  const { rows } = await sql<{ column: string }>`
    select table_name || '.' || column_name || case is_nullable when 'YES' then '?' else '' end as "column"
    from information_schema.columns join information_schema.tables using (table_schema, table_name)
    where table_schema = 'public' and table_type = 'BASE TABLE'
      and table_name <> 'schema_migrations'`.execute(database.db)
  await database.close()
  expect(declaredColumns().toSorted()).toEqual(rows.map(({ column }) => column).toSorted())
})

test('what is not in the trash has every column of its table, in the same order', async () => {
  const database = await openTestDatabase()
  const columnsOf = async (table: string) => {
    const { rows } = await sql<{ name: string }>`
      select column_name as name from information_schema.columns
      where table_schema = 'public' and table_name = ${table} order by ordinal_position`.execute(
      database.db,
    )
    return rows.map(({ name }) => name)
  }
  expect(await columnsOf('live_sessions')).toEqual(await columnsOf('sessions'))
  expect(await columnsOf('live_media')).toEqual(await columnsOf('vault_media'))
  await database.close()
})

function declaredColumns(): string[] {
  const lists = [...source.matchAll(/ {2}interface Tables \{\n(.*?)\n {2}\}/gs)]
  return [
    ...lists
      .map(([, list]) => list)
      .join('\n')
      .matchAll(/^ {4}(\w+): (\w+)$/gm),
  ].flatMap(([, table, type]) => {
    // A view has the columns of its table.
    if (table?.startsWith('live_')) return []
    const declared = new RegExp(
      `type ${type} = (?:ColumnsOf<typeof (\\w+)> & )?\\{\\n(.*?)\\n\\}`,
      's',
    )
    const [, list = '', body = ''] = declared.exec(source) ?? []
    const written = [...body.matchAll(/^ {2}(\w+): (.*)$/gm)].map(
      ([, column, columnType]) => `${column}${columnType?.includes('| null') ? '?' : ''}`,
    )
    const listed = Object.values(columnLists[list] ?? {}).map(
      ({ name, unknown }) => `${name}${unknown === null ? '?' : ''}`,
    )
    return [...written, ...listed].map((column) => `${table}.${column}`)
  })
}
