/** Waiting for a database connection: the time limit, and the error when it passes. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { DatabaseHandle } from '../../src/server/database/database.ts'
import { isDatabaseOutage } from '../../src/server/database/outage.ts'
import { connectToServer } from '../../src/server/database/server.ts'
import { copyTemplate, engine } from '../support/test-database.ts'

const isServer = engine === 'postgres'
if (!isServer) console.info('skipped: the embedded database has one connection')

describe.runIf(isServer)('of a pool', () => {
  let database: DatabaseHandle

  beforeAll(async () => {
    database = await connectToServer(await copyTemplate())
  })
  afterAll(() => database.close())

  const sleep = (seconds: number) => database.query('select pg_sleep($1)::text', [seconds])

  test('the time in which this process was suspended is not counted', async () => {
    await sleep(0)
    const many = Array.from({ length: 40 }, () => sleep(0.01))
    // The queries are sent or wait for a connection. Then this process blocks for 5.5 s and receives
    // nothing.
    await new Promise(setImmediate)
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 5500)
    expect(await Promise.all(many)).toHaveLength(40)
  })

  test('if all connections stay in use, waiting callers get an error', async () => {
    const long = Array.from({ length: 12 }, () => sleep(12))
    const [outcome] = await Promise.allSettled([sleep(0), ...long])
    expect(outcome.status === 'rejected' && isDatabaseOutage(outcome.reason)).toBe(true)
    await expect.poll(async () => (await sleep(0)).length).toBe(1)
  })
})
