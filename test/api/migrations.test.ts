/** Migrations on a database that refuses them or is busy. */
import { Client } from 'pg'
import { afterEach, beforeEach, expect, test } from 'vitest'
import type { DatabaseHandle } from '../../src/server/database/database.ts'
import type { Migration } from '../../src/server/database/migrations.ts'
import { migrate, readMigrations } from '../../src/server/database/migrations.ts'
import { connectToServer } from '../../src/server/database/server.ts'
import { StartError } from '../../src/server/platform/start-error.ts'
import { addedMigration } from '../support/added-migration.ts'
import { copyTemplate, testOnServer, openTestDatabase } from '../support/test-database.ts'

let database: DatabaseHandle
let landed: Migration[]

beforeEach(async () => {
  database = await openTestDatabase()
  landed = await readMigrations()
})
afterEach(() => database.close())

const first = addedMigration('9001_first.sql', 'create table first_new (id integer primary key)')
const broken = addedMigration(
  '9002_broken.sql',
  'create table second_new (id integer); insert into second_new values (1); select 1 / 0',
)
const tableNames = async () =>
  (
    await database.query<{ name: string }>(
      "select table_name as name from information_schema.tables where table_name like '%\\_new'",
      [],
    )
  ).map(({ name }) => name)

test('a failing migration is rolled back, and earlier ones stay', async () => {
  const failing = migrate(database, { migrations: [...landed, first, broken] })
  const error: unknown = await failing.catch((reason: unknown) => reason)
  expect(error).toBeInstanceOf(StartError)
  expect(error).toMatchObject({
    message: 'the database cannot be migrated: migrations/9002_broken.sql: division by zero',
  })
  expect(await tableNames()).toEqual(['first_new'])

  const mended = addedMigration(broken.name, 'create table second_new (id integer)')
  expect(await migrate(database, { migrations: [...landed, first, mended] })).toEqual([broken.name])
  expect((await tableNames()).toSorted()).toEqual(['first_new', 'second_new'])
  expect(await migrate(database, { migrations: [...landed, first, mended] })).toEqual([])
})

testOnServer('a lock of another connection ends it, with one line', async () => {
  const url = await copyTemplate()
  const busy = await connectToServer(url)
  const holder = new Client({ connectionString: url })
  await holder.connect()
  try {
    await holder.query('begin; lock table users in access share mode')
    const change = addedMigration(
      '9001_change.sql',
      'alter table users add column something_new integer',
    )
    const migrations = [...landed, change]
    await expect(migrate(busy, { migrations, locksMs: 200 })).rejects.toThrow(
      'the database cannot be migrated: migrations/9001_change.sql: a table was in use by another ' +
        'connection for more than 0.2 s; the migration was rolled back, try again',
    )
    await holder.query('rollback')
    expect(await migrate(busy, { migrations, locksMs: 200 })).toEqual([change.name])
  } finally {
    await holder.end()
    await busy.close()
  }
})

testOnServer('a slow statement ends it as well', async () => {
  const slow = addedMigration(
    '9001_slow.sql',
    'create table first_new (id integer); select pg_sleep(600)',
  )
  const migrations = [...landed, slow]
  await expect(migrate(database, { migrations, statementMs: 200 })).rejects.toThrow(
    'migrations/9001_slow.sql: one statement took more than 0.2 s; the migration was rolled back',
  )
  expect(await tableNames()).toEqual([])
})
