/** A node that serves while the migrations of another version change its tables. */
import { sql } from 'kysely'
import { Client } from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { atomically } from '../../src/server/database/atomically.ts'
import { migrate, readMigrations } from '../../src/server/database/migrations.ts'
import { connectToServer } from '../../src/server/database/server.ts'
import { addedMigration } from '../support/added-migration.ts'
import { eventually } from '../support/eventually.ts'
import { copyTemplate, testOnServer } from '../support/test-database.ts'
import type { Person, World } from '../support/world.ts'
import { createWorld } from '../support/world.ts'

let world: World
let ana: Person

beforeAll(async () => {
  world = await createWorld()
  ana = await world.as('ana')
})
afterAll(() => world.close())

let length = 300

/**
 * Makes a change that migrations must not make. It affects prepared statements as an added column affects
 * `select *`.
 */
async function changeColumnType(): Promise<void> {
  length += 1
  await sql
    .raw(`alter table users alter column first_name type varchar(${length})`)
    .execute(world.ctx.db)
}

/** Runs it several times at once, so that each connection has its own prepared plans. */
const often = <T>(work: () => Promise<T>) => Promise.all(Array.from({ length: 6 }, work))

test('statements are planned again after a column has changed its type', async () => {
  await often(() => ana.accounts.currentUser())
  await changeColumnType()
  for (const user of await often(() => ana.accounts.currentUser()))
    expect(user.firstName).toBe('ana')
})

test('a transaction is planned again too, at any of its statements', async () => {
  const rename = (firstName: string) => ana.accounts.updateProfile({ body: { firstName } })
  const readLast = () =>
    atomically(world.ctx, async (ctx) => {
      await ctx.db.selectFrom('sessions').select('id').execute()
      await ctx.db
        .updateTable('users')
        .set({ last_name: 'changed' })
        .where('id', '=', 'x')
        .execute()
      return ctx.db.selectFrom('users').select('first_name').execute()
    })
  await rename('before')
  await often(readLast)
  await changeColumnType()
  for (const found of await often(readLast)) expect(found).toContainEqual({ first_name: 'before' })
  await changeColumnType()
  expect(await rename('after')).toMatchObject({ firstName: 'after' })
})

testOnServer('a migration that waits for a table lets later statements pass', async () => {
  const url = await copyTemplate()
  const database = await connectToServer(url)
  const [reader, writer, observer] = await Promise.all([open(url), open(url), open(url)])
  const script =
    'alter table tags add column first_new integer; alter table users add column second_new integer'
  const change = addedMigration('9001_two.sql', script)
  try {
    await writer.query("begin; update users set last_name = 'x'")
    await reader.query('begin; select from tags')
    const migrating = migrate(database, { migrations: [...(await readMigrations()), change] })
    await eventually(async () => expect(await waiting(observer)).toBe(1))
    let isDone = false
    const writing = writer.query("update tags set description = 'x'").finally(() => (isDone = true))
    await eventually(async () => expect(isDone || (await waiting(observer)) === 2).toBe(true))
    await reader.query('commit')
    await writing
    await writer.query('commit')
    expect(await migrating).toEqual([change.name])
  } finally {
    await Promise.all([reader, writer, observer].map((client) => client.end()))
    await database.close()
  }
})

async function open(url: string): Promise<Client> {
  const client = new Client({ connectionString: url })
  await client.connect()
  return client
}

async function waiting(client: Client): Promise<number> {
  const { rows } = await client.query(
    'select count(distinct pid)::int as count from pg_locks where not granted and database = (select oid from pg_database where datname = current_database())',
  )
  return rows[0].count
}
