/** The embedded database on a port, for psql: any PostgreSQL client can use it. */
import { PGlite } from '@electric-sql/pglite'
import { Client } from 'pg'
import { expect, test } from 'vitest'
import { listenOnLoopback } from '../../scripts/psql.ts'

test('a client reads, writes, rolls back and goes on after an error', async () => {
  const pglite = await PGlite.create('memory://')
  const { url, close } = await listenOnLoopback(pglite)
  const client = new Client({ connectionString: url })
  await client.connect()
  try {
    await client.query('create table notes (id integer, words text)')
    await client.query('insert into notes values ($1, $2), (2, $3)', [
      1,
      'one',
      'x'.repeat(200_000),
    ])
    await expect(client.query('select 1 / 0')).rejects.toThrow('division by zero')
    await client.query('begin')
    await client.query('delete from notes')
    await client.query('rollback')
    const { rows } = await client.query('select id, length(words) as length from notes order by id')
    expect(rows).toEqual([
      { id: 1, length: 3 },
      { id: 2, length: 200_000 },
    ])
  } finally {
    await client.end()
    close()
    await pglite.close()
  }
})
