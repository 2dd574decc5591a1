/** The hub of event streams alone, with a heartbeat that tests can wait for. */
import type { Readable } from 'node:stream'
import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, expect, onTestFinished, test } from 'vitest'
import { signInHashOf } from '../../src/server/features/accounts/sign-ins.ts'
import type { EventHub } from '../../src/server/features/sessions/events/event-hub.ts'
import { createEventHub } from '../../src/server/features/sessions/events/event-hub.ts'
import { emitEvent } from '../../src/server/features/sessions/events/events.ts'
import { eventually } from '../support/eventually.ts'
import type { Person, World } from '../support/world.ts'
import { createWorld } from '../support/world.ts'

let world: World
let ana: Person
let userId: string
let sessionId: number
/** The bytes that a hub may buffer for one client, plus one event. */
const maxWaitingBytes = 64 * 1024 + 2048

beforeAll(async () => {
  world = await createWorld()
})
afterAll(() => world.close())
beforeEach(async () => {
  await world.reset()
  ana = await world.as('ana')
  userId = (await ana.accounts.currentUser()).id
  const { session } = await ana.sessions.createManual({
    body: { title: 'Quiet', slides: [{ mediaUrl: 'https://example.org/a.jpg' }] },
  })
  sessionId = session.id
})

function newHub(options: { beatMs: number }): EventHub {
  const hub = createEventHub(world.ctx, options)
  onTestFinished(() => hub.close())
  return hub
}

async function open(hub: EventHub): Promise<Readable> {
  const cookies = { 'connect.sid': ana.jar.get('connect.sid') }
  const signInHash = signInHashOf(world.ctx, { cookies, key: null })!
  const grant = { sessionId, signInHash, share: null }
  const content = await hub.open({
    grant,
    userId,
    dataFor: ({ data }) => data,
    seen: 0,
    greeting: '',
  })
  expect(content).not.toBeNull()
  return content!
}

async function tellMany(count: number): Promise<void> {
  for (let index = 0; index < count; index += 1)
    await emitEvent(world.ctx, sessionId, 'media', { index, text: 'x'.repeat(1000) })
}

const slots = () => world.ctx.db.selectFrom('event_streams').select('slot').execute()

test('a client that reads nothing is disconnected, and other clients are not', async () => {
  const hub = newHub({ beatMs: 100 })
  const [deaf, attentive] = [await open(hub), await open(hub)]
  let heardBytes = 0
  attentive.on('data', (chunk: Buffer) => (heardBytes += chunk.length))
  await tellMany(100)
  await eventually(() => expect(deaf.destroyed).toBe(true))
  expect(deaf.readableLength).toBeLessThanOrEqual(maxWaitingBytes)
  await eventually(async () => {
    expect(heardBytes).toBeGreaterThan(100_000)
    expect(hub.size).toBe(1)
    expect(await slots()).toHaveLength(1)
  })
  expect(attentive.destroyed).toBe(false)
})

test('a slow client gets what fits, and the rest in order when it reads on', async () => {
  const hub = newHub({ beatMs: 60_000 })
  const slow = await open(hub)
  await tellMany(250)
  await eventually(() => expect(slow.readableLength).toBeGreaterThan(60_000))
  expect(slow.readableLength).toBeLessThanOrEqual(maxWaitingBytes)
  let text = ''
  slow.on('data', (chunk: Buffer) => (text += chunk.toString('utf8')))
  const numbers = () => [...text.matchAll(/^id: (\d+)$/gm)].map(([, id]) => Number(id))
  await eventually(() =>
    expect(numbers()).toEqual(Array.from({ length: 250 }, (_, index) => index + 1)),
  )
})

test('an idle stream gets a comment with every heartbeat', async () => {
  const content = await open(newHub({ beatMs: 50 }))
  let text = ''
  content.on('data', (chunk: Buffer) => (text += chunk.toString('utf8')))
  await eventually(() => expect(text).toMatch(/^: open\n\n(: still here\n\n){3}/))
})

test('the slots of a dead node are free again after a minute', async () => {
  const nodeId = world.ctx.newId()
  const minutes = (count: number) => sql<Date>`now() - make_interval(mins => ${count})`
  const { db } = world.ctx
  await db
    .insertInto('event_stream_nodes')
    .values({ id: nodeId, touched_at: minutes(0) })
    .execute()
  await sql`insert into event_streams (user_id, slot, node_id)
    select ${userId}, slot, ${nodeId} from generate_series(1, 50) as slot`.execute(db)
  const refusal = await ana.fetch(`/api/sessions/${sessionId}/events`)
  expect(refusal.status).toBe(429)
  await db
    .updateTable('event_stream_nodes')
    .set({ touched_at: minutes(2) })
    .execute()
  await open(newHub({ beatMs: 60_000 }))
  expect(await slots()).toHaveLength(1)
})

test('a node whose slots were taken over ends its streams, and opens new ones', async () => {
  const hub = newHub({ beatMs: 100 })
  const first = await open(hub)
  first.resume()
  await world.ctx.db.deleteFrom('event_stream_nodes').execute()
  await eventually(() => expect(first.readableEnded).toBe(true))
  const second = await open(hub)
  second.resume()
  expect(await slots()).toHaveLength(1)
  // Every heartbeat renews the lease, so other nodes do not consider it dead.
  await world.ctx.db
    .updateTable('event_stream_nodes')
    .set({ touched_at: sql<Date>`now() - make_interval(secs => 59)` })
    .execute()
  const touchedSecondsAgo = sql<number>`extract(epoch from now() - touched_at)::float8`.as('ago')
  await eventually(async () => {
    const nodes = await world.ctx.db
      .selectFrom('event_stream_nodes')
      .select(touchedSecondsAgo)
      .execute()
    expect(nodes.every(({ ago }) => ago < 30)).toBe(true)
  })
  await open(newHub({ beatMs: 60_000 }))
  expect(second.readableEnded).toBe(false)
})

test('a database outage delays events, and loses none', async () => {
  let isAway = false
  const db = new Proxy(world.ctx.db, {
    get(of, property) {
      if (isAway) throw new Error('the database is away')
      const value: unknown = Reflect.get(of, property, of)
      return typeof value === 'function' ? value.bind(of) : value
    },
  })
  const hub = createEventHub({ ...world.ctx, db }, { beatMs: 60_000 })
  onTestFinished(() => hub.close())
  const content = await open(hub)
  let text = ''
  content.on('data', (chunk: Buffer) => (text += chunk.toString('utf8')))
  isAway = true
  await tellMany(3)
  await sleep(200)
  expect(text).not.toContain('event: media')
  isAway = false
  await eventually(() => expect(text.match(/event: media/g)).toHaveLength(3))
})
