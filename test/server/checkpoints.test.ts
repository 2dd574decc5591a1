/** The amount of log that a start of the embedded database replays after a kill. */
import { PGlite } from '@electric-sql/pglite'
import { afterAll, expect, test } from 'vitest'
import { makeCheckpoints } from '../../src/server/database/checkpoints.ts'

const mb = 1_048_576
const pglite = await PGlite.create()
afterAll(() => pglite.close())

async function mbToDoAgain(): Promise<number> {
  const { rows } = await pglite.query<{ bytes: string }>(
    'select (pg_current_wal_lsn() - redo_lsn)::text as bytes from pg_control_checkpoint()',
  )
  return Number(rows[0]?.bytes) / mb
}

test('much that was written is soon not to be done again; nothing is made of little', async () => {
  await pglite.exec('create table filling (text text)')
  for (let round = 0; round < 25; round += 1)
    await pglite.query(
      'insert into filling select repeat(md5($1::text), 30) from generate_series(1, 1000)',
      [round],
    )
  expect(await mbToDoAgain()).toBeGreaterThan(20)
  const checkpoints = makeCheckpoints(pglite, 5)
  await expect.poll(mbToDoAgain).toBeLessThan(1)
  await pglite.query("insert into filling values ('a little')")
  const before = await mbToDoAgain()
  await checkpoints.end()
  expect(before).toBeGreaterThan(0)
  expect(await mbToDoAgain()).toBe(before)
})
