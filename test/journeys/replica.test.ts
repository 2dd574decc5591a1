/**
 * A real streaming replica: the people whose reads use it, those whose reads never do, and reads when it
 * lags or is gone.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openReplica, positionOf } from '../../src/server/database/replica.ts'
import { connectToServer } from '../../src/server/database/server.ts'
import { quietLog } from '../../src/server/platform/outage-log.ts'
import { freePort } from '../support/free-port.ts'
import { recordingLog } from '../support/recording-log.ts'
import type { SessionWorld } from '../support/session-world.ts'
import { createSessionWorld } from '../support/session-world.ts'
import type { SystemPostgres } from '../support/system-postgres.ts'
import {
  startReplicaOf,
  startSystemPostgres,
  systemPostgresFolder,
} from '../support/system-postgres.ts'
import type { Person } from '../support/world.ts'

const hasPostgres = systemPostgresFolder() !== null
if (!hasPostgres) console.info('skipped: no PostgreSQL of the system is installed')

const notUsed = 'the replica is unreachable or behind: public reads go to the primary'
const maxLagMs = 1000
let server: SystemPostgres
let standby: SystemPostgres
/**
 * `usual` has the default limit. `patient` accepts a minute of lag, so that a test can tell which
 * database answered.
 */
let usual: SessionWorld
let patient: SessionWorld
let admin: Person
let ana: Person
/** Ana on a device that has written nothing. */
let reader: Person

beforeAll(async () => {
  if (!hasPostgres) return
  server = await startSystemPostgres()
  await server.administer('create database site')
  standby = await startReplicaOf(server)
  const open = async (options: { maxLagMs?: number }) => {
    const database = await connectToServer(server.urlOf('site'))
    const replica = openReplica(standby.urlOf('site'), database, {
      log: quietLog,
      isPooled: false,
      ...options,
    })
    const settings = { SESSION_SECRET: 'the same on both nodes' }
    return createSessionWorld(settings, { database, replica })
  }
  usual = await open({})
  patient = await open({ maxLagMs: 60_000 })
  admin = patient.visitor()
  await admin.accounts.devSignIn()
  ana = await patient.as('ana')
  reader = patient.visitor({ cookie: ana.jar.header().replace(/;? ?recent_write=1/, '') })
})
afterAll(async () => {
  await usual?.close()
  await patient?.close()
  await standby?.stop()
  await server?.stop()
})

/** Waits until the replica has replayed everything. */
async function settled(): Promise<void> {
  await expect.poll(() => usual.ctx.replica?.isFresh()).toBe(true)
  const query = 'select pg_current_wal_lsn()::text as position'
  const [written] = await usual.ctx.query<{ position: string }>(query, [])
  await expect
    .poll(async () => {
      const place = 'select pg_last_wal_replay_lsn()::text as position'
      const [replayed] = (await usual.ctx.replica?.query<{ position: string }>(place, [])) ?? []
      return positionOf(replayed?.position ?? '0/0') >= positionOf(written?.position ?? '0/0')
    })
    .toBe(true)
}

async function readsBy(world: SessionWorld, place: string): Promise<number> {
  const line = `lanternist_public_reads_total{place="${place}"} `
  const found = (await world.ctx.metrics.read()).split('\n').find((one) => one.startsWith(line))
  return Number(found?.slice(line.length))
}

async function nameFor(person: Person): Promise<string> {
  return (await person.site.read()).name
}

describe.runIf(hasPostgres)('a streaming replica', () => {
  test('serves every public read of visitors who have not written, and nothing else', async () => {
    const id = await patient.makeFilled(ana)
    const { shareCode: code } = await ana.sharing.shareSession({ params: { id }, body: {} })
    await settled()
    const before = await readsBy(patient, 'replica')
    await reader.community.browse()
    await reader.credits.pricing()
    await reader.site.read()
    await reader.sharing.preview({ params: { code } })
    expect(await readsBy(patient, 'replica')).toBe(before + 4)
    // If the replica does not find a row, the server is asked.
    const again = await readsBy(patient, 'server_after_replica')
    await expect(reader.community.open({ params: { id: '4711' } })).rejects.toThrow('not public')
    expect(await readsBy(patient, 'server_after_replica')).toBe(again + 1)
    await reader.credits.balance()
    await ana.site.read()
    expect(await readsBy(patient, 'replica')).toBe(before + 4)
  })

  test('is never used for an account that just wrote, and a new link works at once', async () => {
    await standby.administer('select pg_wal_replay_pause()')
    try {
      const old = await nameFor(reader)
      await admin.admin.changeSettings({ body: { siteName: 'A new name' } })
      expect(await nameFor(reader)).toBe(old)
      expect(await nameFor(admin)).toBe('A new name')
      const id = await patient.makeFilled(ana, { title: 'Made a moment ago' })
      const { shareCode: code } = await ana.sharing.shareSession({ params: { id }, body: {} })
      const opened = await reader.sharing.preview({ params: { code } })
      expect(opened.session.title).toBe('Made a moment ago')
    } finally {
      await standby.administer('select pg_wal_replay_resume()')
    }
    await expect.poll(() => nameFor(reader)).toBe('A new name')
  })

  test('with two seconds of lag, no read is older than a second', async () => {
    await standby.administer(`alter system set recovery_min_apply_delay = '2s'`)
    await standby.administer('select pg_reload_conf()')
    const visitor = usual.visitor()
    const told: { number: number; atMs: number }[] = []
    const seen: { wanted: number; number: number }[] = []
    let writerMissed = 0
    for (let number = 1; number <= 30; number += 1) {
      await admin.admin.changeSettings({ body: { siteName: `Name ${number}` } })
      told.push({ number, atMs: performance.now() })
      if ((await nameFor(admin)) !== `Name ${number}`) writerMissed += 1
      const askedMs = performance.now()
      const name = await nameFor(visitor)
      const wanted = told.findLast(({ atMs }) => askedMs - atMs > maxLagMs)?.number ?? 0
      seen.push({ wanted, number: Number(name.match(/^Name (\d+)$/)?.[1] ?? 0) })
      await sleep(150)
    }
    expect(writerMissed).toBe(0)
    expect(seen.filter(({ wanted, number }) => number < wanted)).toEqual([])
    // The server answered in place of the replica.
    expect(await readsBy(usual, 'server')).toBeGreaterThan(0)
    await standby.administer('alter system reset recovery_min_apply_delay')
    await standby.administer('select pg_reload_conf()')
    await expect.poll(() => usual.ctx.replica?.isFresh()).toBe(true)
  })

  test('has a metric from the start, even if it was never reachable', async () => {
    const nowhere = `postgres://postgres@127.0.0.1:${await freePort()}/site`
    const database = await connectToServer(server.urlOf('site'))
    const replica = openReplica(nowhere, database, { log: quietLog, isPooled: false })
    const world = await createSessionWorld({}, { database, replica })
    try {
      for (const place of ['replica', 'server', 'server_after_replica'])
        expect(await readsBy(world, place)).toBe(0)
    } finally {
      await world.close()
    }
  })

  test('is not used if it is not a replica', async () => {
    const log = recordingLog()
    const none = openReplica(server.urlOf('site'), usual.ctx, { log, isPooled: false })
    await expect.poll(() => log.count(notUsed)).toBe(1)
    await none.close()
    expect(log.lines).toEqual([notUsed])
  })

  test('can disappear without any failing request', async () => {
    await standby.stop()
    const visitor = usual.visitor()
    await admin.admin.changeSettings({ body: { siteName: 'Without a replica' } })
    await expect.poll(() => usual.ctx.replica?.isFresh()).toBe(false)
    expect(await nameFor(visitor)).toBe('Without a replica')
    expect(await nameFor(reader)).toBe('Without a replica')
  })
})
