/** The work of PostgreSQL for the hot statements of a site with some thousand sessions. */
import { Client } from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { SeededServer } from '../support/seeded-database.ts'
import { startSeededServer } from '../support/seeded-database.ts'

const size = { users: 300, sessions: 3000, slides: 75_000 }
let server: SeededServer
let url: string

beforeAll(async () => {
  server = await startSeededServer()
  url = await server.makeSite('seeded', size)
})
afterAll(() => server?.postgres.stop())

test('no hot statement scans a large table, or reads many rows to return few', async () => {
  const { statements, faults } = await server.judge(url, size)
  expect(faults).toEqual([])
  expect(statements).toBeGreaterThan(300)
})

test('a statement that has lost its index is named', async () => {
  const client = new Client({ connectionString: url })
  await client.connect()
  await client.query('drop index sessions_user; drop index sessions_trashed')
  await client.end()
  const { faults } = await server.judge(url, size, 2)
  expect(faults).toContainEqual(
    expect.objectContaining({
      visit: 'GET /api/sessions',
      fault: expect.stringMatching(/^looks at all of sessions: /),
    }),
  )
})
