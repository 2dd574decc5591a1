/** The statements and notifications of a node's job queue on PostgreSQL, while nothing happens. */
import { Client } from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openDatabase } from '../../src/server/database/database.ts'
import { createNames, createRepeatNames } from '../../src/server/database/named-statements.ts'
import type { PostgresServer } from '../support/postgres-server.ts'
import { startPostgres } from '../support/postgres-server.ts'
import { endServices, startService } from '../support/service-process.ts'

let postgres: PostgresServer

beforeAll(async () => {
  postgres = await startPostgres()
  await postgres.administer('create database queue')
})
afterAll(async () => {
  await endServices()
  await postgres?.stop()
})

const asked = `select count(*)::int as known from pg_prepared_statements where $1::int = 1`

/** Runs a query five times and returns how many prepared statements the connection then has. */
async function knownAfterFive(databaseDirectUrl?: string): Promise<unknown> {
  const databaseUrl = postgres.urlOf('queue')
  const database = await openDatabase({ databaseUrl, databaseDirectUrl, dataDir: '' })
  try {
    const { db } = database.queueConnection
    for (let time = 1; time < 5; time += 1) await db?.executeSql(asked, [1])
    return (await db?.executeSql(asked, [1]))?.rows
  } finally {
    await database.close()
  }
}

test('a repeated statement of the queue is prepared', async () => {
  expect(await knownAfterFive()).toEqual([{ known: 1 }])
})

test('behind a pooler it is not, since the next connection would not know it', async () => {
  const past = new URL(postgres.urlOf('queue'))
  past.hostname = 'localhost'
  expect(await knownAfterFive(past.href)).toEqual([{ known: 0 }])
})

test('a text has no name the first time, and of endlessly many only some get one', () => {
  const repeatName = createRepeatNames()
  expect(repeatName('select 1')).toBeUndefined()
  expect(repeatName('select 1')).toMatch(/^[\w-]{24}$/)
  for (let time = 0; time < 3; time += 1) expect(repeatName('select 1; select 2')).toBeUndefined()
  const texts = Array.from({ length: 1000 }, (_, number) => `select ${number} as number`)
  for (const text of texts) repeatName(text)
  expect(texts.filter((text) => repeatName(text) !== undefined)).toHaveLength(299)
  expect(repeatName('select 1')).toBeDefined()
})

test('of our own texts, too, endlessly many do not each get a name', () => {
  const nameOf = createNames()
  const known = nameOf('select 1')
  const texts = Array.from({ length: 6000 }, (_, number) => `select ${number} as ours`)
  expect(texts.filter((text) => nameOf(text) !== undefined)).toHaveLength(4999)
  expect(nameOf('select 1')).toBe(known)
})

test('only a node that works on jobs hears of each that is promised', async () => {
  await postgres.administer('create database roles')
  const DATABASE_URL = postgres.urlOf('roles')
  const client = new Client({ connectionString: DATABASE_URL })
  await client.connect()
  /** Returns the connections that only listen: for jobs, and for events of the site. */
  const listeners = async () => {
    const { rows } = await client.query<{ name: string }>(
      `select substring(application_name from '^lanternist-([a-z]+)') as name
        from pg_stat_activity
        where application_name ~ '^lanternist-(listen|notify)-' order by 1`,
    )
    return rows.map(({ name }) => name)
  }
  const settings = { DATABASE_URL, SESSION_SECRET: 'a secret of thirty-two letters or more' }
  const web = await startService(settings, { words: ['--role', 'web'] })
  expect(await listeners()).toEqual(['notify'])
  await web.stop()
  await startService(settings, { words: ['--role', 'worker'] })
  await expect.poll(listeners).toEqual(['listen', 'notify'])
  await client.end()
})
