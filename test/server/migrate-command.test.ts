/** `npm run migrate` on a database that is ahead of the code. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { parseConfig } from '../../src/server/config/config.ts'
import { openDatabase } from '../../src/server/database/database.ts'
import { runCommand } from '../support/command.ts'
import type { PostgresServer } from '../support/postgres-server.ts'
import { startPostgres } from '../support/postgres-server.ts'

let postgres: PostgresServer

beforeAll(async () => {
  postgres = await startPostgres()
})
afterAll(() => postgres.stop())

test('a migration that fails is one line, and ends the command with 1', async () => {
  await postgres.administer('create database ahead')
  const settings = {
    DATABASE_URL: postgres.urlOf('ahead'),
    SESSION_SECRET: 'a secret that is long enough',
  }
  expect(await runCommand('npm run migrate', settings)).toMatchObject({ code: 0 })
  const database = await openDatabase(parseConfig(settings))
  const unknown = `insert into schema_migrations values ('9999_later.sql', 'x', now())`
  await database.runScripts((scripts) => scripts.run(unknown))
  await database.close()
  expect(await runCommand('npm run migrate', settings)).toEqual({
    code: 1,
    stdout: '',
    stderr: expect.stringMatching(/^.*9999_later\.sql.*\n$/),
  })
})
