/** The limit on event streams, their cost while nothing happens, and when they end. */
import { getEventListeners } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { DatabaseHandle } from '../../src/server/database/database.ts'
import { emitEvent } from '../../src/server/features/sessions/events/events.ts'
import type { Listening } from '../support/event-listener.ts'
import { listenTo, on } from '../support/event-listener.ts'
import { eventually, patienceMs } from '../support/eventually.ts'
import { openTestDatabase } from '../support/test-database.ts'
import type { TwoNodes } from '../support/two-nodes.ts'
import { createTwoNodes } from '../support/two-nodes.ts'
import type { Person, World } from '../support/world.ts'
import { createWorld, password } from '../support/world.ts'

async function makeSession(person: Person, settings: { isPublic?: boolean } = {}) {
  const { session } = await person.sessions.createManual({
    body: { title: 'Quiet', slides: [{ mediaUrl: 'https://example.org/a.jpg' }], ...settings },
  })
  return session.id
}

const openSlots = (world: World) =>
  world.ctx.db.selectFrom('event_streams').select(['user_id', 'slot']).execute()

describe('on two nodes', () => {
  let nodes: TwoNodes
  let nodeA: World
  let nodeB: World
  let ana: Person
  let bo: Person

  beforeAll(async () => {
    nodes = await createTwoNodes()
    nodeA = nodes.nodeA
    nodeB = nodes.nodeB
  })
  afterAll(() => nodes.close())
  beforeEach(async () => {
    await nodeA.reset()
    ana = await nodeA.as('ana')
    bo = await nodeA.as('bo')
  })

  test('an account has at most fifty, wherever they are opened', async () => {
    const sessionId = await makeSession(ana, { isPublic: true })
    const openOn = (person: Person) => listenTo(person, sessionId)
    const elsewhere = on(nodeB, ana)
    const tried = await Promise.all(
      Array.from({ length: 60 }, (_, index) => openOn(index % 2 === 0 ? ana : elsewhere)),
    )
    const opened = tried.filter(({ status }) => status === 200)
    const refused = tried.filter(({ status }) => status === 429)
    expect([opened.length, refused.length]).toEqual([50, 10])
    for (const { response } of refused)
      expect(Number(response.headers.get('retry-after'))).toBeGreaterThan(0)
    // The limit does not affect another account.
    const other = await openOn(on(nodeB, bo))
    expect(other.status).toBe(200)
    other.hangUp()
    for (const stream of opened.slice(0, 3)) stream.hangUp()
    await eventually(async () => expect(await openSlots(nodeA)).toHaveLength(47))
    const again = await Promise.all([openOn(ana), openOn(elsewhere), openOn(ana), openOn(ana)])
    const statuses = again.map(({ status }) => status)
    expect(statuses.toSorted((a, b) => a - b)).toEqual([200, 200, 200, 429])
    for (const stream of [...opened, ...again]) stream.hangUp()
    await eventually(async () => expect(await openSlots(nodeA)).toEqual([]))
  })

  /** Expects that the stream ends regularly. */
  async function expectEnd({ ended }: Listening): Promise<void> {
    const tooLate = sleep(patienceMs).then(() => Promise.reject(new Error('the stream goes on')))
    await Promise.race([ended, tooLate])
  }

  async function administrator(): Promise<Person> {
    const admin = nodeA.visitor()
    await admin.accounts.devSignIn()
    return admin
  }

  const userIdOf = async (person: Person) => (await person.accounts.currentUser()).id

  const endings: Record<string, (sessionId: number) => Promise<unknown>> = {
    'the listener’s account is disabled': async () => {
      const params = { id: await userIdOf(bo) }
      const admin = await administrator()
      return admin.admin.changeUser({ params, body: { isActive: false } })
    },
    'the listener signs out': () => bo.accounts.signOut(),
    'the listener’s account is deleted': () =>
      bo.accounts.deleteAccount({ body: { confirm: 'bo@example.test' } }),
    'the session is deleted': (id) => ana.sessions.remove({ params: { id: String(id) } }),
    'the session is made private': (id) =>
      ana.sessions.update({ params: { id: String(id) }, body: { isPublic: false } }),
    'the session is hidden': async (id) => {
      const { shareCode } = await ana.sharing.shareSession({ params: { id: String(id) }, body: {} })
      const target = { targetType: 'shared_session', shareCode } as const
      const body = { ...target, reason: 'non_consensual', details: 'Me, without asking' } as const
      return nodeA.visitor().moderation.report({ body })
    },
  }

  test.each(Object.keys(endings))('a stream ends when %s', async (name) => {
    const sessionId = await makeSession(ana, { isPublic: true })
    const listening = await listenTo(on(nodeB, bo), sessionId)
    expect(listening.status).toBe(200)
    await endings[name]!(sessionId)
    await expectEnd(listening)
    expect(listening.heard.map(({ type }) => type)).toEqual(['session'])
  })

  test('a stream of the owner ends when the session may show a minor', async () => {
    const sessionId = await makeSession(ana)
    const params = { id: String(sessionId) }
    const { shareCode } = await ana.sharing.shareSession({ params, body: {} })
    const listening = await listenTo(on(nodeB, ana), sessionId)
    const target = { targetType: 'shared_session', shareCode } as const
    const body = { ...target, reason: 'minor', details: 'A child' } as const
    await nodeA.visitor().moderation.report({ body })
    await expectEnd(listening)
  })

  test('a sign-in on another device continues when one ends', async () => {
    const sessionId = await makeSession(ana)
    const elsewhere = nodeB.visitor()
    await elsewhere.accounts.signIn({ body: { email: 'ana@example.test', password } })
    const [here, there] = [await listenTo(ana, sessionId), await listenTo(elsewhere, sessionId)]
    await ana.accounts.signOut()
    await expectEnd(here)
    await emitEvent(nodeA.ctx, sessionId, 'media', {})
    await eventually(() => expect(there.heard.at(-1)).toMatchObject({ type: 'media' }))
    there.hangUp()
  })

  describe('by a link', () => {
    let sessionId: number
    let listening: Listening
    const share = (body: { password?: string | null; expiresAt?: string | null }) =>
      ana.sharing.shareSession({ params: { id: String(sessionId) }, body })
    beforeEach(async () => {
      sessionId = await makeSession(ana)
      const { shareCode } = await share({ password: 'first' })
      await ana.sessions.update({ params: { id: String(sessionId) }, body: { isPublic: false } })
      const headers = { 'x-share-code': shareCode, 'x-share-password': 'first' }
      listening = await listenTo(on(nodeB, bo), sessionId, headers)
      expect(listening.status).toBe(200)
    })

    test('a stream ends with the password by which it came', async () => {
      await share({ password: 'second' })
      await expectEnd(listening)
    })

    test('a stream ends when the link ends, even without any activity', async () => {
      await share({ expiresAt: new Date(nodeA.clock.now().getTime() + 1500).toISOString() })
      await expectEnd(listening)
    })
  })

  test('a stop ends them cleanly', async () => {
    const other = await createWorld()
    const cy = await other.as('cy')
    const sessionId = await makeSession(cy)
    const listening = await Promise.all([1, 2, 3].map(() => listenTo(cy, sessionId)))
    await other.close()
    await Promise.all(listening.map(({ ended }) => ended))
  })

  test('a HEAD request opens none', async () => {
    const sessionId = await makeSession(ana)
    const head = await ana.fetch(`/api/sessions/${sessionId}/events`, { method: 'HEAD' })
    expect(head.status).toBe(200)
    await eventually(async () => {
      expect(nodeA.ctx.eventHub.size).toBe(0)
      expect(await openSlots(nodeA)).toEqual([])
    })
  })
})

describe('two hundred idle streams', () => {
  let counted: { handle: DatabaseHandle; statements: () => number }
  let world: World

  beforeAll(async () => {
    counted = countStatements(await openTestDatabase())
    world = await createWorld({}, { database: counted.handle })
  })
  afterAll(() => world.close())

  test('idle streams ask the database nothing, and leave nothing behind', async () => {
    const listenersBefore = getEventListeners(world.ctx.stopping, 'abort').length
    const streams: Listening[] = []
    for (const name of ['ana', 'bo', 'cy', 'di']) {
      const person = await world.as(name)
      const sessionId = await makeSession(person)
      const opened = Array.from({ length: 50 }, () => listenTo(person, sessionId))
      streams.push(...(await Promise.all(opened)))
    }
    expect(streams.filter(({ status }) => status === 200)).toHaveLength(200)
    await sleep(500)
    const before = counted.statements()
    await sleep(3000)
    expect(counted.statements() - before).toBeLessThan(20)
    expect(world.ctx.eventHub.size).toBe(200)
    expect(getEventListeners(world.ctx.stopping, 'abort')).toHaveLength(listenersBefore)
    for (const { hangUp } of streams) hangUp()
    await eventually(async () => {
      expect(world.ctx.eventHub.size).toBe(0)
      expect(await openSlots(world)).toEqual([])
    })
  })
})

/** Counts the statements of the query builder and those without it. */
function countStatements(handle: DatabaseHandle) {
  let count = 0
  const db = handle.db.withPlugin({
    transformQuery({ node }) {
      count += 1
      return node
    },
    transformResult: async ({ result }) => result,
  })
  const query: DatabaseHandle['query'] = (text, parameters) => {
    count += 1
    return handle.query(text, parameters)
  }
  return { handle: { ...handle, db, query }, statements: () => count }
}
