/** Events of a session, received on another node than the one that fills it. */
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { emitEvent } from '../../src/server/features/sessions/events/events.ts'
import type { Heard } from '../support/event-listener.ts'
import { listenTo, on } from '../support/event-listener.ts'
import { eventually } from '../support/eventually.ts'
import { testOnServer } from '../support/test-database.ts'
import type { TwoNodes } from '../support/two-nodes.ts'
import { createTwoNodes } from '../support/two-nodes.ts'
import type { Person, World } from '../support/world.ts'

let nodes: TwoNodes
let nodeA: World
let nodeB: World

beforeAll(async () => {
  nodes = await createTwoNodes()
  nodeA = nodes.nodeA
  nodeB = nodes.nodeB
})
afterAll(() => nodes.close())

/** Listens until `enough` returns true, then disconnects. */
async function listen(
  person: Person,
  sessionId: number,
  enough: (heard: readonly Heard[]) => boolean,
  lastEventId?: number,
): Promise<readonly Heard[]> {
  const headers = lastEventId === undefined ? {} : { 'last-event-id': String(lastEventId) }
  const listening = await listenTo(person, sessionId, headers)
  await eventually(() => expect(enough(listening.heard)).toBe(true))
  listening.hangUp()
  return listening.heard
}

test('a fill on one node is sent to listeners on another, and a listener resumes', async () => {
  const ana = await nodeA.as('ana')
  const { id } = await ana.sessions.create({ body: { title: 'Evening', subfeeds: 'city' } })
  const listener = on(nodeB, ana)
  const first = await listen(listener, id, (heard) => heard.length >= 1)
  expect(first).toMatchObject([{ type: 'session', data: { id, fillStatus: 'pending' } }])
  const listening = listen(listener, id, (heard) => heard.length >= 1, first[0]!.id)
  await nodeA.runJobs()
  const cut = await listening
  const isDone = (heard: readonly Heard[]) => heard.some(({ type }) => type === 'done')
  const rest = isDone(cut) ? [] : await listen(listener, id, isDone, cut.at(-1)!.id)
  const all = [...cut, ...rest]
  expect(all.map((event) => event.id)).toEqual(all.map((_, index) => first[0]!.id + 1 + index))
  expect(all.at(-1)).toMatchObject({ type: 'done', data: { status: 'ready', mediaCount: 25 } })
  const again = await listen(listener, id, isDone, first[0]!.id)
  expect(again).toEqual(all)
})

test('a listener with an id beyond the newest event, as after a restore, starts at the first event', async () => {
  const di = await nodeA.as('di')
  const { id } = await di.sessions.create({ body: { title: 'Evening', subfeeds: 'city' } })
  const heard = await listen(di, id, (events) => events.length >= 1, 999)
  expect(heard).toMatchObject([{ id: 1, type: 'session', data: { id } }])
})

test('concurrent writers leave no gap and no repetition', async () => {
  const bo = await nodeA.as('bo')
  const { id } = await bo.sessions.create({ body: { title: 'Evening', subfeeds: 'city' } })
  const contexts = [nodeA.ctx, nodeB.ctx]
  const listening = listen(on(nodeB, bo), id, (heard) => heard.length >= 41, 0)
  await Promise.all(
    Array.from({ length: 40 }, (_, index) =>
      emitEvent(contexts[index % 2]!, id, 'media', { index }),
    ),
  )
  const heard = await listening
  expect(heard.map((event) => event.id)).toEqual(Array.from({ length: 41 }, (_, n) => n + 1))
})

testOnServer(
  'a lost connection for notifications is opened again, and nothing is missed',
  async () => {
    const cy = await nodeA.as('cy')
    const { id } = await cy.sessions.create({ body: { title: 'Evening', subfeeds: 'city' } })
    const listening = await listenTo(on(nodeB, cy), id)
    const cut = await sql`select pg_terminate_backend(pid) from pg_stat_activity
      where datname = current_database() and application_name like 'lanternist-notify-%'`.execute(
      nodeA.ctx.db,
    )
    expect(cut.rows).toHaveLength(2)
    await emitEvent(nodeA.ctx, id, 'media', { index: 0 })
    await eventually(() => expect(listening.heard.at(-1)).toMatchObject({ type: 'media' }))
    listening.hangUp()
  },
)
