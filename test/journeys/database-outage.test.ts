/**
 * PostgreSQL stops answering while every connection stays open. Requests are refused soon, no debit is
 * lost or made twice, and the service recovers by itself.
 */
import { once } from 'node:events'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { connectToServer } from '../../src/server/database/server.ts'
import { eventually } from '../support/eventually.ts'
import { paidRoutes } from '../support/paid-endpoints.ts'
import { recordingWorldLog } from '../support/recording-log.ts'
import type { SilentProxy } from '../support/silent-proxy.ts'
import { startSilentProxy } from '../support/silent-proxy.ts'
import { startSystemPostgres, systemPostgresFolder } from '../support/system-postgres.ts'
import { copyTemplate, engine } from '../support/test-database.ts'
import type { Person, World } from '../support/world.ts'
import { createWorld } from '../support/world.ts'

const applies = engine === 'postgres'
if (!applies) console.log('skipped: the embedded database is in this process and cannot be cut off')

const refusal = {
  error: 'Service Unavailable',
  message: 'The database cannot be reached at the moment, please try again',
}

describe.runIf(applies)('a database that stops answering', () => {
  let proxy: SilentProxy
  let world: World
  let ana: Person

  beforeEach(async () => {
    const url = new URL(await copyTemplate())
    proxy = await startSilentProxy(Number(url.port))
    url.port = String(proxy.port)
    const database = await connectToServer(url.href)
    world = await createWorld({}, { database, extraRoutes: paidRoutes })
    ana = await world.as('ana')
  })
  afterEach(async () => {
    proxy.resume()
    await world.close()
    await proxy.close()
  })

  test('refuses many concurrent requests, and serves them when it is back', async () => {
    proxy.silence()
    const crowd = await Promise.all(Array.from({ length: 40 }, () => ana.fetch('/api/auth/user')))
    expect(new Set(crowd.map(({ status }) => status))).toEqual(new Set([503]))
    expect(await crowd[0]?.json()).toEqual(refusal)
    expect(crowd[0]?.headers.get('retry-after')).toBe('3')
    proxy.resume()
    await eventually(async () => expect((await ana.fetch('/api/auth/user')).status).toBe(200))
    const again = await Promise.all(Array.from({ length: 40 }, () => ana.fetch('/api/auth/user')))
    expect(new Set(again.map(({ status }) => status))).toEqual(new Set([200]))
  })

  test('is noticed too if only the existing connections are dead', async () => {
    // As many requests as the pool has connections.
    await Promise.all(Array.from({ length: 40 }, () => ana.fetch('/api/auth/user')))
    proxy.silence('kept')
    await eventually(async () => expect((await ana.fetch('/api/auth/user')).status).toBe(200))
    const left = await Promise.all(Array.from({ length: 40 }, () => ana.fetch('/api/auth/user')))
    for (const { status } of left) expect([200, 503]).toContain(status)
    await eventually(async () => {
      const again = await Promise.all(Array.from({ length: 40 }, () => ana.fetch('/api/auth/user')))
      expect(new Set(again.map(({ status }) => status))).toEqual(new Set([200]))
    })
  })

  test('counts as down if each response is two seconds late', async () => {
    proxy.fail('late')
    await eventually(async () => {
      const crowd = await Promise.all(Array.from({ length: 40 }, () => ana.fetch('/api/auth/user')))
      expect(new Set(crowd.map(({ status }) => status))).toEqual(new Set([503]))
    })
    proxy.resume()
    await eventually(async () => expect((await ana.fetch('/api/auth/user')).status).toBe(200))
  })

  test('delays the queue no longer than itself', async () => {
    await world.ctx.queue.work(world.ctx)
    proxy.silence()
    expect((await ana.fetch('/api/auth/user')).status).toBe(503)
    proxy.resume()
    const left = { bucket: 'user-media', key: 'users/nobody/General/left.jpg' } as const
    await world.ctx.storage.put(left.bucket, left.key, Buffer.from('left'))
    await eventually(() => send('remove-left-files', { userId: 'nobody' }))
    await eventually(async () =>
      expect(await world.ctx.storage.stat(left.bucket, left.key)).toBeNull(),
    )
  })

  test.each(['buy', 'work'])('charges a %s once whose COMMIT got no response', async (kind) => {
    const buy = () =>
      ana.fetch(`/api/test/${kind}`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', 'idempotency-key': 'one' },
        body: JSON.stringify({ note: 'a note' }),
      })
    proxy.silenceAt('commit')
    expect((await buy()).status).toBe(503)
    proxy.resume()
    // The first call may have been charged and interrupted, or may not have reached the database. Until
    // its lease expires, no node can tell.
    world.clock.advance(60_000)
    let last = 0
    await eventually(async () => {
      const answer = await buy()
      last = answer.status
      const body = (await answer.json()) as { code?: string }
      expect(last === 201 || body.code === 'INTERRUPTED').toBe(true)
    })
    const moved = await world.ctx.db
      .selectFrom('credit_transactions')
      .select('amount')
      .where('type', 'in', ['spend', 'refund'])
      .execute()
    const sum = moved.reduce((total, { amount }) => total + amount, 0)
    expect(sum).toBe(last === 201 ? (kind === 'buy' ? -25 : -5) : 0)
    expect(moved.length).toBeLessThanOrEqual(2)
  })

  test('releases an account whose row was locked when the outage started', async () => {
    const locked = Promise.withResolvers<void>()
    const holding = world.ctx.db.transaction().execute(async (transaction) => {
      await transaction.selectFrom('credit_accounts').selectAll().forUpdate().execute()
      locked.resolve()
      await once(silent.signal, 'abort')
      await transaction.selectFrom('users').select('id').execute()
    })
    const silent = new AbortController()
    await locked.promise
    proxy.silence('kept')
    silent.abort()
    await expect(holding).rejects.toThrow(/PostgreSQL/)
    await eventually(async () => {
      const rows = world.ctx.db.selectFrom('credit_accounts').selectAll().forUpdate().noWait()
      expect((await rows.execute()).length).toBeGreaterThan(0)
    })
  })

  test.each(['silent', 'refused', 'reset'] as const)(
    'is logged as down once and back once, and the queue as failed once: %s',
    async (how) => {
      const second = await connectLogged(urlThrough(proxy, await copyTemplate()))
      const { other, said } = second
      try {
        for (const times of [1, 2]) {
          proxy.fail(how)
          await second.untilAway(times)
          proxy.resume()
          await second.untilBack()
          expect(said(...outage)).toEqual(Array.from({ length: times }, () => outage).flat())
          expect(said('queue_failed')).toHaveLength(times)
        }
      } finally {
        await other.close()
      }
    },
  )

  test.runIf(systemPostgresFolder() !== null)(
    'is logged as down once and back once when it is stopped and started again',
    async () => {
      const server = await startSystemPostgres()
      await server.administer('create database site')
      const second = await connectLogged(server.urlOf('site'))
      const { other, said } = second
      try {
        await server.restart(() => second.untilAway(1))
        await second.untilBack()
        expect(said(...outage)).toEqual(outage)
      } finally {
        await other.close()
        await server.stop()
      }
    },
  )

  test('does not prevent a node from stopping', async () => {
    const second = await connectToServer(urlThrough(proxy, await copyTemplate()))
    const other = await createWorld({}, { database: second })
    await other.ctx.queue.work(other.ctx)
    proxy.silence()
    const asked = other.ctx.db.selectFrom('users').select('id').execute()
    await Promise.all([expect(asked).rejects.toThrow(/PostgreSQL/), other.close()])
  })

  async function send(name: string, payload: object): Promise<void> {
    await world.ctx.queue.send(world.ctx.db, name, payload, {})
  }
})

const outage = ['database_away', 'database_back']

/** Opens a world that works on jobs, with its log lines. */
async function connectLogged(url: string) {
  const { log, lines } = recordingWorldLog()
  const other = await createWorld({}, { database: await connectToServer(url, log), log })
  let failures = 0
  other.ctx.queue.boss.on('error', () => (failures += 1))
  await other.ctx.queue.work(other.ctx)
  const said = (...events: string[]) =>
    lines
      .map((line) => (JSON.parse(line) as { event?: string }).event ?? '')
      .filter((event) => events.includes(event))
  const statusOf = async (path: string) => (await other.visitor().fetch(path)).status
  return {
    other,
    said,
    async untilAway(times: number) {
      failures = 0
      await eventually(() => {
        expect(failures).toBeGreaterThan(5)
        expect(said('database_away')).toHaveLength(times)
      })
      expect(await statusOf('/api/tags')).toBe(503)
    },
    async untilBack() {
      await eventually(async () => expect(await statusOf('/api/tags')).toBe(200))
      await eventually(() => other.ctx.queue.check())
    },
  }
}

function urlThrough({ port }: SilentProxy, databaseUrl: string): string {
  const url = new URL(databaseUrl)
  url.port = String(port)
  return url.href
}
