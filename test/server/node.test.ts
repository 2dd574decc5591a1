/** Start and stop of a node, seen from its own process. */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { parseConfig } from '../../src/server/config/config.ts'
import { DatabaseUnreachable } from '../../src/server/database/outage.ts'
import { connectToServer } from '../../src/server/database/server.ts'
import type { NodeOptions } from '../../src/server/node.ts'
import { startNode } from '../../src/server/node.ts'
import { eventually } from '../support/eventually.ts'
import type { PostgresServer } from '../support/postgres-server.ts'
import { startPostgres } from '../support/postgres-server.ts'
import { testLog } from '../support/world.ts'

let postgres: PostgresServer
let folder: string

beforeAll(async () => {
  postgres = await startPostgres()
  await postgres.administer('create database node')
  folder = await mkdtemp(join(tmpdir(), 'lanternist-node-'))
})
afterAll(async () => {
  await postgres?.stop()
  await rm(folder, { recursive: true })
})

function start(options: Partial<NodeOptions>) {
  const config = parseConfig({
    NODE_ENV: 'test',
    PORT: '0',
    DATA_DIR: folder,
    DATABASE_URL: postgres.urlOf('node'),
  })
  const replacements = { log: testLog() }
  return startNode(config, { webFolder: null, worksOnJobs: true, replacements, ...options })
}

test('jobs start after their delay, and not before', async () => {
  const node = await start({ jobsAfterMs: 500 })
  const work = vi.spyOn(node.ctx.queue, 'work')
  expect(work).not.toHaveBeenCalled()
  await eventually(() => expect(work).toHaveBeenCalledOnce())
  await node.stop()
})

test('a node that stops before that runs none, and waits for none', async () => {
  const node = await start({ jobsAfterMs: 3_600_000 })
  const work = vi.spyOn(node.ctx.queue, 'work')
  await node.stop()
  expect(work).not.toHaveBeenCalled()
})

test('a close refuses what is still asked, and has no more to say of it', async () => {
  const log = { warn: vi.fn(), info: vi.fn() }
  const database = await connectToServer(postgres.urlOf('node'), log)
  const asked = database.query('select pg_sleep($1)', [60]).catch((error: unknown) => error)
  await eventually(async () => {
    const running = `select from pg_stat_activity where wait_event = 'PgSleep' and $1::int = 1`
    expect(await database.query(running, [1])).toHaveLength(1)
  })
  await database.close()
  expect(await asked).toBeInstanceOf(DatabaseUnreachable)
  expect(log.warn).not.toHaveBeenCalled()
})
